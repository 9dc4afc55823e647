import { SECOND } from "./clock.mjs";
import { THRESHOLD_MS } from "./plan.mjs";
import { endOf } from "./traffic.mjs";

/** The threshold in tenths of a millisecond; over is strictly greater. */
export const OVER = THRESHOLD_MS * 10;
const MINUTE = 60 * SECOND;
const BUCKETS = [1, 2, 3, 5, 10, 20, 100, Infinity];
const LABELS = ["1", "2", "3", "4-5", "6-10", "11-20", "21-100", ">100"];

/** The sum of a value over a list. */
export const sum = (list, value) => list.reduce((total, each) => total + value(each), 0);
/** A share, or null of nothing. */
export const share = (count, n) => (n === 0 ? null : count / n);

/** Weighted inverse of the empirical distribution; weights are whole numbers, so the sums are exact. */
export function quantile(requests, q, weight = (request) => request.weight) {
  const sorted = [...requests].sort((left, right) => left.tenths - right.tenths);
  const target = q * sum(sorted, weight) - 1e-9;
  let cumulative = 0;
  for (const request of sorted) {
    cumulative += weight(request);
    if (cumulative >= target) return request.tenths / 10;
  }
  return null;
}

/** The weight of a row where each instance counts once. */
export const plain = () => 1;

/** User requests of a life, with rank, order, and whether they began before the first one's end. */
export function ranked(life) {
  const users = life.requests.filter((request) => request.kind === "user");
  let order = 1;
  return users.map((request, i) => {
    const result = { ...request, rank: i + 1, order, overlaps: i > 0 && request.start < endOf(users[0]) };
    order += request.weight;
    return result;
  });
}

/** One entry a bucket of arrival order. */
export function byOrder(all) {
  return LABELS.map((label, i) => {
    const rows = all.filter((each) => each.order <= BUCKETS[i] && each.order > (BUCKETS[i - 1] ?? 0));
    const weight = label === "1" ? plain : (each) => each.weight;
    const estimated = sum(rows, weight);
    const over = sum(
      rows.filter((each) => each.tenths > OVER),
      weight,
    );
    return {
      label,
      observed: rows.length,
      estimated,
      p50Ms: quantile(rows, 0.5, weight),
      p90Ms: quantile(rows, 0.9, weight),
      overThresholdShare: share(over, estimated),
    };
  });
}

/** Figures of second requests, unweighted. */
export function second(requests) {
  return {
    n: requests.length,
    p50Ms: quantile(requests, 0.5, plain),
    p90Ms: quantile(requests, 0.9, plain),
    overThresholdShare: share(requests.filter((each) => each.tenths > OVER).length, requests.length),
  };
}

/** Requests a second after the first one: up to ten seconds, and later. */
export function arrivals(sets) {
  const early = { count: 0, exposure: 0 };
  const later = { count: 0, exposure: 0 };
  for (const set of sets) {
    const span = set.at(-1).start - set[0].start;
    early.exposure += Math.min(10 * SECOND, span);
    later.exposure += Math.max(0, span - 10 * SECOND);
    for (const each of set.slice(1)) {
      (each.start - set[0].start <= 10 * SECOND ? early : later).count += each.weight;
    }
  }
  return {
    firstTenSecondsPerSecond: early.count / (early.exposure / SECOND),
    laterPerSecond: later.count / (later.exposure / SECOND),
  };
}

/** Kaplan-Meier; lives without an end are censored at the log's last event. */
export function lifetime(lives, logEnd) {
  const spans = lives.map((life) => ({ span: (life.end ?? logEnd) - life.start, ended: life.end !== null }));
  spans.sort((left, right) => left.span - right.span || Number(right.ended) - Number(left.ended));
  let surviving = 1;
  let median = null;
  let atTenMinutes = 1;
  for (const [i, { span, ended }] of spans.entries()) {
    if (ended) surviving *= 1 - 1 / (spans.length - i);
    if (span <= 10 * MINUTE) atTenMinutes = surviving;
    if (surviving <= 0.5 + 1e-12) median ??= span / MINUTE;
  }
  return {
    source: "system-logs",
    n: lives.length,
    censored: lives.filter((life) => life.end === null).length,
    p50Minutes: median,
    within10MinutesShare: 1 - atTenMinutes,
  };
}
