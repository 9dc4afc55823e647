import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoundValue, literalOf } from "../../../src/sources/azure/literal.ts";
import { bindQuery, declaredValues } from "../../../src/sources/azure/query-file.ts";
import { parseInstant } from "../../../src/telemetry/time.ts";
import { describeWithEngine, KqlEngine } from "../../azure/engine.ts";
import { checkQuery, literalsOf } from "../../queries/kusto.ts";

const RUNS = 300;

/** What could end a literal, begin a comment, or be taken for something else. */
const pieces = fc.constantFrom(
  ...['"', "'", "\\", '\\"', "\\\\", "\n", "\r", "\t", "\r\n", "//", "/*", "*/", "```", "~~~", "@'", 'h"'],
  ...["(", ")", "[", "]", "{", "}", ",", ";", "|", "])", '"])', "\\u0041", "\\x41", "\\0", "\\'", "$left"],
  ...["\0", "\u0007", "\u001b", "\u007f", "\u0085", "\u2028", "\u2029", "\ufeff", "\u200b", "\u202e"],
  ...["\ud800", "\udc00", "😀", "é", "ß", "漢", "; drop", "datetime(null)", " ", ""],
);
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 12 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
);
const string = (value: string): string => literalOf({ type: "string", value });
const dynamic = (...values: string[]): string => literalOf({ type: "dynamic", values });

/** Finds no fault with a query of one column of a type, whatever its literal holds. */
function expectPrint(literal: string, type: string): void {
  const query = `print x = ${literal}`;
  expect(checkQuery(query, {}), query).toEqual({ diagnostics: [], columns: [`x: ${type}`] });
}

describe("a string", () => {
  it("is one literal with the same value, whatever it holds", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const literal = string(text);
        expectPrint(literal, "string");
        expect(literalsOf(`print x = ${literal}`)).toEqual([
          { kind: "StringLiteralExpression", value: text, text: literal },
        ]);
      }),
      { numRuns: RUNS },
    );
  });

  it("is one line without control characters or halves of characters", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(string(text)).toMatch(/^"[^\p{Cc}\p{Cs}\u2028\u2029]*"$/u);
      }),
    );
  });

  it("leaves what follows as it was", () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const query = bindQuery("// values: a string, b string\nprint x = a, y = b // end", {
          a: { type: "string", value: one },
          b: { type: "string", value: other },
        });
        expect(checkQuery(query, {})).toEqual({ diagnostics: [], columns: ["x: string", "y: string"] });
        expect(literalsOf(query).map(({ value }) => value)).toEqual([one, other]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a dynamic", () => {
  it("is an array of the same strings, whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 5 }), (values) => {
        const literal = dynamic(...values);
        expectPrint(literal, "dynamic");
        const inside = literalsOf(`print x = ${literal}`).filter(
          ({ kind }) => kind === "StringLiteralExpression",
        );
        expect(inside.map(({ value }) => value)).toEqual(values);
        // What stands in the brackets is JSON for the service.
        expect(JSON.parse(/^dynamic\((.*)\)$/.exec(literal)![1]!)).toEqual(values);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a datetime", () => {
  it("has every digit of its ticks, seven where finer than a millisecond", () => {
    expect(literalOf({ type: "datetime", ticks: 20_000_000 })).toBe("datetime(2020-01-01T00:00:02Z)");
    expect(literalOf({ type: "datetime", ticks: 5_000_000 })).toBe("datetime(2020-01-01T00:00:00.500Z)");
    expect(literalOf({ type: "datetime", ticks: 1 })).toBe("datetime(2020-01-01T00:00:00.0000001Z)");
    expect(literalOf({ type: "datetime", ticks: -1 })).toBe("datetime(2019-12-31T23:59:59.9999999Z)");
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 52), max: 2 ** 52 }), (ticks) => {
        const literal = literalOf({ type: "datetime", ticks });
        expectPrint(literal, "datetime");
        const [found, ...others] = literalsOf(`print x = ${literal}`);
        expect(others).toEqual([]);
        expect(found).toMatchObject({ kind: "DateTimeLiteralExpression", text: literal });
        const text = /^datetime\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3}(?:\d{4})?)?Z)\)$/.exec(
          literal,
        )?.[1];
        expect(parseInstant(text ?? "")).toEqual({ ticks, zoned: true });
      }),
    );
  });
});

it("writes the two truth values", () => {
  expectPrint(literalOf({ type: "bool", value: true }), "bool");
  expectPrint(literalOf({ type: "bool", value: false }), "bool");
  expect(literalOf({ type: "bool", value: true })).toBe("true");
  expect(literalOf({ type: "bool", value: false })).toBe("false");
});

describe("bindQuery", () => {
  const QUERY =
    "// values: since datetime, app string, roles dynamic, keepQuery bool\nprint since, app, roles, keepQuery\n";
  const values: Readonly<Record<string, BoundValue>> = {
    since: { type: "datetime", ticks: 0 },
    app: { type: "string", value: "a" },
    roles: { type: "dynamic", values: ["b"] },
    keepQuery: { type: "bool", value: false },
  };

  it("puts each value in front, in the order of the declaration", () => {
    expect(bindQuery(QUERY, Object.fromEntries(Object.entries(values).reverse()))).toBe(
      `let since = datetime(2020-01-01T00:00:00Z);\nlet app = "a";\nlet roles = dynamic(["b"]);\nlet keepQuery = false;\n${QUERY}`,
    );
  });

  it.each(Object.keys(values))("refuses a query without its %s", (name) => {
    const { [name]: _, ...others } = values;
    expect(() => bindQuery(QUERY, others)).toThrow(new RangeError(`the query asks for ${name}`));
  });

  it.each(["upto", "App", "__proto__", "toString", ""])("refuses the unknown value %j", (name) => {
    const more = Object.fromEntries([...Object.entries(values), [name, values.app!]]);
    expect(() => bindQuery(QUERY, more)).toThrow(new RangeError(`the query does not ask for ${name}`));
  });

  const wrong = Object.entries(values).flatMap(([name, { type }]) =>
    Object.values(values)
      .filter((value) => value.type !== type)
      .map((value) => [name, type, value] as const),
  );
  it.each(wrong)("refuses a %s that is not %s", (name, type, value) => {
    expect(() => bindQuery(QUERY, { ...values, [name]: value })).toThrow(
      new RangeError(`${name} must be ${type}, not ${value.type}`),
    );
  });

  it("asks for nothing where nothing is declared", () => {
    expect(declaredValues("print 1")).toEqual(new Map());
    expect(bindQuery("print 1", {})).toBe("print 1");
    expect(() => bindQuery("print 1", { app: values.app! })).toThrow(RangeError);
  });
});

describeWithEngine("a literal, in an engine that runs KQL", () => {
  let engine: KqlEngine;

  beforeAll(() => {
    engine = new KqlEngine();
  });
  afterAll(() => engine.close());

  /** The engine does not know `\u`, which Kusto does. */
  const plain = texts.filter((text) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text.replace(/[\n\r\t]/g, "")));

  it("gives the string back", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (text) => {
        expect((await engine.query(`print x = ${string(text)}`)).rows).toEqual([[text]]);
      }),
      { numRuns: RUNS },
    );
  });

  it("finds in an array the strings it holds, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plain, { minLength: 1, maxLength: 4 }), plain, async (values, other) => {
        const asked = [...values, other].map((text, i) => `x${i} = ${string(text)} in (values)`);
        const { rows } = await engine.query(`let values = ${dynamic(...values)};\nprint ${asked.join(", ")}`);
        expect(rows).toEqual([[...values.map(() => true), values.includes(other)]]);
      }),
      { numRuns: 100 },
    );
  });
});
