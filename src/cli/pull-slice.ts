import { timeOrder } from "../fleet/arrival.ts";
import { addAnswer } from "../sources/azure/answer-rows.ts";
import type { QueryAnswer } from "../sources/azure/query-service.ts";
import { dependencyCodec, eventCodec, metricCodec, traceCodec } from "../sources/capture/codecs.ts";
import type { SliceCounts, SliceFile } from "../sources/capture/folder.ts";
import type { CaptureTable } from "../sources/capture/manifest.ts";
import { RequestColumns } from "../sources/capture/request-columns.ts";
import { encodeRows } from "../sources/capture/row-codec.ts";
import { Input } from "../sources/files/input.ts";
import { RecordReader } from "../sources/files/record-reader.ts";
import type { MalformedExample } from "../telemetry/builder.ts";
import { RequestBuilder } from "../telemetry/builder.ts";
import { Detail } from "../telemetry/detail.ts";
import { RequestTable } from "../telemetry/table.ts";

/** The rows of some telemetry on their way into a capture. */
export class SliceRows {
  readonly columns = new RequestColumns();
  readonly builder: RequestBuilder;
  readonly detail = new Detail();
  readonly input: Input;

  /** @param name what a malformed row's place is called */
  constructor(name: string) {
    const options = { weight: "auto", probePaths: [] } as const;
    this.builder = new RequestBuilder(new RequestTable(), options, this.detail, this.columns);
    this.input = new Input(name, { builder: this.builder, events: [], metrics: [] });
  }

  /** The request rows as files of a capture, in the order of time and without repeated ones. */
  async requestFiles(
    fields: Iterable<number>,
  ): Promise<{ readonly files: SliceFile[]; readonly counts: SliceCounts }> {
    const { order, duplicates } = timeOrder(this.builder.table);
    const { tallies, malformed, malformedExamples } = this.builder;
    const { invalidRate, invalidItemCount, fractionalItemCount, noItemCount, noId } = tallies;
    const { functionsHost, notFunctionsHost } = tallies;
    const files = await this.columns.files(order, {
      tallies: {
        invalidRate,
        invalidItemCount,
        fractionalItemCount,
        noItemCount,
        noId,
        functionsHost,
        notFunctionsHost,
      },
      malformed,
      examples: malformedExamples as readonly MalformedExample[],
      duplicates,
      fields: [...fields],
    });
    return { files, counts: { rows: order.length, duplicates, malformed } };
  }
}

/** A whole answer of a service as the files of a slice. */
export async function sliceFiles(
  table: CaptureTable,
  answer: QueryAnswer,
  name: string,
): Promise<{ readonly files: SliceFile[]; readonly counts: SliceCounts }> {
  const rows = new SliceRows(name);
  if (answer.columns.length > 0) {
    const reader = new RecordReader(rows.input);
    addAnswer(answer, reader, table === "system-events");
    reader.finish();
  }
  if (table === "requests") return rows.requestFiles(rows.input.fields);
  const { detail, input } = rows;
  const { events } = input.sink;
  const [file, malformed] =
    table === "system-events"
      ? [await encodeRows(table, events, eventCodec), input.malformedEvents]
      : table === "dependencies"
        ? [await encodeRows(table, detail.dependencies, dependencyCodec), detail.malformed]
        : table === "traces"
          ? [await encodeRows(table, detail.traces, traceCodec), detail.malformed]
          : [await encodeRows(table, detail.metrics, metricCodec), detail.malformed];
  return { files: [file], counts: { rows: file.rows, duplicates: 0, malformed } };
}
