import fc from "fast-check";
import { expect, test } from "vitest";
import { RowClass } from "../../src/telemetry/table.ts";
import { TICKS_PER_SECOND } from "../../src/telemetry/time.ts";
import { fleetOf, rows, T0 } from "../figures/arrival-rows.ts";

test("the user rows of a fleet are those in its windows, instance by instance", () => {
  const to = T0 + 60 * TICKS_PER_SECOND;
  fc.assert(
    fc.property(rows, fc.boolean(), fc.boolean(), (list, isWindowed, isNamed) => {
      const windows = isWindowed ? [{ name: "all" as const, from: T0 + TICKS_PER_SECOND, to }] : undefined;
      const fleet = fleetOf(list, windows, isNamed ? ["a", "b", "c"] : ["", "b", "c"]);
      const { table } = fleet;
      const numbers = list.map((_, i) => i);
      // Rows without an id repeat nothing, and ties in time are broken by the longer and the heavier one.
      const inOrder = [0, 1, 2].flatMap((instance) =>
        numbers
          .filter((i) => list[i]!.instance === instance && list[i]!.rowClass === RowClass.user)
          .sort(
            (a, b) =>
              table.start(a) - table.start(b) ||
              table.duration(b) - table.duration(a) ||
              table.weight(b) - table.weight(a) ||
              a - b,
          ),
      );
      const isInside = (i: number): boolean =>
        !isWindowed || (table.start(i) >= T0 + TICKS_PER_SECOND && table.start(i) < to);
      expect([...fleet.userRows]).toEqual(inOrder.filter(isInside));
      expect(fleet.counts.user).toBe(fleet.userRows.length);
      expect(fleet.lives.flatMap(({ users }) => [...users])).toEqual(
        inOrder.filter((i) => isNamed || list[i]!.instance !== 0),
      );
      expect(fleet.counts.noInstance).toBe(
        isNamed ? 0 : inOrder.filter((i) => isInside(i) && list[i]!.instance === 0).length,
      );
      expect(fleet.longestMs).toBe(Math.max(...list.map(({ durationMs }) => durationMs)));
    }),
    { numRuns: 300 },
  );
});
