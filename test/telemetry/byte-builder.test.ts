import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ORDINARY, type TextRow, textRow } from "./byte-cells.ts";
import { byBytes, csvByCells, ndjsonByCells } from "./byte-paths.ts";
import { csvOf, type JsonSpelling, jsonOf, type Quoting } from "./row-texts.ts";

const TYPED: JsonSpelling = { typed: true, escaped: false, spaced: false, empty: "none" };
const spelling: fc.Arbitrary<JsonSpelling> = fc.record({
  typed: fc.boolean(),
  escaped: fc.boolean(),
  spaced: fc.boolean(),
  empty: fc.constantFrom("null", "text", "none"),
});

async function csvAgrees(rows: readonly TextRow[], quoting: Quoting): Promise<void> {
  const text = csvOf(rows, quoting);
  expect(await byBytes(text)).toEqual(csvByCells(text));
}

async function ndjsonAgrees(lines: readonly string[]): Promise<void> {
  const text = `${lines.join("\n")}\n`;
  expect(await byBytes(text)).toEqual(ndjsonByCells(text));
}

const RUNS = { numRuns: 2000, seed: 5 };
const rowsOf = fc.array(textRow, { minLength: 1, maxLength: 4 });

describe("rows read by their bytes are the rows of their cells", () => {
  test("in CSV", { timeout: 120_000 }, async () => {
    const quotings = fc.constantFrom<Quoting>("must", "blanks", "all");
    const property = fc.asyncProperty(rowsOf, quotings, (rows, quoting) =>
      csvAgrees([ORDINARY, ...rows], quoting),
    );
    await fc.assert(property, RUNS);
  });

  test("in NDJSON", { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(rowsOf, spelling, (rows, how) =>
      ndjsonAgrees([ORDINARY, ...rows].map((row) => jsonOf(row, how))),
    );
    await fc.assert(property, RUNS);
  });
});

/** Each once a way for the bytes to tell something else than the cells. */
const ODD: readonly [string, Partial<TextRow>][] = [
  ["result code 101 with a blank behind it", { resultCode: "101 " }],
  ["result code 101 as a number with a decimal", { resultCode: "101.0" }],
  ["URL of a probe with a blank behind it", { url: "https://h.test/health " }],
  ["HTTP URL behind a no-break space", { url: "\u00a0https://h.test/orders", name: "Timer" }],
  ["method and a blank for a name", { url: "", name: "GET " }],
  ["name of HTTP behind a no-break space", { url: "", name: "\u00a0GET /" }],
  ["probe by name before a no-break space", { url: "", name: "GET /health\u00a0x" }],
  ["probe path with other letters than ASCII, in capitals", { url: "https://h.test/PRÜFUNG" }],
  ["id with a no-break space behind it", { id: "a\u00a0" }],
  ["operation id with a no-break space behind it", { operation_Id: "o\u00a0" }],
  ["SDK of functions behind a blank", { sdkVersion: " azurefunctions: 4" }],
  [
    "source whose letter ends in the byte of a no-break space",
    { url: "", name: "x", resultCode: "0", source: "à/q" },
  ],
  ["rate under a key that is nearly one of the rate's", { customDimensions: '{"sample_rate":"50"}' }],
  ["rate under microsoft.sampleRate", { customDimensions: '{"microsoft.sampleRate":"50"}' }],
  ["rate under _MS.sample_rate", { customDimensions: '{"_MS.sample_rate":"50"}' }],
  ["rate in dimensions that are cut off", { customDimensions: '{"sampleRate":"50","note":"and th' }],
  ["rate in a list", { customDimensions: '[{"sampleRate":"50"}]' }],
  ["rate in a text behind an empty key", { customDimensions: '{"":"{\\"sampleRate\\":\\"50\\"}"}' }],
  ["rate in an object within the dimensions", { customDimensions: '{"a":{"sampleRate":"50"}}' }],
  ["rate as JSON text in JSON text", { customDimensions: '"{\\"sampleRate\\":\\"50\\"}"' }],
];

describe.each(ODD)("%s", (_what, cells) => {
  const row = { ...ORDINARY, ...cells };
  test("in CSV", () => csvAgrees([ORDINARY, row], "must"));
  test("in NDJSON", () => ndjsonAgrees([ORDINARY, row].map((one) => jsonOf(one, TYPED))));
});

describe("durations as numbers in some rows and time spans in others are refused", () => {
  const span: TextRow = { ...ORDINARY, duration: "00:00:01.5" };
  test.each([
    ["a number first", [ORDINARY, span]],
    ["a time span first", [span, ORDINARY]],
  ] as const)("%s", async (_which, rows) => {
    const refused = { refused: expect.stringContaining("time spans in others") };
    expect(await byBytes(csvOf(rows, "must"))).toEqual(refused);
    expect(await byBytes(rows.map((row) => jsonOf(row, TYPED)).join("\n"))).toEqual(refused);
  });
});

describe("a field that a line holds twice", () => {
  const ordinary = jsonOf(ORDINARY, TYPED);
  const twice = (more: string): string => ordinary.replace(/\}$/, `,${more}}`);
  test.each([
    ["under the same key", '"name":"Timer","url":"/x"'],
    ["under the same key, null at last", '"url":null'],
    ["under another spelling", '"Id":"b"'],
    ["under another spelling, null at last", '"Id":null'],
    ["under the other schema's key, empty at last", '"ItemCount":8,"AppRoleInstance":""'],
  ])("%s", (_what, more) => ndjsonAgrees([ordinary, twice(more), ordinary]));
});
