import type { Slice } from "../sources/azure/plan.ts";
import { bindQuery, readQuery } from "../sources/azure/query-file.ts";
import type { QueryAnswer, QueryService } from "../sources/azure/query-service.ts";
import { SourceFault } from "../sources/azure/source-fault.ts";
import { TICKS_PER_MINUTE, ticksOfEpochMs } from "../telemetry/time.ts";
import { openSources } from "./azure-sources.ts";
import {
  delayFindings,
  type Finding,
  instanceFindings,
  type RoleFacts,
  roleFindings,
  samplingFindings,
  type TableSpan,
  tableFinding,
} from "./doctor-findings.ts";
import { type QueryScope, queriesOf, valuesOf } from "./pull-queries.ts";
import type { SourceSettings } from "./pull-settings.ts";
import type { World } from "./world.ts";

const DAY = 24 * 60 * TICKS_PER_MINUTE;
/** Longer than any retention of the service that a report could want. */
const LONGEST = 730 * DAY;
const TABLES = ["requests", "system-events", "dependencies", "traces", "metrics"] as const;

/** Looks at every source once, with small queries; what one refuses is a finding, not the end. */
export async function examine(
  source: SourceSettings,
  window: Slice,
  world: World,
): Promise<{ readonly findings: Finding[]; readonly fault: SourceFault | null }> {
  const { signal } = new AbortController();
  const services = await openSources(source, world, signal);
  const scope: QueryScope = {
    roles: source.roles,
    app: source.app,
    keepQuery: false,
    warmedMessage: "warm-up finished",
  };
  const now = ticksOfEpochMs(world.now().getTime());
  const findings: Finding[] = [];
  let fault: SourceFault | null = null;
  /** Asks, or notes why it cannot. */
  const ask = async (about: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      fault ??= error;
      findings.push({ about, state: "fail", text: error.what, means: error.remedy });
    }
  };
  const spans = new Map<string, TableSpan>();
  for (const table of TABLES) {
    const service = table === "system-events" ? services.logs : services.requests;
    if (service === null) {
      findings.push({
        about: table,
        state: "warn",
        text: "not looked at: the Application Insights resource does not hold the system log",
        means: "name the workspace of the environment with --workspace beside --app-resource",
      });
      continue;
    }
    await ask(table, async () => {
      const queries = await queriesOf(table, service.schema, scope, world.bundled);
      const past = { from: now - LONGEST, to: now + DAY };
      const answers = await Promise.all(
        queries.map((query) => service.query(spanOf(query(past), window), past)),
      );
      const span = spanIn(answers);
      spans.set(table, span);
      findings.push(tableFinding(table, span, window));
    });
    // Without a sign-in, every other question ends the same way.
    if (fault !== null && ["sign-in", "network"].includes((fault as SourceFault).kind)) {
      return { findings, fault };
    }
  }
  if ((spans.get("requests")?.rows ?? 0) > 0) {
    const prefix = services.requests.schema === "workspace" ? "app-" : "";
    const run = async (name: string): Promise<QueryAnswer> => {
      const text = await readQuery(world.bundled, `${prefix}${name}`);
      return services.requests.query(bindQuery(text, valuesOf(text, window, scope)), window);
    };
    await ask("instances", async () => {
      const roles = rolesIn(await run("doctor-requests"));
      const replicas = await replicasIn(services.logs, scope, window, world);
      findings.push(
        ...roleFindings(roles, source.roles),
        ...samplingFindings(roles),
        ...instanceFindings(roles, replicas),
      );
    });
    await ask("delay", async () => {
      findings.push(...delayFindings(await run("doctor-delay")));
    });
  }
  return { findings, fault };
}

/** Rows of the window, and how far the table goes back. */
function spanOf(query: string, { from, to }: Slice): string {
  return `${query.trimEnd()}\n| summarize rows = countif(ticks >= ${from} and ticks < ${to}), first_ticks = min(ticks), last_ticks = max(ticks)\n`;
}

function spanIn(answers: readonly QueryAnswer[]): TableSpan {
  let span: TableSpan = { rows: 0, first: null, last: null };
  for (const answer of answers) {
    const [row] = objectsIn(answer);
    if (row === undefined || typeof row.first_ticks !== "number") continue;
    const { first_ticks: first } = row;
    const last = Number(row.last_ticks);
    span = {
      rows: span.rows + Number(row.rows),
      first: Math.min(span.first ?? first, first),
      last: Math.max(span.last ?? last, last),
    };
  }
  return span;
}

function objectsIn({ columns, rows }: QueryAnswer): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
}

function rolesIn(answer: QueryAnswer): RoleFacts[] {
  return objectsIn(answer).map((row) => {
    const number = (name: string): number => Number(row[name] ?? 0);
    const { examples } = row;
    const list: unknown = typeof examples === "string" ? JSON.parse(examples) : examples;
    return {
      role: String(row.role ?? ""),
      rows: number("rows"),
      instances: number("instances"),
      examples: Array.isArray(list) ? list.map(String) : [],
      noInstance: number("noInstance"),
      noId: number("noId"),
      counted: number("counted"),
      rated: number("rated"),
      ratedAlone: number("ratedAlone"),
      contradicting: number("contradicting"),
    };
  });
}

/** Names of replicas in the system log; null where it was not asked. */
async function replicasIn(
  service: QueryService | null,
  scope: QueryScope,
  window: Slice,
  world: World,
): Promise<ReadonlySet<string> | null> {
  if (service === null) return null;
  const queries = await queriesOf("system-events", service.schema, scope, world.bundled);
  const names = new Set<string>();
  for (const query of queries) {
    const text = `${query(window).trimEnd()}\n| where isnotempty(ReplicaName)\n| distinct ReplicaName\n| take 10000\n`;
    for (const [name] of (await service.query(text, window)).rows) names.add(String(name));
  }
  return names;
}
