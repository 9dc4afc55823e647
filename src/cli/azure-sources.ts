import { credentialOf } from "../sources/azure/credential.ts";
import { openKustoService } from "../sources/azure/kusto-service.ts";
import { openLogsService } from "../sources/azure/logs-service.ts";
import type { QueryService } from "../sources/azure/query-service.ts";
import type { SourceSettings } from "./pull-settings.ts";
import type { World } from "./world.ts";

/** The services that answer for requests and for the system log. */
export interface OpenSources {
  readonly requests: QueryService;
  readonly logs: QueryService | null;
  readonly credential: Awaited<ReturnType<typeof credentialOf>>;
}

/** Opens the services; nothing is asked yet. */
export async function openSources(
  source: SourceSettings,
  world: World,
  signal: AbortSignal,
): Promise<OpenSources> {
  const credential = world.credential ?? (await credentialOf(source.credential, world.env));
  const endpoint = source.endpoint === undefined ? {} : { endpoint: source.endpoint };
  const logs = (kind: "workspace" | "app", id: string): Promise<QueryService> =>
    openLogsService({ kind, id, credential, signal, ...endpoint });
  const { requests: target, schema } = source;
  const requests =
    target.kind === "cluster"
      ? await openKustoService({
          cluster: target.id,
          database: target.database,
          schema,
          credential,
          signal,
        })
      : await logs(target.kind, target.id);
  return {
    requests,
    logs:
      source.logs === null
        ? null
        : source.logs === "requests"
          ? requests
          : await logs(source.logs.kind, source.logs.id),
    credential,
  };
}

/** How a source is named to people and in manifests. */
export function targetName({ requests }: SourceSettings): string {
  return requests.kind === "cluster" ? `${requests.id} ${requests.database}` : requests.id;
}
