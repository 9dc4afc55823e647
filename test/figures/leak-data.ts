import { analysisSettings } from "../../src/cli/analysis-options.ts";
import { runAudit } from "../../src/cli/audit-run.ts";
import { type LeaksFlags, leakQuestion, leaksDocument } from "../../src/cli/leaks-run.ts";
import { type LeaksDocument, leaksSchema } from "../../src/report/leaks-document.ts";
import { InputFolder } from "./pipeline.ts";

/** 2026-09-21T06:00:00Z plus some milliseconds. */
export function at(ms: number): string {
  return new Date(Date.UTC(2026, 8, 21, 6) + ms).toISOString();
}

export const DAY = 86_400_000;
/** Before the deployment of the tests: the day before. */
export const BEFORE = -DAY;
/** The tests' deployment, and a start well after it. */
export const SINCE = at(0);

type Row = Record<string, unknown>;

/** Rows of all tables as one NDJSON file holds them, numbered so that none is a duplicate. */
export class Rows {
  readonly lines: Row[] = [];

  request(instance: string, ms: number, path: string, more: Row = {}): this {
    const id = `r${this.lines.length}`;
    return this.#add("request", instance, ms, {
      id,
      name: `GET ${path}`,
      url: `https://q.example.com${path}`,
      success: "True",
      resultCode: "200",
      duration: 20,
      operation_Id: `op-${id}`,
      itemCount: 1,
      ...more,
    });
  }

  dependency(instance: string, ms: number, name: string, more: Row = {}): this {
    return this.#add("dependency", instance, ms, {
      id: `d${this.lines.length}`,
      name,
      target: "db",
      type: "postgresql",
      duration: 3,
      operation_Id: `op-d${this.lines.length}`,
      ...more,
    });
  }

  trace(instance: string, ms: number, message: string, dimensions: Row = {}, more: Row = {}): this {
    return this.#add("trace", instance, ms, { message, customDimensions: dimensions, ...more });
  }

  /** The line of a warm-up that ended at `ms`. */
  warmed(instance: string, ms: number, fields: Row = {}): this {
    const dimensions = { outcome: "warmed", path: "/quotes/today", status: 200, ms: 400, ...fields };
    return this.trace(instance, ms, "warm-up finished", dimensions);
  }

  metric(instance: string, ms: number, name: string, count: number, dimensions: Row = {}): this {
    return this.#add("customMetric", instance, ms, {
      name,
      value: count * 20,
      valueCount: count,
      customDimensions: dimensions,
    });
  }

  #add(itemType: string, instance: string, ms: number, rest: Row): this {
    this.lines.push({
      timestamp: at(ms),
      itemType,
      cloud_RoleName: "quotes-api",
      cloud_RoleInstance: instance,
      ...rest,
    });
    return this;
  }

  bytes(): Uint8Array {
    return new TextEncoder().encode(this.lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}

/** A line of the system log. */
export function event(replica: string, ms: number, reason: string, text: string, more: Row = {}): string {
  return `${JSON.stringify({
    TimeStamp: at(ms),
    Type: "Normal",
    ContainerAppName: "quotes-api",
    RevisionName: "quotes-api--v1",
    ReplicaName: replica,
    Msg: text,
    Reason: reason,
    EventSource: "ContainerAppController",
    Count: 1,
    ...more,
  })}\n`;
}

/** The audit's document on some files, through the real pipeline. The path is /quotes/today unless given. */
export async function leaksOfPaths(paths: readonly string[], flags: LeaksFlags = {}): Promise<LeaksDocument> {
  const all: LeaksFlags = { path: ["/quotes/today"], guard: "0s", ...flags, data: paths };
  await analysisSettings(all);
  const question = await leakQuestion(all);
  const input = await runAudit(all, world);
  return leaksSchema.strict().parse(leaksDocument(input, question));
}

/** The same on rows, with a system log where one is given. */
export async function leaksOf(rows: Rows, flags: LeaksFlags = {}, log = ""): Promise<LeaksDocument> {
  const folder = new InputFolder();
  try {
    const paths = [folder.write("rows.ndjson", rows.bytes())];
    if (log !== "") paths.push(folder.write("system.ndjson", new TextEncoder().encode(log)));
    return await leaksOfPaths(paths, flags);
  } finally {
    folder.remove();
  }
}

const nothing = { write: async () => {}, isTerminal: false, columns: 80 };
const world = {
  env: {},
  stdin: (async function* (): AsyncGenerator<Uint8Array> {})(),
  stdout: nothing,
  stderr: nothing,
  cwd: "/",
  bundled: "/",
  now: () => new Date(0),
};
