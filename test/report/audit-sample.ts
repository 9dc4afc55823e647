import { anatomy } from "../../src/figures/anatomy.ts";
import { reconcile } from "../../src/figures/reconcile.ts";
import { buildAnatomy } from "../../src/report/anatomy-build.ts";
import type { AnatomyDocument } from "../../src/report/anatomy-document.ts";
import { buildReconcile } from "../../src/report/reconcile-build.ts";
import type { ReconcileDocument } from "../../src/report/reconcile-document.ts";
import { formatTicks } from "../../src/telemetry/time.ts";
import {
  auditOf,
  dependencyRows,
  instant,
  metricsAnswer,
  type RequestSpec,
  requestRows,
  union,
} from "../figures/audit-input.ts";

/** A name that tries to leave its cell, its line and its colour. */
export const EVIL = "GET /a|b*\u001b[31m\u202eé";

const MINUTE = 60_000;

/** Two windows, several routes, every reason for missing calls that a small input can have. */
export async function anatomySample(withDependencies = true): Promise<AnatomyDocument> {
  const requests: RequestSpec[] = [{ at: -60 * MINUTE, ms: 1, instance: "old", operation: "old" }];
  const calls = [];
  for (let i = 0; i < 16; i++) {
    const at = i * 5 * MINUTE;
    const instance = `replica-${i}`;
    const name = i % 3 === 0 ? EVIL : `GET /route-${i}`;
    requests.push({ at, ms: 1000 + 100 * i, instance, name, operation: `${i}`, id: `${i}` });
    requests.push({ at: at + 9000, ms: 50, instance, name, operation: `w${i}`, id: `w${i}`, itemCount: 3 });
    if (i % 4 === 3) continue;
    calls.push({ at: at + 400, ms: 100 + i, operation: `${i}`, instance });
    calls.push({ at: at + 450, ms: 5000, operation: `${i}`, instance });
    calls.push({ at: at + 9010, ms: 20, operation: `w${i}`, instance });
  }
  const rows = requestRows(requests);
  const log = Array.from({ length: 16 }, (_, i) =>
    JSON.stringify({
      TimeStamp: instant(i * 5 * MINUTE - (i % 2 === 0 ? 1 : 4) * MINUTE),
      Type: "Normal",
      ContainerAppName: "app",
      RevisionName: "app--r1",
      ReplicaName: `replica-${i}`,
      Msg: "Started container 'app'",
      Reason: "ContainerStarted",
      EventSource: "ContainerAppController",
      Count: 1,
    }),
  );
  const { fleet, detail, report } = await auditOf(
    {
      "rows.json": withDependencies ? union(rows, dependencyRows(calls)) : rows,
      "log.ndjson": `${log.join("\n")}\n`,
    },
    { deployedAt: instant(40 * MINUTE) },
  );
  return buildAnatomy(anatomy(fleet, detail, 1), report, 2, formatTicks);
}

/** Outside the tolerance, with several roles and classes. */
export async function reconcileSample(hours = 3, metrics = true): Promise<ReconcileDocument> {
  const rows: RequestSpec[] = [];
  for (let i = 0; i < hours * 20; i++) {
    const at = i * 3 * MINUTE;
    rows.push({ at, ms: 10, name: EVIL, id: `a${i}`, itemCount: 2 });
    rows.push({ at: at + 1, ms: 10, role: "worker", name: "Orders process", resultCode: "0", id: `b${i}` });
    if (i % 2 === 0) rows.push({ at: at + 2, ms: 10, name: "GET /healthz", id: `c${i}` });
    if (i % 5 === 0) rows.push({ at: at + 3, ms: 10, synthetic: "test", id: `d${i}` });
  }
  const points = Array.from(
    { length: hours + 1 },
    (_, i) => [i * 60 * MINUTE, i === hours ? 10 : 100 + i] as const,
  );
  const files: Record<string, string> = { "requests.json": requestRows(rows) };
  if (metrics) files["metrics.json"] = metricsAnswer(points, "PT1H");
  const input = await auditOf(files);
  const result = reconcile(input.fleet, input.detail, input.metrics, { tolerance: 0.05, files: 1 });
  return buildReconcile(result, input.report, formatTicks);
}
