import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBar } from "../../src/verdict/bar-file.ts";
import { BARS, barText, barWith, placed, problems, sound } from "./bars.ts";

describe("a sound bar", () => {
  it("has its defaults filled in", () => {
    const { bar, digest, warnings } = sound(barText("sound/median.yaml"));
    expect(bar).toEqual({
      name: "Median under two seconds",
      hypothesis: "The warm-up request pays what the first user request pays now.",
      conditions: [{ metric: "firstRequest.p50", below: "2s" }],
      confidence: 0.95,
      population: {
        days: "all",
        timezone: "UTC",
        holidays: [],
        order: "all",
        warmedByProbe: "include",
        threshold: "2s",
        guard: "10m",
        weight: "auto",
      },
      sample: { minimum: 100, take: "all" },
      looks: "once",
      guards: { comparable: true, coverage: true },
      seed: 1,
    });
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(warnings).toEqual([]);
  });

  it("may use every key, in YAML or in JSON with tabs", () => {
    const yaml = sound(barText("sound/every-key.yaml"));
    const json = sound(barText("sound/every-key.json"));
    expect(yaml.bar.population.revision).toBe("quotes-api--7kd02mq");
    expect(yaml.bar.guards).toEqual({
      comparable: true,
      coverage: true,
      leak: { path: "/warmup" },
      reconciliation: { within: 0.05 },
    });
    expect(json.digest).toBe(yaml.digest);
  });

  it.each(["sound/warnings.yaml", "sound/unlike-cohorts.yaml"])(
    "%s makes one think it over",
    async (name) => {
      const text = `${placed(sound(barText(name)).warnings).join("\n")}\n`;
      await expect(text).toMatchFileSnapshot(join("golden", `${name.slice(6, -5)}.txt`));
    },
  );

  it("may begin with a byte order mark and have Windows line ends", () => {
    const text = barText("sound/median.yaml");
    const { digest } = sound(text);
    expect(sound(`\ufeff${text.replaceAll("\n", "\r\n")}`).digest).toBe(digest);
  });
});

describe("a wrong bar", () => {
  it.each(readdirSync(join(BARS, "wrong")))("%s: every problem at its place", async (name) => {
    const text = `${problems(barText(`wrong/${name}`)).join("\n")}\n`;
    await expect(text).toMatchFileSnapshot(join("golden", name.replace(/yaml$/, "txt")));
  });

  it("counts lines and columns as an editor does, also behind a byte order mark and a slip of the pen", () => {
    expect(problems("\ufeffnam: n\r\n\r\nconditions: x\r\n").slice(-2)).toEqual([
      "1:1: nam: unknown key; did you mean name?",
      "3:13: conditions: write a list of at least one condition: - metric: …",
    ]);
    const slip = barText("sound/every-key.yaml").replace("    above: 10m", "]    above: 10m");
    expect(problems(slip).slice(0, 2)).toEqual([
      '14:1: not YAML: Unexpected flow-seq-end token in YAML stream: "]"',
      '15:11: not YAML: Unexpected map-value-ind token in YAML stream: ":"',
    ]);
  });

  it("tells a missing unit at the number, also in JSON", () => {
    const text =
      '{\n  "name": "n", "hypothesis": "h", "sample": {"minimum": 100},\n  "conditions": [{"metric": "firstRequest.p50",\n    "below": 2000}]\n}';
    expect(problems(text)).toEqual([
      "4:14: missing unit: firstRequest.p50 is a duration; write 2000ms if that is what 2000 means",
    ]);
  });

  it.each([
    ["brackets", "[".repeat(90_000)],
    ["dashes", "- ".repeat(30_000)],
    ["question marks", "? ".repeat(30_000)],
    ["maps", "{a: ".repeat(990)],
    ["a long text", "a".repeat(100_001)],
  ])("is no crash, however deep or long: %s", (_, text) => {
    expect(problems(text).length).toBeGreaterThan(0);
    expect(problems(text).length).toBeLessThanOrEqual(20);
  });

  it.each(["__proto__", "constructor", "toString"])("may not have the key %s", (key) => {
    const text = barWith(`{ metric: firstRequest.p50, below: 2s, ${key}: 1 }`);
    expect(problems(text)[0]).toContain(`conditions[0].${key}: unknown key`);
    expect(problems(`${key}: {}\n${barText("sound/median.yaml")}`)[0]).toContain(`1:1: ${key}: unknown key`);
  });

  it("never throws, whatever the file holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect("problems" in parseBar(text)).toBe(true);
      }),
    );
  });

  it("never throws for a bar with something put in or cut out, and places every problem inside the file", () => {
    const text = barText("sound/every-key.yaml");
    const scraps = fc.constantFrom(
      "",
      ":",
      "-",
      "\t",
      "\n",
      "{",
      "]",
      "&a ",
      "*a",
      "!!x ",
      "'",
      '"',
      "0",
      "null",
      "- ",
      "? ",
      "|",
      "\u0000",
    );
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(40), scraps, (at, cut, scrap) => {
        const changed = text.slice(0, at) + scrap + text.slice(at + cut);
        const parsed = parseBar(changed);
        if ("bar" in parsed) return;
        const lines = changed.split("\n");
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const { line, column, message } of parsed.problems) {
          expect(message).not.toBe("");
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual(lines[line! - 1]!.length + 1);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("what depends on other parts", () => {
  const p99 = "{ metric: firstRequest.p99, below: 2s }";

  it("asks nothing of the sample's size without a confidence", () => {
    expect(sound(barWith(p99, "confidence: none\nsample: { minimum: 1 }")).warnings).toEqual([]);
  });

  it.each([
    [298, false],
    [299, true],
  ])("p99 can be shown from 299 instances on: %i", (minimum, isSound) => {
    const parsed = parseBar(barWith(p99, `sample: { minimum: ${minimum} }`));
    expect("bar" in parsed).toBe(isSound);
  });

  it("needs more for more confidence", () => {
    const median = "{ metric: firstRequest.p50, below: 2s }";
    expect(problems(barWith(median, "confidence: 0.999\nsample: { minimum: 9 }"))[0]).toContain(
      "with 99.9 % confidence by 9 instances, even if all are under it; the smallest sample that can is 10",
    );
  });

  it("tells the sound parts of a bar that has no form", () => {
    expect(problems("conditions: [{ metric: nonsense }]\nlooks: never")).toEqual([
      "1:1: name: missing",
      "1:1: hypothesis: missing",
      "1:1: sample: missing",
      "1:14: this condition has neither below nor above; give one of them",
      '1:24: unknown metric "nonsense"; docs/bar.md lists the metrics',
      "2:8: looks: write one of once, anytime",
    ]);
  });
});
