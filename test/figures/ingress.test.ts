import { describe, expect, it } from "vitest";
import { ingressOf } from "../../src/figures/ingress.ts";
import type { MetricPoint } from "../../src/telemetry/metric-point.ts";
import { TICKS_PER_MINUTE } from "../../src/telemetry/time.ts";

const APP = "/subscriptions/s/containerapps/app/metrics/requests";

interface Series {
  readonly labels?: MetricPoint["labels"];
  readonly resource?: string | null;
  readonly from?: number;
}

/** A series of a file: its totals minute by minute. */
function series(file: number, totals: readonly number[], of: Series = {}): MetricPoint[] {
  const { labels = [], resource = APP, from = 0 } = of;
  return totals.map((total, i) => ({
    ticks: (from + i) * TICKS_PER_MINUTE,
    total,
    interval: TICKS_PER_MINUTE,
    file,
    resource,
    labels,
  }));
}

const revision = (value: string) => ({ labels: [["revisionname", value]] as const });
const status = (value: string) => ({ labels: [["statuscodecategory", value]] as const });
const told = (points: readonly MetricPoint[]) => {
  const { spans, copies, unclear } = ingressOf(points);
  return { totals: spans.map(({ total }) => total), copies, unclear };
};

describe("ingressOf", () => {
  it("adds up files of different revisions, however equal they are, with a resource id and without", () => {
    for (const resource of [APP, null]) {
      const points = [
        ...series(0, [100, 7], { ...revision("rev1"), resource }),
        ...series(1, [100, 7], { ...revision("rev2"), resource }),
      ];
      expect(told(points)).toEqual({ totals: [200, 14], copies: 1, unclear: null });
    }
  });

  it("adds up files of different apps", () => {
    const points = [...series(0, [50]), ...series(1, [50], { resource: `${APP}2` })];
    expect(told(points)).toEqual({ totals: [100], copies: 1, unclear: null });
  });

  it("counts a resource once that is split by other dimensions, or not at all", () => {
    const split = [
      ...series(0, [30, 5], status("2xx")),
      ...series(0, [10, 0], status("5xx")),
      ...series(1, [20, 2], revision("rev1")),
      ...series(1, [20, 3], revision("rev2")),
    ];
    expect(told(split)).toEqual({ totals: [40, 5], copies: 2, unclear: null });
    expect(told([...split, ...series(2, [40, 5])])).toEqual({ totals: [40, 5], copies: 3, unclear: null });
  });

  it("counts the same series once, also where two exports overlap in part", () => {
    const points = [
      ...series(0, [1, 2, 3], revision("a")),
      ...series(1, [3, 4], { ...revision("a"), from: 2 }),
    ];
    expect(told(points)).toEqual({ totals: [1, 2, 3, 4], copies: 2, unclear: null });
  });

  it("adds up series of one file without labels", () => {
    expect(told([...series(0, [1, 2]), ...series(0, [10, 20])]).totals).toEqual([11, 22]);
  });

  it("puts files one after the other together, without a resource id too", () => {
    const points = [...series(0, [1, 2], { resource: null }), ...series(1, [3], { resource: null, from: 2 })];
    expect(told(points)).toEqual({ totals: [1, 2, 3], copies: 1, unclear: null });
  });

  it("cannot tell where equal files do not name their resource", () => {
    for (const other of [series(1, [100]), series(1, [100], { resource: null })]) {
      const { totals, unclear } = told([...series(0, [100], { resource: null }), ...other]);
      expect(totals).toEqual([]);
      expect(unclear).toMatch(/do not name the resource/);
    }
  });

  it("cannot tell where splits of one app do not add up to the same, or a series contradicts itself", () => {
    const splits = [...series(0, [40], status("2xx")), ...series(1, [30], revision("rev1"))];
    expect(told(splits).unclear).toMatch(/split by statuscodecategory and by revisionname/);
    const same = [...series(0, [40, 1], revision("a")), ...series(1, [40, 2], revision("a"))];
    expect(told(same).unclear).toMatch(/different values in 1 intervals/);
  });
});
