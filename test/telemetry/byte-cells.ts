import fc from "fast-check";
import { csvLine } from "../forms/text.ts";

/** Columns that the bytes are read of, under their classic names. */
export const COLUMNS = [
  "timestamp",
  "duration",
  "id",
  "operation_Id",
  "name",
  "url",
  "success",
  "resultCode",
  "itemCount",
  "customDimensions",
  "customMeasurements",
  "cloud_RoleName",
  "cloud_RoleInstance",
  "source",
  "operation_SyntheticSource",
  "sdkVersion",
  "application_Version",
] as const;

/** A row as texts, by column; bags are JSON text. */
export type TextRow = Readonly<Record<(typeof COLUMNS)[number], string>>;

const BLANKS = ["", "", "", "", "", "", " ", "\t", "  ", "\u00a0", "\n"] as const;

/** Texts now and then between blanks, as hand-made exports have them. */
function blanks(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...BLANKS), text, fc.constantFrom(...BLANKS))
    .map(([before, middle, after]) => before + middle + after);
}

/** One of the usual texts, more often than one of the odd ones. */
function mostly(usual: readonly string[], odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const awkward = fc.string({
  unit: fc.constantFrom("a", "B", "7", '"', ",", "\\", "\n", "{", "}", ":", "ü", "😀", " ", "/", "'"),
  maxLength: 8,
});

const times = mostly(
  [
    "2026-09-10T06:40:02Z",
    "2026-09-10T06:40:02.5Z",
    "2026-09-10T06:40:02.1234567Z",
    "2026-02-28T23:59:59.9999999Z",
    "2024-02-29T00:00:00.000Z",
  ],
  [
    "2026-09-10T06:40:02",
    "2026-09-10 06:40:02.25",
    "2026-09-10T06:40:02+02:00",
    "2026-09-10T06:40:02.5-0530",
    "2026-09-10T06:40:02.12345678Z",
    "2026-09-10T06:40:02.123456789Z",
    "2026-09-10T24:00:00Z",
    "2026-02-30T06:40:02Z",
    "2025-02-29T06:40:02.000Z",
    "2026-13-01T06:40:02Z",
    "2026-09-31T06:40:02Z",
    "2026-09-10t06:40:02.5z",
    "2026-09-10T06:40:60Z",
    "2026-09-10T06:40:02.Z",
    "2026-09-10T06:40Z",
    "2026-09-10",
    "1991-01-01T00:00:00Z",
    "1992-01-01T00:00:00Z",
    "2049-01-01T00:00:00Z",
    "soon",
    "",
  ],
);

const numbers = mostly(
  ["0", "1", "12", "7000", "12.5", "0.0001", "1234.5678", "99999999.9999999", "2000.0000000001"],
  [
    "007",
    "1e3",
    "1E-3",
    ".5",
    "5.",
    "5.0",
    "-1",
    "-0",
    "+3",
    "NaN",
    "Infinity",
    "1,000",
    "1,5",
    "12ms",
    "",
    "123456789012345",
    "1234567890123456",
    "12345678901234567890",
    "0.12345678901234567",
    "1e400",
    "0x10",
  ],
);

const counts = mostly(
  ["", "1", "1", "2", "4", "8", "1000"],
  ["0", "-1", "1.5", "4.0", "04", "1e1", "x", "NaN", "999999999", "9999999999", "1,000", "+2"],
);

const urls = mostly(
  [
    "",
    "https://h.test/",
    "https://h.test/orders/1?q=/health",
    "http://h.test:8080/health",
    "HTTPS://H.test/HealthZ/",
    "https://h.test/health#top",
    "https://h.test/ready?x=1",
  ],
  [
    "https://h.test",
    "https://h.test?x=/health",
    "https://h.test#/health",
    "/health",
    "/orders",
    "https:/h/x",
    "httpx://h.test/health",
    "https://h.test/health//",
    "https://h.test/health/live/x",
    "https://h.test//health",
    "https://h.test/a b",
    'https://h.test/"quoted"',
    "https://h.test/PRÜFUNG",
    "https://h.test/pr\u00fcfung/",
    "amqp://h.test/q",
    "h.test/queue",
    "ftp://h.test/health",
    "https://",
    "http://user@h.test/alive",
  ],
);

const names = mostly(
  ["GET /", "GET /health", "POST /orders/{id}", "DELETE /livez/", "HEAD /ready?x", "OPTIONS *", ""],
  [
    "GET ",
    "GET",
    "get /health",
    "GET  /health",
    "GET /health extra",
    "GET /a\tb",
    "TRACE /healthz",
    "CONNECT h:1",
    "FETCH /",
    "orders process",
    "grpc Orders",
    "a.b.Orders/Get",
    "Timer",
    'GET /"x"',
    "GET /\u00fc",
    "GET /health\u00a0x",
    "PATCH /PRÜFUNG",
  ],
);

const RATE_KEYS = [
  "microsoft.sample_rate",
  "_MS.sampleRate",
  "sampleRate",
  "applicationinsights.internal.sample_rate",
  "SAMPLERATE",
  "Microsoft.Sample_Rate",
] as const;
const NEARLY_RATE_KEYS = [
  "sample_rate",
  "microsoft.sampleRate",
  "_MS.sample_rate",
  "applicationinsights.internal.sampleRate",
  "audio.sampleRate",
  "resample",
  "sampleRates",
  "sample rate",
  "sampleRate ",
  "my_sampleRate",
  "samplerate_ms",
] as const;
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<string>(...RATE_KEYS) },
  { weight: 2, arbitrary: fc.constantFrom<string>(...NEARLY_RATE_KEYS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("a", "HttpMethod", "rpc.system", "_MS.links", "Category", "messaging.x"),
  },
  { weight: 1, arbitrary: awkward },
);
const rateText = fc.constantFrom(
  "50",
  "25",
  "100",
  "99.995",
  "33.333333333333336",
  "0.1",
  "1e1",
  "0",
  "150",
  " 50",
  "x",
);
const scalar = fc.oneof(
  rateText,
  fc.constantFrom<unknown>(50, 12.5, 100, 0, -5, 1e21, null, true, ""),
  fc.constantFrom(
    '{"sampleRate":"50"}',
    '"sampleRate":50}',
    '\\"sampleRate\\":50}',
    "sampleRate",
    "Host.Results",
  ),
  awkward,
);
const entry = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(key, scalar, { maxKeys: 2 }) },
);

/** A bag's value as JSON gives it; undefined for none. */
export const bag: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 8,
    arbitrary: fc.uniqueArray(fc.tuple(key, entry), { maxLength: 3, selector: ([k]) => k }).map(toObject),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([{ sampleRate: "50" }], "", {}, 5, '{"sampleRate":"50"') },
);

function toObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** How a bag lies in its cell: JSON text, indented, or JSON text within JSON text. */
export type BagStyle = "compact" | "spaced" | "text in text";

export function bagText(value: unknown, style: BagStyle): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (style === "spaced") return JSON.stringify(value, null, 1);
  const text = JSON.stringify(value);
  return style === "text in text" ? JSON.stringify(text) : text;
}

const style = fc.constantFrom<BagStyle>("compact", "compact", "spaced", "text in text");
const bagCell = fc.tuple(bag, style).map(([value, how]) => bagText(value, how));

/** Rows whose every cell may be awkward. */
export const textRow: fc.Arbitrary<TextRow> = fc.record({
  timestamp: blanks(times),
  duration: blanks(numbers),
  id: blanks(mostly(["00f067aa0ba902b7", "a", ""], ["é1", 'q"1', "x\\y", "|x.y", "a b", "1e2", "😀"])),
  operation_Id: blanks(mostly(["4bf92f3577b34da6", ""], ["ö", 'o"1', "1.0"])),
  name: blanks(names),
  url: blanks(urls),
  success: blanks(mostly(["True", "False", "true", "false", ""], ["TRUE", "yes", "1", "truee", "fals"])),
  resultCode: blanks(mostly(["200", "404", "101", ""], ["0", "1010", "0101", "101.0", "16"])),
  itemCount: blanks(counts),
  customDimensions: bagCell,
  customMeasurements: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: bagCell }),
  cloud_RoleName: blanks(mostly(["orders", "quotes", ""], ['or"ders', "ärger", "[env]/orders"])),
  cloud_RoleInstance: blanks(mostly(["r1", "r2", ""], ['r"1', "r\u00fc"])),
  source: blanks(mostly(["", "topic"], ["h.test/queue"])),
  operation_SyntheticSource: blanks(mostly(["", "", "Bot"], ['Bo"t', "Ümlaut"])),
  sdkVersion: blanks(mostly(["dotnet8", ""], ["azurefunctions: 4", "AzureFunctions:4"])),
  application_Version: blanks(mostly(["v1", "v2", ""], ['v"1'])),
});

/** Quoted where needed, or every cell. */
export type Quoting = "needed" | "all";

/** The rows as CSV. */
export function csvOf(rows: readonly TextRow[], quoting: Quoting): string {
  const line = (cells: readonly string[]): string =>
    quoting === "needed"
      ? csvLine(cells, ",", "needed")
      : cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
  return `${[[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => row[column]))].map(line).join("\n")}\n`;
}
