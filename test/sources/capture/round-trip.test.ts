import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeOrder } from "../../../src/fleet/arrival.ts";
import { readTable } from "../../../src/sources/capture/arrow-read.ts";
import {
  dependencyCodec,
  eventCodec,
  ingressCodec,
  metricCodec,
  traceCodec,
} from "../../../src/sources/capture/codecs.ts";
import { addRequests } from "../../../src/sources/capture/request-read.ts";
import { addDetailedRequests } from "../../../src/sources/capture/request-read-detailed.ts";
import { decodeRows, encodeRows, type RowCodec } from "../../../src/sources/capture/row-codec.ts";
import { type BuildOptions, RequestBuilder } from "../../../src/telemetry/builder.ts";
import { Detail } from "../../../src/telemetry/detail.ts";
import type { ParsedRequest } from "../../../src/telemetry/parsed-request.ts";
import { RequestTable } from "../../../src/telemetry/table.ts";
import { filesOf } from "./sample.ts";

/** Well-formed texts: Arrow's are UTF-8, which has no lone surrogates. */
const text = fc.oneof(
  fc.constantFrom("", "a", "Ä", "\u0000", "null", "\ufffd", "😀", '"\\', "a\nb"),
  fc.string({ unit: "binary" }),
);
/** All that ticks can hold exactly, most near one another so that there are ties. */
const ticks = fc.oneof(
  fc.integer({ min: 0, max: 4 }).map((n) => 2_000_000_000_000_000 + n),
  fc.maxSafeInteger(),
);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const orNull = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(some, { nil: null });

const request: fc.Arbitrary<ParsedRequest> = fc.record({
  start: ticks,
  durationMs: fc.oneof(fc.constantFrom(0, 1, 2), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  kind: fc.constantFrom("http", "consumer", "other"),
  isSynthetic: fc.boolean(),
  success: fc.constantFrom(0, 1, 2),
  itemCount: orNull(
    fc.oneof(fc.constantFrom(1, 2, 5, 64, 101, 4000), fc.double({ min: 1, max: 1e6, noNaN: true })),
  ),
  rate: orNull(
    fc.oneof(fc.constantFrom(100, 99.995, 50, 20, 1), fc.double({ min: 1e-9, max: 100, noNaN: true })),
  ),
  name: text,
  url: text,
  path: fc.oneof(fc.constantFrom("", "/a", "/health", "/warm"), text),
  resultCode: text,
  id: fc.constantFrom("", "a", "b", "Ä", "ä"),
  operationId: fc.constantFrom("", "o", "p"),
  role: fc.constantFrom("", "app", "other"),
  instance: fc.oneof(fc.constantFrom("", "i", "k"), text),
  version: fc.constantFrom("", "1"),
});
const OPTIONS: BuildOptions = { weight: "auto", probePaths: ["/health"], markedPath: "/warm" };

/** Everything that a table says of the rows at these numbers, without their ids. */
function dump({ table }: RequestBuilder, order: Iterable<number>): unknown[] {
  return Array.from(order, (row) => [
    table.start(row),
    table.duration(row),
    table.weight(row),
    table.identities[table.identity(row)],
    table.rowClass(row),
    table.success(row),
    table.isMarked(row),
  ]);
}

function numbers({ table }: RequestBuilder): number[] {
  const all: number[] = [];
  table.forEach((row) => void all.push(row));
  return all;
}

async function roundTrip(rows: readonly ParsedRequest[], options: BuildOptions): Promise<void> {
  const direct = new RequestBuilder(new RequestTable(), options, new Detail());
  for (const row of rows) direct.addParsed(row);
  const { order, duplicates } = timeOrder(direct.table);

  const { files, counts } = await filesOf(rows);
  expect(counts).toEqual({ rows: order.length, duplicates, malformed: 0 });
  const [requests, details] = await Promise.all(files.map((file) => readTable(file.bytes, file.rows)));
  const plain = new RequestBuilder(new RequestTable(), options);
  addRequests(requests!, plain);
  expect(dump(plain, numbers(plain))).toEqual(dump(direct, order));
  const detailed = new RequestBuilder(new RequestTable(), options, new Detail());
  addDetailedRequests(requests!, details!, detailed);
  expect(dump(detailed, numbers(detailed))).toEqual(dump(direct, order));
  const ofDetails = (builder: RequestBuilder, some: Iterable<number>) =>
    Array.from(some, (row) => builder.detail!.requests.get(row));
  expect(ofDetails(detailed, numbers(detailed))).toEqual(ofDetails(direct, order));
  // Their ids are read in the same order, too, and none is a repeated one.
  expect([...timeOrder(detailed.table).order]).toEqual(numbers(detailed));
  // Oddities of weights: those of the copies that were left out are noted beside the rows.
  const { copies } = JSON.parse(requests!.schema.metadata.get("coldstart")!) as {
    copies: { itemCount: number | null; rate: number | null; rows: number }[];
  };
  for (const builder of [plain, detailed]) {
    for (const { itemCount, rate, rows: count } of copies) builder.weighRow(itemCount, rate, count);
    expect(builder.tallies).toEqual(direct.tallies);
  }
}

describe("requests of a capture", () => {
  it("come back as they went in, in the order of time and without repeated ones", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), fc.boolean(), async (rows, keepVersion) => {
        await roundTrip(rows, { ...OPTIONS, keepVersion });
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it.each(["item-count", "sample-rate"] as const)("have the weights that %s gives", async (weight) => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (rows) => {
        // Weights break ties, and the files stand in the order of the usual ones: let there be no ties.
        const apart = rows.map((row, i) => ({ ...row, id: String(i) }));
        await roundTrip(apart, { ...OPTIONS, weight });
      }),
      { numRuns: 40 },
    );
  });

  it("may have more different texts than fit into a byte, or into two", async () => {
    const [sample] = fc.sample(request, { numRuns: 1, seed: 1 });
    for (const many of [127, 128, 129, 32_768, 32_769, 70_000]) {
      const rows = Array.from({ length: many }, (_, i) => ({
        ...sample!,
        start: i,
        id: "",
        instance: `${i}`,
      }));
      const { files } = await filesOf(rows);
      const builder = new RequestBuilder(new RequestTable(), OPTIONS);
      addRequests(await readTable(files[0]!.bytes, many), builder);
      const { table } = builder;
      const instances = numbers(builder).map((row) => table.identities[table.identity(row)]!.instance);
      expect(instances.every((instance, i) => instance === `${i}`)).toBe(true);
      expect(instances.length).toBe(many);
    }
  }, 60_000);

  it("may be of more combinations of role, instance and version than a list of them holds", async () => {
    const [sample] = fc.sample(request, { numRuns: 1, seed: 1 });
    const rows = Array.from({ length: 3000 }, (_, i) => ({
      ...sample!,
      start: i,
      role: `r${i % 30}`,
      instance: `i${i % 1500}`,
      version: `v${i % 40}`,
    }));
    await roundTrip(rows, OPTIONS);
  });

  it("lose lone surrogates, which UTF-8 does not have", async () => {
    const [sample] = fc.sample(request, { numRuns: 1, seed: 1 });
    const { files } = await filesOf([{ ...sample!, instance: "a\ud800b" }]);
    const builder = new RequestBuilder(new RequestTable(), OPTIONS);
    addRequests(await readTable(files[0]!.bytes, 1), builder);
    expect(builder.table.identities[0]!.instance).toBe("a\ufffdb");
  });
});

/** Values as a bag of JSON holds them; JSON has no negative zero. */
const bag = fc
  .dictionary(
    text,
    fc.oneof(
      text,
      finite.map((value) => value + 0),
      fc.boolean(),
      fc.constant({ a: [1, null] }),
    ),
  )
  .map((values) => new Map<string, unknown>(Object.entries(values)));

async function same<Row>(row: fc.Arbitrary<Row>, codec: RowCodec<Row>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const file = await encodeRows("any", rows, codec);
      expect(decodeRows(await readTable(file.bytes, rows.length), codec)).toEqual(rows);
    }),
    { numRuns: 100 },
  );
}

describe("other rows of a capture come back as they went in", () => {
  it("system events", () =>
    same(
      fc.record({
        ticks,
        ownClock: fc.boolean(),
        reason: text,
        text,
        app: text,
        revision: text,
        replica: text,
        source: text,
        severity: text,
        count: orNull(finite),
        job: text,
      }),
      eventCodec,
    ));

  it("dependencies", () =>
    same(
      fc.record({
        ticks,
        durationMs: finite,
        operationId: text,
        parentId: text,
        name: text,
        target: text,
        type: text,
        weight: finite,
        role: text,
        instance: text,
      }),
      dependencyCodec,
    ));

  it("traces", () =>
    same(
      fc.record({
        ticks,
        message: text,
        operationId: text,
        weight: finite,
        role: text,
        instance: text,
        dimensions: bag,
      }),
      traceCodec,
    ));

  it("metrics", () =>
    same(
      fc.record({
        ticks,
        name: text,
        count: orNull(finite),
        sum: orNull(finite),
        role: text,
        instance: text,
        dimensions: bag,
      }),
      metricCodec,
    ));

  it("values of the ingress metric", () =>
    same(
      fc.record({
        ticks,
        total: finite,
        interval: fc.constantFrom(600_000_000, 36_000_000_000),
        file: fc.nat(),
        resource: orNull(text.filter((name) => name !== "")),
        labels: fc.array(fc.tuple(text, text)),
      }),
      ingressCodec,
    ));
});
