import type { AnalysisFlags } from "../../src/cli/analysis-options.ts";
import { type AuditInput, runAudit } from "../../src/cli/audit-run.ts";
import type { World } from "../../src/cli/world.ts";
import { InputFolder } from "./pipeline.ts";

async function* nothing(): AsyncGenerator<Uint8Array> {}

const WORLD: World = {
  env: {},
  stdin: nothing(),
  stdout: { write: async () => {}, isTerminal: false, columns: 80 },
  stderr: { write: async () => {}, isTerminal: false, columns: 80 },
  cwd: ".",
  bundled: ".",
  now: () => new Date(0),
};

/** What an audit sees of files given by name and text, or of paths. */
export async function auditOf(
  files: Readonly<Record<string, string>>,
  flags: AnalysisFlags = {},
  paths: readonly string[] = [],
): Promise<AuditInput> {
  const folder = new InputFolder();
  try {
    const written = Object.entries(files).map(([name, text]) =>
      folder.write(name, new TextEncoder().encode(text)),
    );
    return await runAudit({ ...flags, data: [...paths, ...written] }, WORLD);
  } finally {
    folder.remove();
  }
}

export interface RequestSpec {
  /** Milliseconds after {@link ORIGIN}. */
  readonly at: number;
  readonly ms: number;
  readonly instance?: string;
  readonly role?: string;
  readonly name?: string;
  readonly id?: string;
  readonly operation?: string;
  readonly itemCount?: number;
  readonly resultCode?: string;
  readonly synthetic?: string;
}

export interface CallSpec {
  readonly at: number;
  readonly ms: number;
  readonly operation: string;
  readonly parent?: string;
  readonly type?: string;
  readonly target?: string;
  readonly instance?: string;
  readonly role?: string;
}

/** 0 ms of the rows below. */
export const ORIGIN = Date.UTC(2026, 8, 10, 6);

export function instant(at: number): string {
  return new Date(ORIGIN + at).toISOString();
}

/** Rows as `az monitor app-insights query` gives them, one object a row. */
export function requestRows(rows: readonly RequestSpec[]): string {
  return JSON.stringify(
    rows.map((row, i) => ({
      timestamp: instant(row.at),
      id: row.id ?? `r${i}`,
      name: row.name ?? "GET /a",
      url: "",
      duration: row.ms,
      success: "True",
      resultCode: row.resultCode ?? "200",
      itemCount: row.itemCount ?? 1,
      operation_Id: row.operation ?? `op${i}`,
      operation_SyntheticSource: row.synthetic ?? "",
      cloud_RoleName: row.role ?? "app",
      cloud_RoleInstance: row.instance ?? "one",
    })),
  );
}

export function dependencyRows(rows: readonly CallSpec[]): string {
  return JSON.stringify(
    rows.map((row, i) => ({
      timestamp: instant(row.at),
      id: `d${i}`,
      target: row.target ?? "db",
      type: row.type ?? "SQL",
      name: "call",
      data: "",
      duration: row.ms,
      success: "True",
      itemCount: 1,
      itemType: "dependency",
      operation_Id: row.operation,
      operation_ParentId: row.parent ?? "",
      cloud_RoleName: row.role ?? "app",
      cloud_RoleInstance: row.instance ?? "one",
    })),
  );
}

/** The answer of `az monitor metrics list` for the metric `Requests`. */
export function metricsAnswer(
  points: readonly (readonly [at: number, total: number | null])[],
  interval = "PT1M",
  { id, labels = {} }: { readonly id?: string; readonly labels?: Readonly<Record<string, string>> } = {},
): string {
  const data = points.map(([at, total]) => ({
    timeStamp: instant(at),
    ...(total === null ? {} : { total }),
  }));
  const metadatavalues = Object.entries(labels).map(([name, value]) => ({ name: { value: name }, value }));
  return JSON.stringify({
    cost: 1,
    interval,
    namespace: "Microsoft.App/containerapps",
    timespan: "",
    value: [
      {
        ...(id === undefined ? {} : { id }),
        name: { value: "Requests" },
        timeseries: [{ metadatavalues, data }],
      },
    ],
  });
}

/** Rows of several tables in one file, as a union of the tables is exported. */
export function union(...arrays: readonly string[]): string {
  return JSON.stringify(arrays.flatMap((array) => JSON.parse(array) as unknown[]));
}
