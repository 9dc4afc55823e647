import type { Slice } from "../sources/azure/plan.ts";
import type { QueryAnswer } from "../sources/azure/query-service.ts";
import { revisionOfReplica } from "../telemetry/events.ts";
import { formatTicks, TICKS_PER_MINUTE } from "../telemetry/time.ts";

/** One thing that was looked at, and what it means for a report. */
export interface Finding {
  readonly about: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  readonly means: string;
}

/** Ticks; null where the table holds no row. */
export interface TableSpan {
  /** In the window that was asked for. */
  readonly rows: number;
  readonly first: number | null;
  readonly last: number | null;
}

export interface RoleFacts {
  readonly role: string;
  readonly rows: number;
  readonly instances: number;
  readonly examples: readonly string[];
  readonly noInstance: number;
  readonly noId: number;
  readonly counted: number;
  readonly rated: number;
  readonly ratedAlone: number;
  readonly contradicting: number;
}

const DAY = 24 * 60 * TICKS_PER_MINUTE;
const NEEDED_FOR: Readonly<Record<string, string>> = {
  requests: "no report without them",
  "system-events": "births are then taken from first rows, and idle replicas and probes are not known",
  dependencies: "anatomy has nothing to say, and leaks looks at requests alone",
  traces: "leaks cannot find the line of a finished warm-up",
  metrics: "leaks cannot compare rows with what the process counted",
};

const number = (value: number): string => value.toLocaleString("en-US");
const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10} %`;

/** A table's rows in the window, and whether it goes back far enough. */
export function tableFinding(table: string, { rows, first, last }: TableSpan, window: Slice): Finding {
  const days = (window.to - window.from) / DAY;
  if (first === null || last === null) {
    const state = table === "requests" ? "fail" : "warn";
    return { about: table, state, text: "no rows at all, or no such table", means: NEEDED_FOR[table]! };
  }
  const text = `${number(rows)} rows in the window, ${number(Math.round(rows / days))} a day; held from ${formatTicks(first)} to ${formatTicks(last)}`;
  if (rows === 0) {
    const state = table === "requests" ? "fail" : "warn";
    return { about: table, state, text, means: `choose another window; ${NEEDED_FOR[table]}` };
  }
  // A table that begins in the window has lost what was before it, or began there.
  if (first > window.from + DAY) {
    return {
      about: table,
      state: "warn",
      text,
      means:
        "the table begins inside the window: retention has removed what was before, or telemetry began then",
    };
  }
  return { about: table, state: "ok", text, means: "" };
}

/** Which roles there are, and whether those that are asked for are among them. */
export function roleFindings(roles: readonly RoleFacts[], asked: readonly string[]): Finding[] {
  const missing = asked.filter((name) => !roles.some(({ role }) => role === name));
  if (missing.length > 0) {
    return [
      {
        about: "role",
        state: "fail",
        text: `no row has the role ${missing.join(", ")}`,
        means: "check its spelling; run doctor without --role to see the names",
      },
    ];
  }
  if (roles.length <= 1) return [];
  const names = roles.slice(0, 8).map(({ role, rows }) => `${role === "" ? "(none)" : role} ${number(rows)}`);
  return [
    {
      about: "role",
      state: "warn",
      text: `${roles.length} roles: ${names.join(", ")}`,
      means: "a report of all of them mixes services: choose one with --role",
    },
  ];
}

/** How sampling shows in the rows. */
export function samplingFindings(roles: readonly RoleFacts[]): Finding[] {
  return roles.map(({ role, rows, counted, rated, ratedAlone, contradicting }) => {
    const about = `sampling of ${role === "" ? "(none)" : role}`;
    const text = `item count above 1 on ${percent(counted, rows)}, a sample rate below 100 on ${percent(rated, rows)} of rows`;
    if (contradicting > 0) {
      return {
        about,
        state: "warn",
        text: `${text}; they contradict each other on ${percent(contradicting, rows)}`,
        means: "weights are ambiguous there: see docs/sampling.md and --weight",
      };
    }
    if (ratedAlone > 0) {
      return {
        about,
        state: "warn",
        text: `${text}; item count stays 1 on ${percent(ratedAlone, rows)}`,
        means: "a known fault of rate-limited samplers: rows weigh 100 / rate",
      };
    }
    return {
      about,
      state: "ok",
      text,
      means: counted + rated === 0 ? "rows weigh 1: nothing shows that any were dropped" : "",
    };
  });
}

/** Whether role instances name processes, and whether they are the names of replicas. */
export function instanceFindings(
  roles: readonly RoleFacts[],
  replicas: ReadonlySet<string> | null,
): Finding[] {
  return roles.flatMap(({ role, rows, instances, examples, noInstance, noId }): Finding[] => {
    const about = `instances of ${role === "" ? "(none)" : role}`;
    const named = examples.filter((name) => name !== "");
    const shown = `${number(instances)} role instances, such as ${named[0] ?? "(none)"}`;
    const findings: Finding[] = [];
    const joined = replicas === null ? 0 : named.filter((name) => replicas.has(name)).length;
    if (noInstance === rows) {
      findings.push({
        about,
        state: "fail",
        text: "no row names a role instance",
        means: "no request can be given to a process: set the role instance in the app's telemetry",
      });
    } else if (named.every((name) => revisionOfReplica(name) === null)) {
      findings.push({
        about,
        state: "warn",
        text: `${shown}: not the form of a replica's name`,
        means:
          "several replicas may hide behind one name, and the system log cannot be joined; set it to CONTAINER_APP_REPLICA_NAME",
      });
    } else if (replicas !== null && replicas.size > 0 && joined === 0) {
      findings.push({
        about,
        state: "warn",
        text: `${shown}: none of ${named.length} looked at is among the ${number(replicas.size)} replicas of the system log`,
        means: "births are taken from first rows; is the system log that of this app (--app)?",
      });
    } else {
      const text =
        replicas === null || replicas.size === 0
          ? shown
          : `${shown}; ${joined} of ${named.length} looked at are replicas of the system log`;
      findings.push({ about, state: "ok", text, means: "" });
    }
    if (noId > 0) {
      findings.push({
        about,
        state: "warn",
        text: `${percent(noId, rows)} of rows have no id`,
        means: "rows that came twice are not recognised",
      });
    }
    return findings;
  });
}

/** How long rows travel, and whether clocks run ahead. */
export function delayFindings({ columns, rows }: QueryAnswer): Finding[] {
  const [row] = rows;
  if (row === undefined) return [];
  const value = (name: string): number => Number(row[columns.indexOf(name)]);
  const [count, p50, p99, early] = [value("rows"), value("p50"), value("p99"), value("early")];
  if (!(count > 0)) return [];
  const text = `half of the rows can be queried ${p50.toFixed(0)} s after their request began, 99 % after ${p99.toFixed(0)} s`;
  const findings: Finding[] = [
    p99 > 15 * 60
      ? {
          about: "delay",
          state: "warn",
          text,
          means: "wait longer than the usual quarter of an hour before a window ends (--to)",
        }
      : { about: "delay", state: "ok", text, means: "" },
  ];
  if (early > 0) {
    findings.push({
      about: "clock",
      state: "warn",
      text: `${number(early)} rows arrived before their request began`,
      means: "clocks of replicas run ahead: compare times between replicas with care",
    });
  }
  return findings;
}
