import { describe, expect, it } from "vitest";
import { arrivals } from "../../../src/fleet/arrival.ts";
import { ingressCodec } from "../../../src/sources/capture/codecs.ts";
import { encodeRows } from "../../../src/sources/capture/row-codec.ts";
import type { MetricPoint } from "../../../src/telemetry/metric-point.ts";
import type { ParsedRequest } from "../../../src/telemetry/parsed-request.ts";
import { addHour, hour, newFolders, openFolder, read, request, startsOf, window } from "./sample.ts";

const newFolder = newFolders();
type Bounds = { readonly from: string | null; readonly to: string | null };
const WHOLE: Bounds = { from: null, to: null };

/** A capture of these slices, written in this order. */
async function captured(
  ...slices: readonly (readonly [Bounds, readonly ParsedRequest[]])[]
): Promise<string> {
  const path = newFolder();
  const folder = await openFolder(path);
  for (const [bounds, rows] of slices) await addHour(folder, 0, rows, bounds);
  await folder.complete(null);
  await folder.close();
  return path;
}

/** How many rows count, each once. */
async function rowsOf(path: string): Promise<{ isInOrder: boolean; rows: number }> {
  const { table } = (await read(path)).builder;
  return { isInOrder: table.isInOrder, rows: arrivals(table).order.length };
}

describe("slices of requests", () => {
  it("stand in order where their windows follow one another, in whichever order they were written", async () => {
    const path = await captured(
      [window(2), [request(2, 0), request(2, 9)]],
      [window(0), [request(0, 1)]],
      [window(1), [request(1, 5), request(1, 3)]],
    );
    expect(await rowsOf(path)).toEqual({ isInOrder: true, rows: 5 });
    const starts = startsOf((await read(path)).builder);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it("stand in order where there is one of export files", async () => {
    const path = await captured([WHOLE, [request(1, 5), request(1, 3), request(1, 3)]]);
    expect(await rowsOf(path)).toEqual({ isInOrder: true, rows: 2 });
    expect((await read(path)).builder.table.duplicatesLeftOut).toBe(1);
  });

  it("stand in no order where there are several of export files, and repeat one another", async () => {
    const path = await captured(
      [WHOLE, [request(1, 5), request(1, 7)]],
      [WHOLE, [request(1, 5), request(1, 3)]],
    );
    expect(await rowsOf(path)).toEqual({ isInOrder: false, rows: 3 });
  });

  it("stand in no order where one of export files is among others", async () => {
    const path = await captured([window(1), [request(1, 5)]], [WHOLE, [request(1, 5), request(1, 3)]]);
    expect(await rowsOf(path)).toEqual({ isInOrder: false, rows: 2 });
  });

  it("stand in no order where their windows overlap", async () => {
    const wide = { from: hour(0), to: hour(2) };
    const path = await captured(
      [wide, [request(0, 5), request(1, 5)]],
      [window(1), [request(1, 5), request(1, 3)]],
    );
    expect(await rowsOf(path)).toEqual({ isInOrder: false, rows: 3 });
    // One within another that ends later than the next begins.
    const nested = await captured(
      [{ from: hour(0), to: hour(5) }, [request(4, 5)]],
      [window(1), [request(1, 3)]],
      [window(4), [request(4, 5)]],
    );
    expect(await rowsOf(nested)).toEqual({ isInOrder: false, rows: 2 });
  });

  it("do not overlap with one that holds no rows", async () => {
    const path = await captured([WHOLE, []], [window(1), [request(1, 5)]], [window(1), []]);
    expect(await rowsOf(path)).toEqual({ isInOrder: true, rows: 1 });
  });

  it("of ids that are read stand in no order: another input may repeat them", async () => {
    const path = await captured([window(1), [request(1, 5)]]);
    for (const way of [{ withIds: true }, { isDetailed: true }]) {
      const { table } = (await read(path, way)).builder;
      expect(table.isInOrder).toBe(false);
      expect(table.hasId(0)).toBe(true);
    }
  });
});

describe("values of the ingress metric", () => {
  it("are of other files than those of the inputs before", async () => {
    const point = (file: number): MetricPoint => ({
      ticks: 0,
      total: 1,
      interval: 600_000_000,
      file,
      resource: null,
      labels: [],
    });
    const path = newFolder();
    const folder = await openFolder(path);
    const file = await encodeRows("ingress", [point(0), point(1)], ingressCodec);
    await folder.addSlice("ingress", WHOLE, [file], { rows: 2, duplicates: 0, malformed: 0 });
    await folder.close();
    const { metrics } = await read(path, { metrics: [point(0), point(3)] });
    expect(metrics.map((one) => one.file)).toEqual([0, 3, 4, 5]);
  });
});
