import { userTotals } from "../figures/reconcile.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { contains } from "../fleet/settings.ts";
import type { MetricPoint } from "../telemetry/metric-point.ts";
import type { LeakEvidence, ReconciliationEvidence } from "../verdict/guards.ts";

/** Whether rows of the warm-up's path stand as, or before, the first user request of the instances after the deployment. */
export function leakEvidence(fleet: Fleet, path: string): LeakEvidence {
  const { table, settings } = fleet;
  const window = settings.windows.find(({ name }) => name === "after")!;
  let instances = 0;
  let leaking = 0;
  for (const life of fleet.lives) {
    if (!contains(window, life.born) || life.users.length === 0) continue;
    instances++;
    const first = life.users[0]!;
    for (const row of life.rows) {
      if (table.isMarked(row)) {
        leaking++;
        break;
      }
      if (row === first) break;
    }
  }
  return { path, instances, leaking };
}

/** Σw of user requests and the ingress count over the metric's own intervals after the deployment. */
export function reconciliationEvidence(
  fleet: Fleet,
  metrics: readonly MetricPoint[],
): ReconciliationEvidence {
  return userTotals(fleet, metrics, fleet.settings.windows.find(({ name }) => name === "after")!);
}
