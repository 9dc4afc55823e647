import type { LeakReason } from "../figures/leak-verdict.ts";
import type { LeakFigures } from "../figures/leaks.ts";
import { formatCount, formatDecimal, formatShare, UNICODE_SYMBOLS } from "./numbers.ts";

const n = (value: number): string => formatCount(value, UNICODE_SYMBOLS);
const p = (value: number): string => formatDecimal(value, UNICODE_SYMBOLS);

/** `1 start`, `3 starts`. */
export function some(count: number, one: string, many = `${one}s`): string {
  return `${n(count)} ${count === 1 ? one : many}`;
}

/** A reason of the verdict as a sentence. */
export function reasonText(reason: LeakReason): string {
  switch (reason.kind) {
    case "rows-inside":
      return `${some(reason.rows, "row")} of the path in ${some(reason.starts, "start")} began before the port was open, so no caller from outside sent them.`;
    case "more-than-before":
      return `More starts begin with requests to the path than before the deployment: callers from outside alone would show as many with a chance of ${p(reason.p)}.`;
    case "first-row-jump":
      return `The share of starts whose first row has the path jumped: chance alone would do that with ${p(reason.p)}.`;
    case "never-called-later":
      return `Starts begin with the path, although no later user request of these starts calls it: chance alone would do that with ${p(reason.p)}.`;
    case "calls-during":
      return `${some(reason.calls, "outbound call")} of the kind that the path makes began while the warm-up ran, in ${some(reason.starts, "start")}.`;
    case "metric-surplus":
      return `${reason.metric} counts more requests than the rows explain in ${n(reason.starts)} of ${some(reason.n, "start")}.`;
    case "no-starts":
      return "No start is seen since the deployment.";
    case "rows-without-instance":
      return `${some(reason.rows, "row")} of the path ${reason.rows === 1 ? "names" : "name"} no instance, so no start can be given to ${reason.rows === 1 ? "it" : "them"}.`;
    case "nothing-logged":
      return reason.hasTraces
        ? "No start logged a warm-up: silence may mean that nothing ran. Check --warmed-message."
        : "The data holds no traces, so nothing shows that a warm-up ran: silence may mean that nothing did. Add traces (AppTraces).";
    case "nothing-ran":
      return `${some(reason.starts, "start")} logged the warm-up, and none says that a request was sent.`;
    case "other-paths":
      return `The lines of the warm-up name other paths than the ones asked for: ${reason.paths.join(", ")}.`;
    case "few-warmed":
      return `Only ${n(reason.starts)} of ${some(reason.n, "start")} logged a successful warm-up of the path; 95 % are needed, since nothing shows that it ran in the others.`;
    case "no-requests":
      return "The data holds no request rows, so a leaked one could not be seen. Add requests (AppRequests).";
    case "not-covered":
      return `${n(reason.starts)} of ${some(reason.n, "start")} ${reason.starts === 1 ? "lies" : "lie"} outside the time of the request rows, so a leaked row there could not be seen.`;
    case "undecided-excess":
      return `${some(reason.starts, "start")} without a warm-up's line ${reason.starts === 1 ? "begins" : "begin"} with the path, and ${p(reason.excess)} more than callers from outside explain do: not significant, but no proof of innocence.`;
    case "first-row-rise":
      return `The share of starts whose first row has the path rose since the deployment, rows after the line included: chance alone would do that with ${p(reason.p)}.`;
    case "no-baseline":
      return `${some(reason.starts, "start")} without a warm-up's line ${reason.starts === 1 ? "begins" : "begin"} with requests to the path, and there are no starts before the deployment to compare with.`;
    case "too-few":
      return reason.chance === null
        ? "No row tells how much is kept, so a zero says nothing."
        : `Even a leak on every start would have stayed unseen with a chance of ${formatShare(reason.chance, UNICODE_SYMBOLS)}: too few starts for this sampling.`;
    case "others-before-line":
      return `${some(reason.rows, "user request")} to other paths began before the warm-up's line of the start: were they the warm-up's? Name the path with --path if so.`;
    case "unknown-calls-during":
      return `${some(reason.calls, "outbound call")} began while the warm-up ran, in ${some(reason.starts, "start")}, and no request from outside explains ${reason.calls === 1 ? "it" : "them"}.`;
    case "metric-unjudged":
      return `${reason.metric} counts more requests than the rows explain in ${n(reason.starts)} of ${some(reason.n, "start")}, which need not be the warm-up but may be.`;
    case "metric-without-instance":
      return `${reason.metric} counts ${some(reason.counted, "request")} without a known instance, so no rows can be compared with ${reason.counted === 1 ? "it" : "them"}.`;
    case "traces-during":
      return `${some(reason.traces, "trace")} of an operation that no request from outside explains began while the warm-up ran.`;
    case "undated-operations":
      return `${some(reason.rows, "outbound call or trace", "outbound calls and traces")} began before a warm-up's line that does not tell its duration, and may be the warm-up's.`;
    case "calls-earlier":
      return `${some(reason.calls, "outbound call")} of the kind that the path makes began before the warm-up's line, and no request from outside explains ${reason.calls === 1 ? "it" : "them"}.`;
    case "calls-without-instance":
      return `${some(reason.calls, "outbound call")} that may be the path's ${reason.calls === 1 ? "names" : "name"} no known instance, and no request from outside explains ${reason.calls === 1 ? "it" : "them"}.`;
  }
}

/** What could not be known, a sentence each. */
export function unknownOf(figures: LeakFigures): string[] {
  const { held, warmUp, requests, starts, operations, metrics, zero } = figures;
  const said: string[] = [];
  const missing = (["requests", "dependencies", "traces", "metrics"] as const).filter(
    (table) => !held[table],
  );
  if (missing.length > 0) {
    said.push(`The data holds no ${missing.join(" and no ")}: a leak there would not be seen.`);
  }
  said.push(
    "Exceptions, custom events, page views, availability results and other kinds of telemetry are not looked at: a leak there would not be seen.",
  );
  if (held.requests && warmUp.starts > warmUp.covered) {
    said.push(`${some(warmUp.starts - warmUp.covered, "start")} outside the time of the request rows.`);
  }
  if (!held.systemLog) {
    said.push("Without a system log, restarts inside a replica and refused startup probes are not known.");
  }
  const silent = warmUp.starts - warmUp.logged;
  if (warmUp.logged > 0 && silent > 0) {
    said.push(`${some(silent, "start")} logged no warm-up; whether it ran there is not known.`);
  }
  if (warmUp.logged > warmUp.timed) {
    said.push(
      `${some(warmUp.logged - warmUp.timed, "line")} without a duration: when that warm-up began is not known.`,
    );
  }
  if (warmUp.linesWithoutInstance > 0) {
    said.push(
      `${some(warmUp.linesWithoutInstance, "line")} of warm-ups without an instance ${warmUp.linesWithoutInstance === 1 ? "belongs" : "belong"} to no start.`,
    );
  }
  if (requests.withoutPath > 0) {
    said.push(`${some(requests.withoutPath, "row")} with a method and no path could be the warm-up's.`);
  }
  if (starts.birthUnknown > 0) {
    said.push(
      `${some(starts.birthUnknown, "start")} left out: the data may begin in the middle of the life.`,
    );
  }
  if (starts.idle !== null && starts.idle > 0) {
    said.push(
      `${some(starts.idle, "container start")} left neither a row nor a line; nothing is known of them.`,
    );
  }
  if (starts.sharedPort > 0) {
    said.push(
      `Refused startup probes of ${some(starts.sharedPort, "start")} are not used: several containers share the replica.`,
    );
  }
  if (operations !== null && operations.earlier > 0) {
    said.push(
      `${some(operations.earlier, "outbound call")} began before the line at a time that is not known to be the warm-up's.`,
    );
  }
  for (const { name, since, unusable } of metrics) {
    if (unusable > 0) said.push(`${some(unusable, "value")} of ${name} without an instance or a count.`);
    if (since.withDeficit > 0) {
      said.push(
        `${name} counts fewer requests than the rows in ${some(since.withDeficit, "start")}: a surplus could hide there.`,
      );
    }
  }
  if (zero.rateFrom === "rows" && zero.rate !== null && zero.rate < 1) {
    said.push("The rate comes from rows that were kept; what was dropped altogether cannot be counted.");
  }
  return said;
}
