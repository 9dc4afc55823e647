import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { readBarText } from "../verdict/bar-yaml.ts";
import { nearest } from "../verdict/nearest.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { UsageError } from "./exit-codes.ts";
import type { World } from "./world.ts";

export const CONFIG_FILE = "coldstart.config.yaml";

/** Environment variables and the key that each one takes the place of. */
export const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  COLDSTART_WORKSPACE: ["source", "workspace"],
  COLDSTART_APP_RESOURCE: ["source", "app"],
  COLDSTART_CLUSTER: ["source", "cluster"],
  COLDSTART_DATABASE: ["source", "database"],
  COLDSTART_CREDENTIAL: ["source", "credential"],
  COLDSTART_ENDPOINT: ["source", "endpoint"],
  COLDSTART_METRICS_RESOURCE: ["source", "metrics", "resource"],
  COLDSTART_METRICS_REGION: ["source", "metrics", "region"],
  COLDSTART_APP: ["app"],
  COLDSTART_ROLE: ["role"],
  COLDSTART_TIMEZONE: ["timezone"],
  COLDSTART_CAPTURE: ["capture"],
};

export interface LoadedConfig {
  readonly config: Config;
  /** The file, as the user would name it; null where there is none. */
  readonly path: string | null;
}

/**
 * The configuration: the file, with the environment before it. Flags come before both, and are no matter of
 * this function.
 *
 * @param file of `--config`; otherwise the nearest file upwards counts
 * @throws UsageError with file, line and column
 */
export async function loadConfig(file: string | undefined, world: World): Promise<LoadedConfig> {
  const path = file === undefined ? await findUpwards(world.cwd) : resolve(world.cwd, file);
  const name = path === null ? "the environment" : relative(world.cwd, path) || path;
  const fromFile = path === null ? {} : await readConfig(path, name);
  const merged = withEnvironment(fromFile, world.env);
  const result = configSchema.safeParse(merged);
  if (!result.success) throw new UsageError(`${name}: ${messageOf(result.error.issues[0]!)}`);
  return { config: result.data, path: path === null ? null : name };
}

async function findUpwards(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_FILE);
    if (await exists(path)) return path;
    // A repository is a world of its own: what lies around it is somebody else's.
    if ((await exists(join(folder, ".git"))) || dirname(folder) === folder) return null;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readConfig(path: string, name: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `--config: cannot read ${name} (${error.code}); write one with coldstart init, or give its path`,
    );
  });
  const read = readBarText(text, "configuration");
  const [problem] = read.problems;
  if (problem !== undefined) throw faultAt(name, problem, problem.message);
  if (!("value" in read)) return {};
  const result = configSchema.safeParse(read.value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const isKey = issue.code === "unrecognized_keys";
    const at = isKey ? read.atKey([...issue.path, issue.keys[0]!], "") : read.at(issue.path, "");
    throw faultAt(name, at, messageOf(issue));
  }
  return read.value as Record<string, unknown>;
}

function faultAt(
  name: string,
  { line, column }: { readonly line: number | null; readonly column: number | null },
  message: string,
): UsageError {
  return new UsageError(`${name}:${line ?? 1}:${column ?? 1}: ${message}`);
}

const SECRET = /secret|password|connection_?string|token|^key$|api_?key/i;

type Issue = {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
};

function messageOf(issue: Issue): string {
  const path = issue.path.map(String).join(".");
  const key = issue.keys?.[0];
  if (key === undefined) {
    return `${path}: ${issue.message.replace(/^Invalid (?:input|option): /, "")}; docs/config.md lists what may stand here`;
  }
  if (SECRET.test(key)) {
    return `${key}: a secret does not belong into this file; sign in with az login, or give it to the environment`;
  }
  const known = knownKeys(issue.path);
  const near = nearest(key, known);
  const remedy = near === null ? `known are: ${known.join(", ")}` : `did you mean ${near}?`;
  return `unknown key ${path === "" ? key : `${path}.${key}`}; ${remedy}`;
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  if (path[0] === "source") {
    return path[1] === "metrics"
      ? ["resource", "region"]
      : Object.keys(configSchema.shape.source.unwrap().shape);
  }
  if (path[0] === "warmup") return ["path", "method", "message"];
  if (path[0] === "deployments") return ["at", "name"];
  return Object.keys(configSchema.shape);
}

function withEnvironment(file: Record<string, unknown>, env: World["env"]): Record<string, unknown> {
  const merged = structuredClone(file);
  for (const [variable, path] of Object.entries(VARIABLES)) {
    const value = env[variable];
    if (value === undefined || value === "") continue;
    let at = merged;
    for (const step of path.slice(0, -1)) {
      const inner = at[step];
      const next = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
      at[step] = next;
      at = next;
    }
    at[path[path.length - 1]!] = value;
  }
  return merged;
}
