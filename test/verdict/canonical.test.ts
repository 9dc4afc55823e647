import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { type BarInput, barSchema } from "../../src/verdict/bar.ts";
import { canonicalJson, digestOf } from "../../src/verdict/canonical.ts";
import { barText, sound } from "./bars.ts";

type Tree = { readonly [key: string]: unknown };

/** Bars that say something in every part that has more than one spelling. */
const bars: fc.Arbitrary<BarInput> = fc.record({
  name: fc.constantFrom("Warm-up", "yes", "a: b # c", "Größe", "0x10"),
  hypothesis: fc.constantFrom("It helps.", "'quoted' and \"doubly\"", "no"),
  conditions: fc.constantFrom(
    [{ metric: "firstRequest.p50", below: "2s" }],
    [
      { metric: "firstRequest.p90", above: "1.5s", minimum: 70 },
      { metric: "firstRequest.failed.share", below: 0.25 },
    ],
    [{ metric: "lifetime.p50Minutes", above: "90m" }],
  ),
  confidence: fc.constantFrom(0.9, 0.95),
  population: fc.record({
    threshold: fc.constantFrom("2s", "1.5s"),
    guard: fc.constantFrom("10m", "1h"),
    holidays: fc.constantFrom([], ["2026-12-08", "2026-10-26"]),
    probePaths: fc.constantFrom(["/health", "/ready"], ["/live"]),
  }),
  sample: fc.record({
    minimum: fc.constantFrom(60, 100),
    within: fc.constantFrom("14d", "36h"),
  }),
  seed: fc.constantFrom(1, 7),
});

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The same tree with keys in another order, durations in milliseconds and sets the other way round. */
function respelt(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(respelt);
    return value.every((item) => typeof item === "string") ? [...items, ...items].reverse() : items;
  }
  if (typeof value === "string") {
    const match = /^([\d.]+)([smhd])$/.exec(value);
    return match === null ? value : `${Number(match[1]) * UNITS[match[2]!]!}ms`;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Tree).map(([key, member]) => [key, respelt(member)]);
  return Object.fromEntries(entries.reverse());
}

describe("the digest of a bar", () => {
  it("is the SHA-256 of the canonical text, and stays what it is from version to version", () => {
    const { digest } = sound(barText("sound/median.yaml"));
    const canonical =
      '{"conditions":[{"below":2000,"metric":"firstRequest.p50","minimum":100}],"confidence":0.95,' +
      '"guards":{"comparable":true,"coverage":true},"hypothesis":"The warm-up request pays what the first user request pays now.",' +
      '"looks":"once","name":"Median under two seconds","population":{"days":"all","guard":600000,"holidays":[],' +
      '"order":"all","threshold":2000,"timezone":"UTC","warmedByProbe":"include","weight":"auto"},' +
      '"sample":{"minimum":100,"take":"all"},"seed":1}';
    expect(digest).toBe(createHash("sha256").update(canonical).digest("hex"));
  });

  it("is the same however the bar is spelt", () => {
    fc.assert(
      fc.property(bars, (bar) => {
        const { digest } = sound(stringify(bar));
        const yaml = stringify(respelt(bar), {
          defaultStringType: "QUOTE_DOUBLE",
          defaultKeyType: "QUOTE_SINGLE",
        });
        expect(sound(yaml.replace(/$/gm, " # a comment")).digest).toBe(digest);
        expect(sound(JSON.stringify(respelt(bar), null, 4)).digest).toBe(digest);
        expect(sound(`# first\n\n---\n${stringify(bar, { collectionStyle: "flow" })}\n# last\n`).digest).toBe(
          digest,
        );
      }),
    );
  });

  it("is the same with the defaults written out", () => {
    fc.assert(
      fc.property(bars, (bar) => {
        const filled = barSchema.parse(bar);
        const conditions = filled.conditions.map((condition) => ({
          minimum: filled.sample.minimum,
          ...condition,
        }));
        expect(sound(stringify({ ...filled, conditions })).digest).toBe(sound(stringify(bar)).digest);
      }),
    );
  });

  it("differs between bars that differ in anything", () => {
    fc.assert(
      fc.property(bars, bars, (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(sound(stringify(a)).digest === sound(stringify(b)).digest).toBe(isSame);
      }),
    );
  });

  it.each([
    ["confidence", (bar: Tree) => ({ ...bar, confidence: "none" })],
    ["role", (bar: Tree) => ({ ...bar, population: { role: "x" } })],
    [
      "order of conditions",
      (bar: Tree) => ({ ...bar, conditions: [...(bar.conditions as Tree[])].reverse() }),
    ],
    ["take", (bar: Tree) => ({ ...bar, sample: { minimum: 100, take: { first: 100 } } })],
    ["looks", (bar: Tree) => ({ ...bar, looks: "anytime" })],
    ["a guard", (bar: Tree) => ({ ...bar, guards: { comparable: false } })],
    [
      "a bound by a millisecond",
      (bar: Tree) => ({ ...bar, conditions: [{ metric: "firstRequest.p50", below: "2001ms" }] }),
    ],
    ["hypothesis", (bar: Tree) => ({ ...bar, hypothesis: "H" })],
  ])("changes with the %s", (_, change) => {
    const bar: BarInput = {
      name: "n",
      hypothesis: "h",
      conditions: [
        { metric: "firstRequest.p50", below: "2s" },
        { metric: "firstRequest.p90", below: "4s" },
      ],
      sample: { minimum: 100 },
    };
    const before = digestOf(barSchema.parse(bar));
    expect(digestOf(barSchema.parse(change(bar)))).not.toBe(before);
  });
});

describe("canonical JSON", () => {
  it("sorts keys at every depth and leaves out what is undefined", () => {
    expect(canonicalJson({ b: [{ z: null, a: "é\n" }], a: undefined, A: 1e21, "10": -0, "9": true })).toBe(
      '{"10":0,"9":true,"A":1e+21,"b":[{"a":"é\\n","z":null}]}',
    );
  });

  it("reads back as what it was written from, whatever the order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(respeltKeys(value))).toBe(text);
      }),
    );
  });

  it("refuses what JSON cannot hold", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, () => 1, 1n, cycle, undefined]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });
});

function respeltKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respeltKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, respeltKeys(member)]),
  );
}
