import fc from "fast-check";

/** Columns of the rows below; `extra` stands between them without a meaning. */
export const COLUMNS = [
  "timestamp",
  "id",
  "name",
  "url",
  "success",
  "resultCode",
  "duration",
  "extra",
  "customDimensions",
  "operation_Id",
  "cloud_RoleName",
  "cloud_RoleInstance",
  "itemCount",
];

/** A row of a request export: a text a column, or broken text that is no row. */
export type Row = readonly string[] | { readonly broken: string };

const hex = fc.stringMatching(/^[0-9a-f]{16}$/);
const second = fc.integer({ min: 0, max: 3599 }).map((s) => {
  const clock = `${String(Math.floor(s / 60)).padStart(2, "0")}:${String(s % 60).padStart(2, "0")}`;
  return `2026-09-07T10:${clock}.${String((s * 7919) % 10_000_000).padStart(7, "0")}Z`;
});
const dimensions = fc.constantFrom(
  "",
  "{}",
  '{"microsoft.sample_rate":"20"}',
  '{"note":"a \\"sample\\" of\\nlines","microsoft.sample_rate":"33.333333333333336"}',
  '{"deep":{"samplerate":"5"},"x":[1,"]"]}',
);

/** The rows with another duration, without the broken ones. */
export function lasting(rows: readonly Row[], duration: string): Row[] {
  return rows.flatMap((row) =>
    "broken" in row ? [] : [row.map((text, i) => (COLUMNS[i] === "duration" ? duration : text))],
  );
}

/** Usual and odd rows, with quotes and newlines inside of values. */
export const requestRow: fc.Arbitrary<Row> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(
      second,
      hex,
      fc.constantFrom("GET /orders/{id}", "GET /", "Timer", "a,b", 'say "hi"', ""),
      fc.constantFrom("https://h.test/orders/1?x=1,2", "https://h.test/healthz", "amqps://bus/q", ""),
      fc.constantFrom("True", "False", ""),
      fc.constantFrom("200", "101", "0", "500"),
      fc.constantFrom("12.5", "0", "1934.0071", "-1", "soon"),
      fc.constantFrom("", "two\nlines", '"', '""', ",", "\n\n", "é\\", "x".repeat(70)),
      dimensions,
      hex,
      fc.constantFrom("orders", ""),
      fc.constantFrom("orders--1-abc-x1", "orders--1-abc-x2", "orders--2-def-y1", ""),
      fc.constantFrom("1", "5", "", "many"),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("not a row", "1,2,3", "{}", '{"a":', "[1]", "").map((broken) => ({ broken })),
  },
);

export function csvRow(row: Row): string {
  if ("broken" in row) return row.broken;
  return row.map((text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(",");
}

export function ndjsonRow(row: Row): string {
  if ("broken" in row) return row.broken;
  return JSON.stringify(Object.fromEntries(COLUMNS.map((column, i) => [column, row[i]!])));
}
