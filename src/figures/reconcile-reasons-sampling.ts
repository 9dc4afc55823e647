import { comparedRows, type Reason, type ReasonInput, round, teller } from "./reconcile-reason.ts";
import { isOutside, type SortedRow } from "./reconcile-rows.ts";
import { isWithin } from "./reconcile-totals.ts";

/** Reasons that lie in how many requests a row stands for. */
export function samplingReasons(input: ReasonInput): Reason[] {
  const tell = teller(input);
  const { total, tolerance } = input;
  const rows = comparedRows(input).filter(isOutside);
  const isWeighted = rows.some(({ weight }) => weight > 1);
  const [low, high] = total.ratioCi95;
  const nearest = Math.min(Math.max(1, low ?? 1), high ?? 1);
  return [
    tell(
      "weights-too-high",
      "every row counts once",
      isWeighted
        ? `${rows.length} rows stand for ${round(total.weighted)} requests: if they were never sampled, the weights are wrong (item count and rate multiplied, or ambiguous); see docs/sampling.md`
        : "no row weighs more than 1",
      isWeighted ? { weighted: rows.length } : null,
    ),
    samplingNotUndone(input, rows, isWeighted),
    {
      id: "sampling-error",
      tried: "the end of the 95 % interval that lies nearest to 1",
      ratio: isWeighted ? nearest : null,
      explains: isWeighted && isWithin(nearest, tolerance),
      detail: isWeighted
        ? "rows were dropped by chance, so the estimate has an error of its own; a longer time makes it smaller"
        : "no row weighs more than 1, so the count has no sampling error",
    },
  ];
}

/** All rows weigh 1, and yet one in N is there, all the time: sampled, and the export does not say so. */
function samplingNotUndone(input: ReasonInput, rows: readonly SortedRow[], isWeighted: boolean): Reason {
  const tell = teller(input);
  const { total, compared } = input;
  const id = "sampling-not-undone";
  const tried = "every row stands for the same whole number of requests";
  if (isWeighted || rows.length === 0) {
    const seen = rows.length === 0 ? "no rows" : "rows carry weights of more than 1, so sampling is undone";
    return tell(id, tried, seen, null);
  }
  const n = Math.round(total.ingress / rows.length);
  if (n < 2)
    return tell(id, tried, "fewer than one request in two is missing: no sampling of one in N", null);
  // Fixed sampling takes the same share all the time, within what chance allows.
  const halves = [compared.slice(0, compared.length >> 1), compared.slice(compared.length >> 1)];
  const isSteady = halves.every((half) => {
    const expected = half.reduce((sum, { span }) => sum + span.total, 0) / n;
    const seen = half.reduce((sum, one) => sum + one.rows.filter(isOutside).length, 0);
    return Math.abs(seen - expected) <= Math.max(3 * Math.sqrt(expected), 0.1 * expected);
  });
  const reason = tell(
    id,
    tried,
    isSteady
      ? `all rows weigh 1, and about one request in ${n} is there, in both halves of the time: the rows look sampled and the export does not say so; add itemCount and customDimensions to the query`
      : `all rows weigh 1, and about one request in ${n} is there, but not steadily: fixed sampling would be`,
    { weighted: rows.length * n },
  );
  return { ...reason, explains: reason.explains && isSteady };
}
