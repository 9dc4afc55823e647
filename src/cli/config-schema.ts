import { z } from "zod";
import { CREDENTIALS } from "../sources/azure/credential.ts";
import { isLoopback } from "../sources/azure/loopback.ts";
import { parseDuration } from "./durations.ts";
import { UsageError } from "./exit-codes.ts";
import { checkTimezone, parseUserInstant } from "./instants.ts";

type Wording = { readonly error: (issue: { readonly input?: unknown }) => string };

/** Says what is wanted and never what stands there: it could be a secret in the wrong place. */
function wanted(what: string): Wording {
  return {
    error: ({ input }) =>
      input === undefined
        ? `missing; write ${what}`
        : input === null
          ? `empty; write ${what}, or leave the key out`
          : `write ${what}`,
  };
}

function text(what: string, isSound: (value: string) => boolean = () => true): z.ZodType<string> {
  const { error } = wanted(what);
  return z.string(wanted(what)).refine((value) => value.trim() !== "" && isSound(value), { error });
}

/** Whether a check that throws UsageError lets a value pass. */
function passes(check: (value: string) => unknown): (value: string) => boolean {
  return (value) => {
    try {
      check(value);
      return true;
    } catch (error) {
      if (error instanceof UsageError) return false;
      throw error;
    }
  };
}

export const GUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
export const RESOURCE = /^\/?subscriptions\/[^/]+\/resourcegroups\/[^/]+\/providers\/[^/]+\/[^/]+\/[^/]+$/i;

function resource(example: string): z.ZodType<string> {
  return text(`a resource id, /subscriptions/…/providers/${example}/NAME`, (value) => RESOURCE.test(value));
}

/** Https, or a stand-in on this machine; nothing in it that could be a key. */
function isAddress(value: string): boolean {
  if (!URL.canParse(value) || !(value.startsWith("https://") || isLoopback(value))) return false;
  const { username, password, search, hash } = new URL(value);
  return username + password + search + hash === "";
}

const name = (what: string) => text(`${what}, in quotes where it is a number`);
/** One text or a list of them. */
const oneOrMore = (what: string) => {
  const { error } = wanted(`${what}, or a list of them`);
  return z
    .union([name(what), z.array(name(what))], { error })
    .refine((value) => value.length > 0, { error })
    .transform((value) => (typeof value === "string" ? [value] : value));
};
const list = (what: string, isSound?: (value: string) => boolean) =>
  z.array(text(what, isSound), wanted(`a list: each ${what}`));
const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, wanted(`one of ${values.join(", ")}`));
const duration = text(
  "a duration with its unit, such as 2s, 1500ms or 10m",
  passes((value) => parseDuration(value, "")),
);
const below = wanted("keys and values below it");

const metricsSchema = z.strictObject(
  {
    resource: resource("Microsoft.App/containerApps").optional(),
    region: name("a region such as westeurope").optional(),
  },
  below,
);

const sourceSchema = z.strictObject(
  {
    workspace: text(
      "the workspace's GUID, which az monitor log-analytics workspace show calls customerId",
      (value) => GUID.test(value),
    ).optional(),
    app: resource("Microsoft.Insights/components").optional(),
    cluster: text(
      "an address without user or query, https://NAME.REGION.kusto.windows.net",
      isAddress,
    ).optional(),
    database: name("the database's name").optional(),
    schema: choice(["workspace", "classic"]).optional(),
    credential: choice(CREDENTIALS).optional(),
    endpoint: text("an https address without user or query, with /v1 at its end", isAddress).optional(),
    metrics: metricsSchema.optional(),
  },
  below,
);

const warmupSchema = z.strictObject(
  {
    path: oneOrMore("the path that the warm-up requests").optional(),
    paths: oneOrMore("the paths that the warm-up requests").optional(),
    method: name("a method such as GET").optional(),
    message: name("the trace that ends a warm-up").optional(),
  },
  below,
);

const INSTANT = "an instant such as 2026-09-21T06:00:00Z";
const deploymentSchema = z.strictObject(
  { at: name(INSTANT), name: name("a name").optional() },
  wanted("at and name"),
);

/** A `coldstart.config.yaml` as it is written. */
export const writtenSchema = z.strictObject({
  source: sourceSchema.optional(),
  app: text("the container app's name, without a slash", (value) => !/[/\s]/.test(value)).optional(),
  role: oneOrMore("a role").optional(),
  roles: oneOrMore("a role").optional(),
  revision: name("a revision").optional(),
  container: name("a container").optional(),
  timezone: text("an IANA time zone, such as Europe/Vienna", passes(checkTimezone)).optional(),
  days: choice(["all", "weekdays"]).optional(),
  holidays: list(
    "a date, YYYY-MM-DD",
    (value) => /^\d{4}-\d\d-\d\d$/.test(value) && isInstant(value),
  ).optional(),
  threshold: duration.optional(),
  guard: duration.optional(),
  probePaths: list("a path that begins with a slash", (value) => value.startsWith("/")).optional(),
  weight: choice(["auto", "item-count", "sample-rate"]).optional(),
  warmup: warmupSchema.optional(),
  deployments: z.array(deploymentSchema, wanted("a list of deployments: - at: …")).optional(),
  capture: name("a folder").optional(),
});

function isInstant(value: string): boolean {
  return passes((text) => parseUserInstant(text, "UTC", ""))(value);
}

/** The file's content once it is proved, with one name for what may be written in two ways. */
export const fileSchema = writtenSchema.transform(({ roles, warmup, deployments, ...file }, ctx) => {
  const refuse = (path: PropertyKey[], message: string): void =>
    ctx.addIssue({ code: "custom", path, message });
  const { source } = file;
  if (roles !== undefined && file.role !== undefined) refuse(["roles"], "write role or roles, not both");
  if (warmup?.path !== undefined && warmup.paths !== undefined) {
    refuse(["warmup", "paths"], "write path or paths, not both");
  }
  if (source?.cluster !== undefined && (source.workspace ?? source.app) !== undefined) {
    refuse(["source", "cluster"], "a second source; keep the cluster, or the workspace and app");
  }
  if (source?.metrics !== undefined && source.metrics.resource === undefined) {
    refuse(["source", "metrics", "resource"], "missing; write the resource id of the container app");
  }
  /** Ticks; times without offset are in the file's own zone, so that they mean the same to everyone. */
  const ticksOf = (at: string, index: number): number => {
    try {
      return parseUserInstant(at, file.timezone ?? "UTC", "at");
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      refuse(["deployments", index, "at"], error.message.replace(/^at: /, ""));
      return Number.NaN;
    }
  };
  return {
    ...file,
    role: file.role ?? roles,
    warmup: warmup && { path: warmup.path ?? warmup.paths, method: warmup.method, message: warmup.message },
    deployments: deployments?.map(({ at, name }, i) => ({ at: ticksOf(at, i), name })),
  };
});

/** What the file and the environment say. `deployments[].at` is in ticks. */
export type Config = Partial<z.output<typeof fileSchema>>;

/** The keys below a path, and every key by its whole name. */
export const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(writtenSchema.shape),
  source: Object.keys(sourceSchema.shape),
  "source.metrics": Object.keys(metricsSchema.shape),
  warmup: Object.keys(warmupSchema.shape),
  deployments: Object.keys(deploymentSchema.shape),
};
