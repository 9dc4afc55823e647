/** Relative; both sides add the same weights in different orders. */
const TOLERANCE = 1e-9;

/** The figures that the benchmark compares, taken from a `coldstart.report/1` document. */
export function figuresOfReport(document) {
  const cohort = document.cohorts.find(({ name }) => name === "all");
  return { ...cohort, rows: document.rows, requests: document.requests };
}

/**
 * Every figure of `expected` that `actual` does not have or has otherwise, one line each. Order buckets are
 * matched by their label, and one that only `actual` has must be empty.
 */
export function differences(expected, actual) {
  const found = [];
  walk(byLabel(expected), byLabel(actual), "", found);
  const known = new Set(expected.byOrder.map(({ label }) => label));
  for (const bucket of actual?.byOrder ?? []) {
    if (!known.has(bucket.label) && bucket.observed !== 0)
      found.push(`byOrder ${bucket.label}: not expected`);
  }
  return found;
}

function byLabel(figures) {
  return { ...figures, byOrder: Object.fromEntries((figures?.byOrder ?? []).map((b) => [b.label, b])) };
}

function walk(expected, actual, path, found) {
  if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      walk(value, actual?.[key], path === "" ? key : `${path}.${key}`, found);
    }
    return;
  }
  const same =
    typeof expected === "number" && typeof actual === "number"
      ? Math.abs(expected - actual) <= TOLERANCE * Math.max(Math.abs(expected), Math.abs(actual))
      : expected === actual;
  if (!same) found.push(`${path}: expected ${expected}, got ${actual}`);
}
