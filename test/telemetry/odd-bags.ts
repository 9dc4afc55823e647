import fc from "fast-check";
import { awkward } from "./odd-texts.ts";

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
const bag: fc.Arbitrary<unknown> = fc.oneof(
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
type BagStyle = "compact" | "spaced" | "text in text";

function bagText(value: unknown, style: BagStyle): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (style === "spaced") return JSON.stringify(value, null, 1);
  const text = JSON.stringify(value);
  return style === "text in text" ? JSON.stringify(text) : text;
}

const style = fc.constantFrom<BagStyle>("compact", "compact", "spaced", "text in text");
/** The text of a cell of dimensions or measurements, with the sample rate in any spelling. */
export const bagCell = fc.tuple(bag, style).map(([value, how]) => bagText(value, how));
