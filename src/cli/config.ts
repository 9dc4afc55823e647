import { relative, resolve } from "node:path";
import { findUpwards, readConfig } from "./config-file.ts";
import { type Config, writtenSchema } from "./config-schema.ts";
import { UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

export const CONFIG_FILE = "coldstart.config.yaml";

/** Environment variables and the key that each one takes the place of. */
export const VARIABLES: Readonly<Record<string, string>> = {
  COLDSTART_WORKSPACE: "source.workspace",
  COLDSTART_APP_RESOURCE: "source.app",
  COLDSTART_CLUSTER: "source.cluster",
  COLDSTART_DATABASE: "source.database",
  COLDSTART_CREDENTIAL: "source.credential",
  COLDSTART_ENDPOINT: "source.endpoint",
  COLDSTART_METRICS_RESOURCE: "source.metrics.resource",
  COLDSTART_METRICS_REGION: "source.metrics.region",
  COLDSTART_APP: "app",
  COLDSTART_ROLE: "role",
  COLDSTART_TIMEZONE: "timezone",
  COLDSTART_CAPTURE: "capture",
};

export type Origin = "environment" | "file" | "default";

export interface LoadedConfig {
  readonly config: Config;
  /** The file, as the user would name it; null where there is none. */
  readonly path: string | null;
  /** Where the value of a key such as `source.workspace` comes from. */
  origin(key: string): Origin;
}

/**
 * The configuration: the file, with the environment before it. Flags come before both, and are no matter of
 * this function.
 *
 * @param file of `--config`; otherwise the nearest file upwards counts
 * @throws UsageError with file, line and column, or with the variable
 */
export async function loadConfig(file: string | undefined, world: World): Promise<LoadedConfig> {
  const { cwd } = world;
  const path = file === undefined ? await findUpwards(cwd, CONFIG_FILE) : resolve(cwd, file);
  const name = path === null ? null : relative(cwd, path) || path;
  const fromFile = path === null || name === null ? {} : await readConfig(path, name, cwd);
  const fromEnvironment = environmentConfig(world.env);
  const config = merge(fromFile, fromEnvironment);
  return {
    config,
    path: name,
    origin: (key) =>
      valueAt(fromEnvironment, key) !== undefined
        ? "environment"
        : valueAt(config, key) !== undefined
          ? "file"
          : "default",
  };
}

/** What the environment says; an empty variable says nothing. @throws UsageError with the variable */
export function environmentConfig(env: World["env"]): Config {
  const set = Object.entries(VARIABLES).map(([label, key]) => ({ label, key, value: env[label] ?? "" }));
  return configOf(set.filter(({ value }) => value !== ""));
}

/** A value that was given outside of a file. */
export interface Given {
  /** What the user calls it: a variable, an option. */
  readonly label: string;
  /** Such as `source.workspace`. */
  readonly key: string;
  readonly value: string;
}

/** Proves values that were given one by one. @throws UsageError with the label */
export function configOf(values: readonly Given[]): Config {
  const labelOf = (key: string): string | undefined => values.find((one) => one.key === key)?.label;
  const cluster = labelOf("source.cluster");
  const other = labelOf("source.workspace") ?? labelOf("source.app");
  if (cluster !== undefined && other !== undefined) {
    throw new UsageError(`${cluster} and ${other} name two sources; give one of them`);
  }
  const nested: Record<string, unknown> = {};
  for (const { key, value } of values) put(nested, key.split("."), value);
  const result = writtenSchema.safeParse(nested);
  if (!result.success) {
    const { path, message } = result.error.issues[0]!;
    throw new UsageError(`${labelOf(path.join(".")) ?? path.join(".")}: ${message}`);
  }
  const { source, app, role, timezone, capture } = result.data;
  return Object.fromEntries(
    Object.entries({ source, app, role, timezone, capture }).filter(([, value]) => value !== undefined),
  );
}

function put(into: Record<string, unknown>, [step, ...more]: readonly string[], value: unknown): void {
  if (more.length === 0) {
    into[step!] = value;
    return;
  }
  const inner: Record<string, unknown> = {};
  Object.assign(inner, into[step!]);
  put(inner, more, value);
  into[step!] = inner;
}

/** Two configurations; of a key that both have, the second one's value counts. */
export function merge(less: Config, more: Config): Config {
  if (less.source === undefined || more.source === undefined) return { ...less, ...more };
  const metrics = { ...less.source.metrics, ...more.source.metrics };
  const source = { ...besides(less.source, more.source), ...more.source };
  return {
    ...less,
    ...more,
    source: Object.keys(metrics).length === 0 ? source : { ...source, metrics },
  };
}

type Source = NonNullable<Config["source"]>;

/** A source without what cannot stand beside another one of a different kind. */
function besides(less: Source, more: Source): Source {
  const { cluster, database, schema, workspace, app, ...rest } = less;
  if (more.cluster !== undefined) return { ...rest, database, schema };
  if ((more.workspace ?? more.app) !== undefined) return { ...rest, workspace, app };
  return less;
}

function valueAt(config: Config, key: string): unknown {
  let value: unknown = config;
  for (const step of key.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = new Map(Object.entries(value)).get(step);
  }
  return value;
}
