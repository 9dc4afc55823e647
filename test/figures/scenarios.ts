import type { AnalysisFlags } from "../../src/cli/analysis-options.ts";
import type { Fleet } from "../forms/random.ts";
import type { Rng } from "../forms/rng.ts";
import { TICKS_PER_MS, TICKS_PER_SECOND } from "../forms/text.ts";
import { iso7 } from "../forms/times.ts";
import type { OracleSettings } from "../oracle/types.ts";

/** The same choice of options for the command and for the oracle. */
export interface Scenario {
  readonly flags: AnalysisFlags;
  readonly settings: OracleSettings;
}

/** A fleet at another time: every instant moved by so many ticks. */
export function moved(fleet: Fleet, ticks: bigint): Fleet {
  return {
    rows: fleet.rows.map((row) => ({ ...row, startTicks: row.startTicks + ticks })),
    events: fleet.events.map((event) => ({ ...event, timeTicks: event.timeTicks + ticks })),
  };
}

/** Items in a seeded random order. */
export function shuffled<T>(items: readonly T[], rng: Rng): T[] {
  const list = [...items];
  for (let i = list.length - 1; i > 0; i--) {
    const j = rng.int(0, i);
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

/** Options of every kind, drawn so that they matter to the fleet: edges lie on its own instants. */
export function randomScenario(rng: Rng, fleet: Fleet): Scenario {
  const parts = [windows, who, days, numbers].map((draw) => draw(rng, fleet));
  return {
    flags: Object.assign({}, ...parts.map((part) => part.flags)),
    settings: Object.assign({}, ...parts.map((part) => part.settings)),
  };
}

/** Distinct instants of the fleet or near them, ascending. */
function instants(rng: Rng, fleet: Fleet, count: number): bigint[] {
  const known = [
    ...fleet.rows.map((row) => row.startTicks),
    ...fleet.events.filter(({ reason }) => reason === "ContainerStarted").map((event) => event.timeTicks),
  ].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const found = new Set<bigint>();
  while (found.size < count) {
    const near = rng.pick([0n, 0n, 1n, -1n, rng.seconds(0, 2), -rng.seconds(0, 2), rng.seconds(0, 3600)]);
    found.add(rng.pick(known) + near);
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}

function windows(rng: Rng, fleet: Fleet): Scenario {
  const [a, b, c, d] = instants(rng, fleet, 4) as [bigint, bigint, bigint, bigint];
  switch (rng.pick(["none", "from", "to", "both", "deployed", "deployedInside", "pairs", "touching"])) {
    case "from":
      return { flags: { from: iso7(b) }, settings: { from: b } };
    case "to":
      return { flags: { to: iso7(c) }, settings: { to: c } };
    case "both":
      return { flags: { from: iso7(a), to: iso7(d) }, settings: { from: a, to: d } };
    case "deployed":
      return { flags: { deployedAt: iso7(b) }, settings: { deployedAt: b } };
    case "deployedInside":
      return {
        flags: { from: iso7(a), to: iso7(d), deployedAt: iso7(c) },
        settings: { from: a, to: d, deployedAt: c },
      };
    case "pairs":
      return {
        flags: { before: `${iso7(a)}..${iso7(b)}`, after: `${iso7(c)}..${iso7(d)}` },
        settings: { before: [a, b], after: [c, d] },
      };
    case "touching":
      return {
        flags: { before: `${iso7(a)}..${iso7(b)}`, after: `${iso7(b)}..${iso7(d)}` },
        settings: { before: [a, b], after: [b, d] },
      };
    default:
      return { flags: {}, settings: {} };
  }
}

function who(rng: Rng, fleet: Fleet): Scenario {
  const roles = [...new Set(fleet.rows.map((row) => row.role))];
  const role = rng.chance(0.4) ? { role: rng.pick([...roles, ...roles, "nobody"]) } : {};
  const container = rng.chance(0.25) ? { container: rng.pick([...roles, "daprd", "nothing"]) } : {};
  return { flags: { ...role, ...container }, settings: { ...role, ...container } };
}

function days(rng: Rng, fleet: Fleet): Scenario {
  const timezone = rng.pick(["UTC", "Europe/Vienna", "Europe/Vienna", "America/New_York", "Asia/Kolkata"]);
  const restricted: "all" | "weekdays" = rng.pick(["all", "weekdays"]);
  const date = (ticks: bigint): string => iso7(ticks).slice(0, 10);
  const holidays = rng.chance(0.5) ? instants(rng, fleet, rng.int(1, 2)).map(date) : [];
  const settings = { timezone, days: restricted, holidays };
  return { flags: settings, settings };
}

function numbers(rng: Rng, fleet: Fleet): Scenario {
  const row = rng.pick(fleet.rows);
  const exact = row.durationTicks % 10 === 0 ? row.durationTicks / 10_000 : 2000;
  const thresholdMs = rng.pick([2000, 300, 1, exact, exact]);
  const [guard, guardMinutes] = rng.pick([
    ["0s", 0],
    ["10m", 10],
    ["1h", 60],
  ] as const);
  const weight = rng.pick(["auto", "item-count", "sample-rate"] as const);
  const paths = rng.pick([undefined, undefined, ["/"], ["/API/quotes/", "/health"], ["/HEALTH/live"]]);
  const probes = paths === undefined ? {} : { probePaths: paths };
  return {
    flags: {
      threshold: `${thresholdMs}ms`,
      guard,
      weight,
      ...(paths === undefined ? {} : { probePath: paths }),
    },
    settings: { thresholdMs, guardMinutes, weight, ...probes },
  };
}

/** A shift of up to two days either way, so that fleets cross week ends and changes of the clock. */
export function randomShift(rng: Rng): bigint {
  return BigInt(rng.int(-48, 48)) * 3600n * TICKS_PER_SECOND + BigInt(rng.int(0, 3_599_999)) * TICKS_PER_MS;
}
