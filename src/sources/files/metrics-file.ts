import { DataFault } from "../../telemetry/fault.ts";
import type { MetricPoint } from "../../telemetry/metric-point.ts";
import { parseInstant, TICKS_PER_MINUTE } from "../../telemetry/time.ts";
import { isBag } from "./envelopes.ts";
import type { Input } from "./input.ts";
import type { Reader } from "./part.ts";

/** Minutes of the intervals that Azure Monitor gives. */
const INTERVALS: Readonly<Record<string, number>> = {
  PT1M: 1,
  PT5M: 5,
  PT15M: 15,
  PT30M: 30,
  PT1H: 60,
  PT6H: 360,
  PT12H: 720,
  P1D: 1440,
};

/** Reads the answer of `az monitor metrics list`: the ingress metric `Requests`, summed over its series. */
export class MetricsFile implements Reader {
  readonly #chunks: Buffer[] = [];

  constructor(readonly input: Input) {
    input.form = "metrics";
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(Buffer.from(chunk));
  }

  end(): void {
    let answer: unknown;
    try {
      answer = JSON.parse(Buffer.concat(this.#chunks).toString("utf8"));
    } catch {
      throw new DataFault("metrics that stop in the middle, or hold other text", "export them again");
    }
    const minutes = isBag(answer) ? INTERVALS[String(answer.interval)] : undefined;
    if (!isBag(answer) || !Array.isArray(answer.value) || minutes === undefined) {
      throw new DataFault("metrics of an unknown interval", "export them with --interval PT1M or PT1H");
    }
    const file = (this.input.sink.metrics.at(-1)?.file ?? -1) + 1;
    for (const metric of answer.value.filter(isBag)) {
      const isRequests = isBag(metric.name) && metric.name.value === "Requests";
      // Ids of resources do not tell upper from lower case.
      const resource = typeof metric.id === "string" && metric.id !== "" ? metric.id.toLowerCase() : null;
      for (const series of Array.isArray(metric.timeseries) ? metric.timeseries.filter(isBag) : []) {
        const labels = labelsOf(series.metadatavalues);
        for (const point of Array.isArray(series.data) ? series.data.filter(isBag) : []) {
          this.input.otherRows++;
          const ticks = parseInstant(String(point.timeStamp))?.ticks;
          if (!isRequests || ticks === undefined || typeof point.total !== "number") continue;
          const interval = minutes * TICKS_PER_MINUTE;
          this.input.sink.metrics.push({ ticks, total: point.total, interval, file, resource, labels });
        }
      }
    }
  }
}

function labelsOf(values: unknown): MetricPoint["labels"] {
  return (Array.isArray(values) ? values.filter(isBag) : [])
    .map(({ name, value }) => [isBag(name) ? String(name.value).toLowerCase() : "", String(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
