import type { RequestBuilder } from "../../telemetry/builder.ts";
import type { SystemEvent } from "../../telemetry/events.ts";
import type { MetricPoint } from "../../telemetry/metric-point.ts";
import { parseInstant } from "../../telemetry/time.ts";
import { openInTurn, within } from "./capture-file.ts";
import { dependencyCodec, eventCodec, ingressCodec, metricCodec, traceCodec } from "./codecs.ts";
import { type CaptureTable, type Manifest, readManifest } from "./manifest.ts";
import { areInOrder, inTime, readRequests } from "./request-slices.ts";
import { decodeRows, type RowCodec } from "./row-codec.ts";

/** Where the rows of a capture go. */
export interface CaptureSink {
  readonly builder: RequestBuilder;
  readonly events: SystemEvent[];
  readonly metrics: MetricPoint[];
}

/** What a capture says of itself. */
export interface CaptureAccount {
  readonly manifest: Manifest;
  readonly rows: Readonly<Record<CaptureTable, number>>;
  /** Request columns that the source had, by field. */
  readonly fields: ReadonlySet<number>;
  /** Ticks from which on the source was read; null where that is not known. */
  readonly dataFrom: number | null;
}

/**
 * Reads a capture into a sink. Tables that nobody asks for are not read.
 *
 * @param withIds rows are read with their ids: other rows beside the capture may repeat them
 * @throws DataFault where a file is missing, cut, changed, no Arrow file, or of other columns
 */
export async function readCapture(
  folder: string,
  sink: CaptureSink,
  withIds: boolean,
): Promise<CaptureAccount> {
  const manifest = await readManifest(folder);
  const { builder } = sink;
  const { detail } = builder;
  const slices = inTime(manifest.slices);
  const rows = { requests: 0, "system-events": 0, dependencies: 0, traces: 0, metrics: 0, ingress: 0 };
  for (const slice of slices) rows[slice.table] += slice.rows;
  const only = async <Row>(table: CaptureTable, codec: RowCodec<Row>, into: Row[]): Promise<void> => {
    const files = slices.filter((slice) => slice.table === table).flatMap((slice) => slice.files);
    for await (const { path, table: file } of openInTurn(folder, files)) {
      for (const row of await within(path, () => decodeRows(file, codec))) into.push(row);
    }
  };

  const requests = slices.filter(({ table }) => table === "requests");
  // Ties are kept as the usual weights break them; other weights need the ids to break them anew.
  const hasOtherWeights = builder.options.weight === "item-count";
  const isDetailed = withIds || detail !== null || hasOtherWeights || !areInOrder(requests);
  if (!isDetailed) builder.table.isInOrder = true;
  const fields = await readRequests(folder, requests, builder, isDetailed);
  await only("system-events", eventCodec, sink.events);
  const points: MetricPoint[] = [];
  await only("ingress", ingressCodec, points);
  // Files are numbered over all inputs.
  const before = (sink.metrics.at(-1)?.file ?? -1) + 1;
  for (const point of points) sink.metrics.push({ ...point, file: before + point.file });
  if (detail !== null) {
    for (const { table, malformed } of slices) {
      if (table !== "dependencies" && table !== "traces" && table !== "metrics") continue;
      detail.tables.add(table);
      detail.malformed += malformed;
    }
    await only("dependencies", dependencyCodec, detail.dependencies);
    await only("traces", traceCodec, detail.traces);
    await only("metrics", metricCodec, detail.metrics);
  }
  const { dataFrom } = manifest.asked;
  return {
    manifest,
    rows,
    fields,
    dataFrom: dataFrom === null ? null : (parseInstant(dataFrom)?.ticks ?? null),
  };
}
