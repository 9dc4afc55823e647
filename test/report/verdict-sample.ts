import type { JudgedCondition, VerdictDocument } from "../../src/report/verdict-document.ts";
import { extreme, twoCohorts } from "./sample.ts";

/** Verdict documents written by hand: every verdict, every method, and what is hard to print. */

const DIGEST = "3f2a9c1b7d2044e0a1c5b6978f00d3e4912ab7c86d5e4f3021b0a9988776655a";
const OLD_DIGEST = "77aa0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8";
const VALUES_DIGEST = "c0ffee00112233445566778899aabbccddeeff00112233445566778899aabbcc";

function condition(over: Partial<JudgedCondition> = {}): JudgedCondition {
  return {
    name: "warm-up before the port opens",
    metric: "firstRequest.p50",
    below: 2000,
    above: null,
    unit: "ms",
    method: "order-statistics",
    confidence: 0.95,
    estimate: 1281.4,
    ci95: [1199.1, 1348.8],
    lowerBound: 1224.3,
    upperBound: 1341.7,
    needed: 25,
    seen: 37,
    eValue: null,
    eNeeded: null,
    n: 38,
    minimum: 30,
    excluded: { alreadyRunning: 4, birthUnknown: 0, weekend: 8 },
    verdict: "pass",
    reasons: [],
    ...over,
  };
}

function share(over: Partial<JudgedCondition> = {}): JudgedCondition {
  return condition({
    metric: "firstRequest.overThreshold.share",
    below: 0.15,
    unit: "share",
    method: "exact-binomial",
    estimate: 1 / 38,
    ci95: [0.004660587685768783, 0.1349487611595213],
    lowerBound: 0.0013489,
    upperBound: 0.1190312,
    needed: 36,
    ...over,
  });
}

function bootstrap(over: Partial<JudgedCondition> = {}): JudgedCondition {
  return condition({
    metric: "comparison.firstRequest.p50Ratio",
    below: null,
    above: 3,
    unit: "ratio",
    method: "bootstrap",
    estimate: 5.8019,
    ci95: [5.3124, 6.2411],
    lowerBound: 5.3921,
    upperBound: 6.1702,
    needed: null,
    seen: null,
    ...over,
  });
}

/** Two conditions met, everything in order. */
export function pass(): VerdictDocument {
  return structuredClone<VerdictDocument>({
    schema: "coldstart.verdict/1",
    name: "warm-up before the port opens",
    verdict: "pass",
    retrospective: false,
    reasons: [],
    hypothesis:
      "One request to itself before the port opens takes the JIT and the connection pool off the first user.",
    bars: [condition(), bootstrap()],
    registration: {
      status: "registered",
      digest: DIGEST,
      analysisVersion: 1,
      frozenAt: "2026-03-06T14:20:11Z",
      newestDataAtFreeze: "2026-03-06T13:59:58.2Z",
      commit: "9d3c1e5a7b2f4c6d8e0a1b2c3d4e5f6071829304",
      committedAt: "2026-03-06T14:25:40Z",
      deployedAt: "2026-03-09T10:12:30Z",
      supersedes: [{ digest: OLD_DIGEST, frozenAt: "2026-03-01T08:00:00Z", reason: "the role was renamed" }],
      reasons: [],
    },
    guards: [
      { name: "complete input", status: "ok", detail: "no row count equals a known cap" },
      {
        name: "comparable cohorts",
        status: "ok",
        detail: "certain order and probe warm-up differ by at most 10 points",
      },
      { name: "no leak of the warm-up request", status: "off", detail: "the bar does not ask for it" },
    ],
    values: { path: "out/values.csv", sha256: VALUES_DIGEST, rows: 82 },
    warnings: [
      { code: "no-instance", message: "User requests without a role instance cannot be ranked.", count: 19 },
    ],
    report: twoCohorts().document,
  });
}

/** A median that stands almost on the bar, and a condition that is met beside it. */
export function fail(): VerdictDocument {
  return {
    ...pass(),
    verdict: "fail",
    bars: [
      condition({
        verdict: "fail",
        estimate: 2000.4,
        ci95: [2000.01, 2312.6],
        lowerBound: 2000.00004,
        upperBound: 2288.3,
        seen: 12,
        reasons: ["the lower bound lies over the bar: at least half of the first requests are slower"],
      }),
      share(),
    ],
  };
}

/** Too few instances. */
export function tooFew(): VerdictDocument {
  return {
    ...pass(),
    verdict: "inconclusive",
    bars: [
      condition({
        verdict: "inconclusive",
        n: 4,
        ci95: [null, null],
        lowerBound: null,
        upperBound: null,
        needed: null,
        seen: 4,
        reasons: ["only 4 values where the bar asks for at least 30"],
      }),
    ],
  };
}

/** Met by the data, but nothing shows when the bar was declared. */
export function notRegistered(): VerdictDocument {
  const document = pass();
  const reasons = [
    "no readable lock stands beside the bar; run coldstart bar freeze and commit the bar with its lock before the deployment",
    "the bar is not committed; commit the bar with its lock before the deployment",
  ];
  const { digest, deployedAt } = document.registration;
  return {
    ...document,
    verdict: "inconclusive",
    reasons,
    registration: {
      status: "unproved",
      digest,
      analysisVersion: 1,
      frozenAt: null,
      newestDataAtFreeze: null,
      commit: null,
      committedAt: null,
      deployedAt,
      supersedes: [],
      reasons,
    },
  };
}

/** A guard that objects, and one that cannot say. */
export function guarded(): VerdictDocument {
  const document = pass();
  const detail = "the shares of instances warmed by a probe are 27.3 % and 58.0 %, more than 10 points apart";
  return {
    ...document,
    verdict: "inconclusive",
    reasons: [`comparable cohorts: ${detail}`],
    guards: [
      document.guards[0]!,
      { name: "comparable cohorts", status: "violated", detail },
      {
        name: "reconciliation with the ingress",
        status: "unknown",
        detail: "no ingress metrics in the data; add the output of `az monitor metrics list`",
      },
    ],
  };
}

/** The data could not be judged, and nothing is known of them. */
export function error(): VerdictDocument {
  return {
    ...pass(),
    verdict: "error",
    reasons: ["requests.csv: the file ends in the middle of a row; export it again"],
    bars: [],
    guards: [],
    values: null,
    warnings: [],
    report: null,
  };
}

/** Met, but the user insisted: the bar is younger than the data. */
export function retrospective(): VerdictDocument {
  const document = pass();
  return {
    ...document,
    retrospective: true,
    registration: {
      ...document.registration,
      status: "retrospective",
      reasons: [
        "the bar was frozen at 2026-03-10T08:00:00Z, not before the deployment at 2026-03-09T10:12:30Z",
      ],
    },
  };
}

/** Looked at again and again. */
export function anytime(): VerdictDocument {
  const values = { method: "e-value", needed: null, eNeeded: 20 } as const;
  return {
    ...pass(),
    verdict: "inconclusive",
    bars: [
      condition({ ...values, eValue: 34.21 }),
      share({
        ...values,
        eValue: 19.9996,
        verdict: "inconclusive",
        reasons: ["the evidence is not enough yet, either way: look again with more instances"],
      }),
    ],
  };
}

/** A bar without confidence. */
export function pointEstimate(): VerdictDocument {
  return {
    ...pass(),
    bars: [
      condition({
        method: "point-estimate",
        confidence: null,
        lowerBound: null,
        upperBound: null,
        needed: null,
        seen: null,
      }),
    ],
  };
}

/** One condition of each unit, with other outcomes. */
export function many(): VerdictDocument {
  const minutes = { metric: "lifetime.p50Minutes", unit: "minutes", below: null, above: 10 } as const;
  return {
    ...pass(),
    verdict: "fail",
    bars: [
      condition(),
      condition({
        metric: "firstRequest.p99",
        below: 120_000,
        estimate: 119_999.96,
        verdict: "inconclusive",
      }),
      share({
        below: 0.02631,
        verdict: "fail",
        estimate: 0.0263158,
        reasons: ["more are over the threshold"],
      }),
      bootstrap(),
      bootstrap({
        ...minutes,
        estimate: 10.0004,
        ci95: [9.9996, null],
        verdict: "error",
        reasons: ["no lives"],
      }),
      bootstrap({
        metric: "comparison.firstRequest.p50DeltaMs",
        unit: "ms",
        below: -5000,
        above: null,
        estimate: -6153.2,
        ci95: [-6431.1, -5803.6],
        lowerBound: -6400.5,
        upperBound: -5850.25,
      }),
      bootstrap({
        metric: "slowEarlyPerInstance",
        unit: "count",
        below: 0.05,
        above: null,
        estimate: 0.0263,
      }),
      bootstrap({ metric: "arrivals.laterPerSecond", unit: "per-second", above: 0.5, estimate: 1.402 }),
    ],
  };
}

/** Everything that may be missing is. */
export function nulls(): VerdictDocument {
  return {
    ...notRegistered(),
    hypothesis: "",
    reasons: [],
    bars: [
      condition({
        metric: "some.figure",
        below: null,
        above: null,
        method: "bootstrap",
        confidence: null,
        estimate: null,
        ci95: [null, null],
        lowerBound: null,
        upperBound: null,
        needed: null,
        seen: null,
        n: 0,
        excluded: {},
        verdict: "inconclusive",
      }),
    ],
    registration: { ...notRegistered().registration, deployedAt: null, reasons: [] },
    guards: [],
    values: null,
    warnings: [],
    report: null,
  };
}

/** Names and reasons from a hostile hand. */
export function hostile(): VerdictDocument {
  const text = "näme\u001b[31m|`x`\r\n::error::@team]]> --> <b a='1'> & \"q\" 请求 100%\u0000 ::stop,";
  return {
    ...pass(),
    name: text,
    verdict: "fail",
    reasons: [text],
    hypothesis: text,
    bars: [
      condition({ name: text, metric: text, verdict: "fail", reasons: [text], excluded: { [text]: 3 } }),
      condition({ name: text, metric: text }),
    ],
    registration: {
      ...pass().registration,
      digest: text,
      commit: text,
      supersedes: [{ digest: text, frozenAt: text, reason: text }],
      reasons: [text],
    },
    guards: [{ name: text, status: "violated", detail: text }],
    values: { path: text, sha256: text, rows: 1 },
    warnings: [{ code: text, message: text, count: 1 }],
    report: extreme().document,
  };
}

/** Every sample by name. */
export const VERDICTS: Readonly<Record<string, () => VerdictDocument>> = {
  pass,
  fail,
  "too-few": tooFew,
  "not-registered": notRegistered,
  guarded,
  error,
  retrospective,
  anytime,
  "point-estimate": pointEstimate,
  many,
  nulls,
  hostile,
};
