import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BoundValue, literalOf, type ScalarValue } from "../../../src/sources/azure/literal.ts";
import { bindQuery } from "../../../src/sources/azure/query-file.ts";
import { checkQuery, literalsOf } from "../../queries/kusto.ts";

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom('"', "\\", "\n", "\r", "//", "]", ")", ", ", ";", "|", "\0", "\u2028", "\ud800"), {
      maxLength: 8,
    })
    .map((parts) => parts.join("")),
);
const wholes = fc.maxSafeInteger();
const reals = fc.double({ noNaN: true, noDefaultInfinity: true });

/** The only literal of a query, which must be of the type and without fault. */
function onlyLiteral(bound: ScalarValue): { readonly kind: string; readonly text: string } {
  const query = `print x = ${literalOf(bound)}`;
  expect(checkQuery(query, {}), query).toEqual({ diagnostics: [], columns: [`x: ${bound.type}`] });
  const literals = literalsOf(query);
  expect(literals.length, query).toBe(1);
  return literals[0]!;
}

describe("a number", () => {
  it("keeps its value as a long", () => {
    fc.assert(
      fc.property(wholes, (value) => {
        const { kind, text } = onlyLiteral({ type: "long", value });
        expect(kind).toBe("LongLiteralExpression");
        expect(Number(/^long\((-?\d+)\)$/.exec(text)?.[1])).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it("keeps its value as a real, however it is written", () => {
    fc.assert(
      fc.property(
        fc.oneof(reals, fc.constantFrom(0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308)),
        (value) => {
          const { kind, text } = onlyLiteral({ type: "real", value });
          expect(kind).toBe("RealLiteralExpression");
          expect(Number(/^real\((.+)\)$/.exec(text)?.[1])).toBe(value === 0 ? 0 : value);
        },
      ),
    );
  });

  it("keeps its value as a time span", () => {
    fc.assert(
      fc.property(wholes, (ticks) => {
        const { kind, text } = onlyLiteral({ type: "timespan", ticks });
        expect(kind).toBe("TimespanLiteralExpression");
        const [, sign, days, hours, minutes, seconds, rest] =
          /^timespan\((-?)(\d+)\.(\d\d):(\d\d):(\d\d)\.(\d{7})\)$/.exec(text)!.map(String);
        const whole =
          ((BigInt(days!) * 24n + BigInt(hours!)) * 60n + BigInt(minutes!)) * 60n + BigInt(seconds!);
        const size = whole * 10_000_000n + BigInt(rest!);
        expect(sign === "-" ? -size : size).toBe(BigInt(ticks));
        expect([Number(hours) < 24, Number(minutes) < 60, Number(seconds) < 60]).toEqual([true, true, true]);
      }),
    );
  });

  it.each([
    { type: "long", value: 0.5 },
    { type: "long", value: 2 ** 53 },
    { type: "long", value: Number.NaN },
    { type: "timespan", ticks: 0.5 },
    { type: "datetime", ticks: 0.5 },
    { type: "datetime", ticks: Number.NaN },
    { type: "real", value: Number.POSITIVE_INFINITY },
    { type: "real", value: Number.NaN },
  ] satisfies ScalarValue[])("is refused where it cannot be written: %o", (bound) => {
    expect(() => literalOf(bound)).toThrow(RangeError);
  });
});

describe("a table", () => {
  const columns = { name: "string", ticks: "long", at: "datetime", share: "real", is: "bool" } as const;
  const rows = fc.array(fc.tuple(texts, wholes, fc.integer(), reals, fc.boolean()), { maxLength: 4 });
  const tableOf = (some: readonly (readonly [string, number, number, number, boolean])[]): BoundValue => ({
    type: "datatable",
    columns,
    rows: some.map(([name, ticks, at, share, is]) => [
      { type: "string", value: name },
      { type: "long", value: ticks },
      { type: "datetime", ticks: at },
      { type: "real", value: share },
      { type: "bool", value: is },
    ]),
  });

  it("has its columns and the literals of its cells, whatever they hold", () => {
    fc.assert(
      fc.property(rows, (some) => {
        const query = bindQuery("// values: t datatable\nt\n", { t: tableOf(some) });
        expect(checkQuery(query, {}), query).toEqual({
          diagnostics: [],
          columns: Object.entries(columns).map(([name, type]) => `${name}: ${type}`),
        });
        const literals = literalsOf(query);
        expect(literals.length).toBe(5 * some.length);
        const strings = literals.filter(({ kind }) => kind === "StringLiteralExpression");
        expect(strings.map(({ value }) => value)).toEqual(some.map(([name]) => name));
      }),
      { numRuns: 200 },
    );
  });

  it("is refused where a row does not fit, and where a name is none", () => {
    const cell: ScalarValue = { type: "string", value: "x" };
    const table = (name: string, row: readonly ScalarValue[]): (() => string) => {
      return () => literalOf({ type: "datatable", columns: { [name]: "string" }, rows: [row] });
    };
    expect(table("a", [cell])()).toBe('datatable(a: string)[\n    "x"]');
    expect(table("a", [])).toThrow(RangeError);
    expect(table("a", [cell, cell])).toThrow(RangeError);
    expect(table("a", [{ type: "long", value: 1 }])).toThrow(RangeError);
    for (const name of ["", "a b", "a:long", "a)[]", "1a"]) expect(table(name, [cell])).toThrow(RangeError);
  });
});
