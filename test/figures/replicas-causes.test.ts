import { describe, expect, it } from "vitest";
import {
  A1,
  A2,
  A3,
  assigned,
  B1,
  B2,
  causes,
  crashed,
  event,
  figuresOf,
  started,
  stopped,
} from "./replica-events.ts";

const birth = (second: number, replica: string) => [assigned(second, replica), started(second + 15, replica)];

describe("why a process is born", () => {
  it("does not know what the log does not tell", () => {
    expect(causes(figuresOf(birth(0, A1)))).toEqual(["aaaaa: unknown, none, log-begins"]);
  });

  it("takes a revision's creation for what brought its first replicas", () => {
    const created = event(0, "RevisionCreation", "", "Creating a new revision: api--rev0002", {
      revision: "api--rev0001",
    });
    expect(causes(figuresOf([created, ...birth(1, B1), ...birth(20, B2)]))).toEqual([
      "ddddd: deployment, told, revision-created",
      "eeeee: deployment, told, revision-created",
    ]);
    // Eleven minutes on, something else must have asked for it.
    expect(causes(figuresOf([created, ...birth(1, B1), ...birth(661, B2)]))).toEqual([
      "ddddd: deployment, told, revision-created",
      "eeeee: scaling, inferred, beside-others",
    ]);
  });

  it("does not take a later creation of the same name, nor what appears at the same instant, for a cause", () => {
    const late = event(60, "RevisionCreation", "", "Creating a new revision: api--rev0002");
    expect(causes(figuresOf([...birth(1, B1), late]))).toEqual(["ddddd: unknown, none, log-begins"]);
    expect(causes(figuresOf([...birth(0, A1), ...birth(0, B1)]))).toEqual([
      "aaaaa: unknown, none, log-begins",
      "ddddd: unknown, none, log-begins",
    ]);
  });

  it("infers a deployment from a revision that the log did not have, where another lived before", () => {
    expect(causes(figuresOf([...birth(0, A1), ...birth(4000, B1), stopped(4060, A1)]))).toEqual([
      "aaaaa: unknown, none, log-begins",
      "ddddd: deployment, inferred, revision-first-seen",
    ]);
    // The older replica is known by its end alone: it lived when the log began.
    expect(causes(figuresOf([...birth(0, B1), stopped(60, A1)]))).toEqual([
      "ddddd: deployment, inferred, revision-first-seen",
    ]);
  });

  it("follows a handover until the last of the older replicas is gone", () => {
    const log = [...birth(0, A1), ...birth(4000, B1), ...birth(4100, B2)];
    const last = (stop: number) => causes(figuresOf([...log, stopped(stop, A1)]))[2];
    expect(last(4050)).toBe("eeeee: deployment, inferred, revision-first-seen");
    expect(last(4030)).toBe("eeeee: scaling, inferred, beside-others");
  });

  it("tells a new replicaset of the same revision from a deployment", () => {
    expect(causes(figuresOf([...birth(0, A1), ...birth(4000, A3), stopped(4060, A1)]))[1]).toBe(
      "ccccc: rollout, inferred, new-replicaset",
    );
  });

  it("sees a replica replaced by another of the same replicaset", () => {
    expect(causes(figuresOf([...birth(0, A1), ...birth(4000, A2), stopped(4030, A1)]))[1]).toBe(
      "bbbbb: rollout, inferred, replaces-replica",
    );
  });

  it("believes the scalers, each for its own app and revision and for a minute", () => {
    const rescaled = (second: number, app = "api") =>
      event(second, "SuccessfulRescale", "", `${app} has been scaled to 2 by the scaler: http-scaler.`, {
        app: "",
        source: "Scaling",
      });
    const second = (message: ReturnType<typeof event>) =>
      causes(figuresOf([...birth(0, A1), message, ...birth(4000, A2)]))[1];
    expect(second(rescaled(3950))).toBe("bbbbb: scaling, told, rescaled");
    expect(second(rescaled(3930))).toBe("bbbbb: scaling, inferred, beside-others");
    expect(second(rescaled(4010))).toBe("bbbbb: scaling, inferred, beside-others");
    expect(second(rescaled(3950, "other"))).toBe("bbbbb: scaling, inferred, beside-others");
    const activated = (revision: string) =>
      event(
        3999,
        "KEDAScaleTargetActivated",
        "",
        `Scaled apps/v1.Deployment k8se-apps/${revision} from 0 to 1, triggered by `,
      );
    expect(second(activated("api--rev0001"))).toBe("bbbbb: scaling, told, scaler-activated");
    expect(second(activated("api--rev0002"))).toBe("bbbbb: scaling, inferred, beside-others");
  });

  it("lets a message whose time is a batch's come up to 15 s late", () => {
    const activated = (ownClock: boolean) =>
      event(
        4010,
        "KEDAScaleTargetActivated",
        "",
        "Scaled apps/v1.Deployment k8se-apps/api--rev0001 from 0 to 1",
        {
          ownClock,
        },
      );
    const second = (ownClock: boolean) =>
      causes(figuresOf([...birth(0, A1), stopped(100, A1), activated(ownClock), ...birth(4000, A2)]))[1];
    expect(second(false)).toBe("bbbbb: scaling, told, scaler-activated");
    expect(second(true)).toBe("bbbbb: scaling, inferred, from-zero");
  });

  it("infers scaling where a known replicaset comes back from nothing, not right after a death", () => {
    const second = (stop: number) =>
      causes(figuresOf([...birth(0, A1), stopped(stop, A1), ...birth(4000, A2)]))[1];
    expect(second(3940)).toBe("bbbbb: scaling, inferred, from-zero");
    expect(second(3941)).toBe("bbbbb: unknown, none, no-sign");
  });

  it("tells restarts in a replica from crash loops", () => {
    expect(causes(figuresOf([...birth(0, A1), crashed(100, A1), started(120, A1)]))[1]).toBe(
      "aaaaa: restart, told, same-replica",
    );
    const loop = [...birth(0, A1), crashed(100, A1), started(120, A1), crashed(200, A1), started(240, A1)];
    expect(causes(figuresOf(loop)).slice(1)).toEqual([
      "aaaaa: crash-loop, told, failed-before",
      "aaaaa: crash-loop, told, failed-before",
    ]);
    // An orderly end is no failure, however often.
    const orderly = [
      ...birth(0, A1),
      crashed(100, A1, "0"),
      started(120, A1),
      crashed(200, A1, "0"),
      started(240, A1),
    ];
    expect(causes(figuresOf(orderly)).slice(1)).toEqual([
      "aaaaa: restart, told, same-replica",
      "aaaaa: restart, told, same-replica",
    ]);
  });

  it("believes the start's counter, and an end before the first start", () => {
    expect(causes(figuresOf([started(0, A1, "app", { count: 2 })]))).toEqual([
      "aaaaa: restart, told, start-counter",
    ]);
    expect(causes(figuresOf([crashed(0, A1), started(20, A1)]))).toEqual([
      "aaaaa: restart, told, ended-before",
    ]);
    expect(causes(figuresOf([...birth(0, A1), started(4000, A2)]))[1]).toBe(
      "bbbbb: unknown, none, no-assignment",
    );
  });

  it("gives a first start after failed attempts the replica's own cause", () => {
    const failed = event(
      5,
      "ContainerTerminated",
      A1,
      "Container 'app' was terminated with exit code '1' and reason 'ContainerCreateFailure'",
    );
    expect(causes(figuresOf([assigned(0, A1), failed, started(30, A1)]))).toEqual([
      "aaaaa: unknown, none, log-begins",
    ]);
  });

  it("does not take an app's neighbours for its own past", () => {
    const other = (second: number) => [
      { ...assigned(second, "web--rev0009-6fd86b5c7c-zzzzz"), app: "web" },
      { ...started(second + 10, "web--rev0009-6fd86b5c7c-zzzzz"), app: "web" },
    ];
    expect(causes(figuresOf([...other(0), ...birth(4000, A1)]))).toContain(
      "aaaaa: unknown, none, log-begins",
    );
  });
});
