import type { TokenCredential } from "@azure/identity";
import { ingressReader } from "../sources/azure/metrics-service.ts";
import { gapsIn } from "../sources/azure/plan.ts";
import { fetchSlices } from "../sources/azure/slices.ts";
import { ingressCodec } from "../sources/capture/codecs.ts";
import { encodeRows } from "../sources/capture/row-codec.ts";
import { formatTicks, TICKS_PER_MINUTE } from "../telemetry/time.ts";
import { type PullContext, sliceOf } from "./pull-run.ts";

const DAY = 24 * 60 * TICKS_PER_MINUTE;

/** Pulls the ingress metric of the window, a day at a time. Only whole minutes can be compared with rows. */
export async function pullIngress(context: PullContext, credential: TokenCredential): Promise<void> {
  const { capture, settings, progress, world, signal, ask } = context;
  const { metrics } = settings.source;
  if (metrics === null) return;
  const window = {
    from: Math.ceil(settings.from / TICKS_PER_MINUTE) * TICKS_PER_MINUTE,
    to: Math.floor(settings.to / TICKS_PER_MINUTE) * TICKS_PER_MINUTE,
  };
  const slices = gapsIn(window, capture.done("ingress").map(sliceOf)).flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / DAY) }, (_, i) => ({
      from: from + i * DAY,
      to: Math.min(from + (i + 1) * DAY, to),
    })),
  );
  await progress.table("ingress", slices.length);
  const { COLDSTART_METRICS_ENDPOINT, COLDSTART_MANAGEMENT_ENDPOINT } = world.env;
  const endpoints = {
    ...(COLDSTART_METRICS_ENDPOINT === undefined ? {} : { metrics: COLDSTART_METRICS_ENDPOINT }),
    ...(COLDSTART_MANAGEMENT_ENDPOINT === undefined ? {} : { management: COLDSTART_MANAGEMENT_ENDPOINT }),
  };
  const read = ingressReader({ ...metrics, credential, endpoints, signal }, (reason) =>
    capture.warn(
      "metrics-fallback",
      `the regional metrics service refused (${reason}); the ingress metric was read from the resource itself`,
    ),
  );
  await fetchSlices(
    slices,
    {
      ask: async (slice) => ({
        columns: [],
        rows: (await ask(() => read(slice))).map((point) => [point]),
        partial: null,
      }),
      take: async (slice, { rows }) => {
        const points = rows.map(([point]) => point as Parameters<typeof ingressCodec.encode>[0]);
        const file = await encodeRows("ingress", points, ingressCodec);
        const counts = { rows: points.length, duplicates: 0, malformed: 0 };
        await capture.addSlice(
          "ingress",
          { from: formatTicks(slice.from), to: formatTicks(slice.to) },
          points.length === 0 ? [] : [file],
          counts,
        );
        await progress.slice(points.length);
      },
      onHalved: () => {},
    },
    2,
    signal,
  );
}
