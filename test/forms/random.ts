import fc from "fast-check";
import {
  type AppPlan,
  EventLog,
  endContainer,
  revisionEvents,
  SECOND,
  startContainer,
  startReplica,
} from "./fleet-events.ts";
import { type Process, RowFactory, SAMPLINGS, weightFields } from "./fleet-rows.ts";
import { Rng } from "./rng.ts";
import { TICKS_PER_MS } from "./text.ts";
import type { FormEvent, FormRow } from "./types.ts";

export interface Fleet {
  readonly rows: FormRow[];
  readonly events: FormEvent[];
}

export interface FleetOptions {
  /** Cut every instant to a millisecond, for the forms that keep no more. Durations stay. */
  readonly milliseconds?: boolean;
  /** Container apps, 1 to 3. Default 2. */
  readonly apps?: number;
  /** Replicas of each app. Default 8. */
  readonly replicas?: number;
}

const NAMES = ["orders-api", "quotes", "web"];
const HASH = "0123456789abcdef";
const SUFFIX = "bcdfghjklmnpqrstvwxz2456789";
/** Noon UTC before a change of the clocks in Europe or America, and one plain Thursday. */
const DAYS = ["2026-03-28", "2026-10-24", "2026-10-31", "2026-03-07", "2026-07-02"];

/** A life's user requests: a slow first one, overlapping and later second ones, bursts after. */
function userRequests(rng: Rng, make: RowFactory, from: Process, first: bigint): void {
  const sampling = rng.pick(SAMPLINGS);
  const kept = () => weightFields(sampling, rng.pick([1, 2, 3, 4, 8]));
  const slow = rng.chance(0.08) ? rng.int(20, 200) : rng.int(300, 9_000) / 1e3 + rng.int(0, 9_999) / 1e7;
  make.user(from, first, slow, rng.chance(0.7) ? weightFields(sampling, 1) : kept());
  const firstTicks = BigInt(Math.round(slow * 1e7));
  let at = rng.chance(0.5)
    ? first + (firstTicks * BigInt(rng.int(0, 99))) / 100n
    : first + firstTicks + rng.seconds(0, 30);
  for (let i = rng.int(0, 14); i > 0; i--) {
    const warm = rng.int(10, 4_000) / 1e4;
    const waits = at < first + firstTicks ? Number(first + firstTicks - at) / 1e7 : 0;
    const row = make.user(from, at, Math.round((warm + waits) * 1e7) / 1e7, kept());
    if (rng.chance(0.08)) make.user(from, row.startTicks, warm, kept());
    if (rng.chance(0.05)) make.copy(row);
    at += rng.chance(0.7) ? rng.seconds(0, 2) : rng.seconds(5, 1_200);
  }
}

/** What else runs in a process: probes, synthetic requests, messages, timers, sockets. */
function backgroundRows(rng: Rng, make: RowFactory, from: Process, born: bigint): void {
  if (rng.chance(0.5)) {
    for (let i = 1; i <= rng.int(1, 5); i++)
      make.probe(from, born + rng.seconds(0, 2) + BigInt(i) * 10n * SECOND);
  }
  if (rng.chance(0.25)) make.synthetic(from, born + rng.seconds(0.5, 60), rng.int(1, 30) / 10);
  for (let i = rng.chance(0.35) ? rng.int(1, 3) : 0; i > 0; i--) {
    make.consumer(from, born + rng.seconds(0.5, 90), rng.int(1, 9_000) / 1e3);
  }
  if (rng.chance(0.3)) make.other(from, born + rng.seconds(0.5, 300));
}

function replicaLife(
  rng: Rng,
  make: RowFactory,
  log: EventLog,
  plan: AppPlan,
  from: Process,
  at: bigint,
): void {
  const replica = from.instance ?? "";
  const kind = rng.pick(["new", "new", "new", "restarting", "idle", "running", "unlogged"]);
  const started = kind === "running" ? at - rng.seconds(300, 5_000) : at;
  if (kind === "running" || kind === "unlogged") {
    if (kind === "running" && rng.chance(0.5)) startReplica(log, plan, replica, started, rng);
  } else {
    startReplica(log, plan, replica, started, rng);
  }
  if (kind !== "idle" || rng.chance(0.4)) backgroundRows(rng, make, from, at);
  if (kind === "idle") {
    if (rng.chance(0.5)) endContainer(log, plan, replica, at + rng.seconds(300, 600), true);
    return;
  }
  // A host's clock may run ahead of the platform's: now and then the first row begins before the start.
  userRequests(rng, make, from, rng.chance(0.1) ? at - rng.seconds(0.1, 0.9) : at + rng.seconds(0.2, 40));
  let end = at + rng.seconds(600, 7_200);
  for (let i = kind === "restarting" ? rng.int(1, 3) : 0; i > 0; i--) {
    endContainer(log, plan, replica, end, false);
    const again = end + rng.seconds(1, 30);
    startContainer(log, plan, replica, plan.app, again);
    if (rng.chance(0.8)) userRequests(rng, make, from, again + rng.seconds(0.2, 20));
    end = again + rng.seconds(300, 3_600);
  }
  if (kind !== "unlogged" && rng.chance(0.6)) endContainer(log, plan, replica, end, true);
}

/**
 * A fleet with the variety that real exports hold: several apps, both dialects of the platform, side
 * containers, restarts, idle and already running replicas, all spellings of sampling, probes, synthetic
 * and consumer rows, gRPC, web sockets, exact copies and rows without an instance. The same seed and
 * options give the same fleet. Ids are unique but for the copies; a few rows have none.
 */
export function seededFleet(seed: number, options: FleetOptions = {}): Fleet {
  const rng = new Rng(seed);
  const snap = (ticks: bigint): bigint => (options.milliseconds ? ticks - (ticks % TICKS_PER_MS) : ticks);
  const make = new RowFactory(rng, snap);
  const log = new EventLog(snap);
  const origin = BigInt(Date.parse(`${rng.pick(DAYS)}T12:00:00Z`)) * TICKS_PER_MS;
  for (const app of NAMES.slice(0, options.apps ?? 2)) {
    const revision = `${app}--${rng.chance(0.5) ? `000000${rng.int(1, 9)}` : rng.text(7, "abcdefghijkmnpqrstuvwxyz0123456789")}`;
    const plan: AppPlan = {
      app,
      revision,
      dialect: rng.pick(["legion", "kubelet"]),
      dapr: rng.chance(0.4),
    };
    revisionEvents(log, plan, origin - rng.seconds(60, 600));
    const process = { role: app, version: revision, host: `${app}.example.test` };
    const hash = rng.text(9, HASH);
    for (let i = options.replicas ?? 8; i > 0; i--) {
      const instance = `${revision}-${hash}-${rng.text(5, SUFFIX)}`;
      const at = origin + (rng.chance(0.25) ? rng.seconds(0, 900) : rng.seconds(900, 90_000));
      replicaLife(rng, make, log, plan, { ...process, instance }, at);
    }
    for (let i = rng.int(0, 2); i > 0; i--) {
      make.user({ ...process, instance: undefined }, origin + rng.seconds(0, 90_000), 0.4, { itemCount: 1 });
    }
  }
  const order = rng.pick(["ascending", "descending", "written"]);
  const by = (a: bigint, b: bigint): number =>
    (a < b ? -1 : a > b ? 1 : 0) * (order === "descending" ? -1 : 1);
  if (order !== "written") {
    make.rows.sort((a, b) => by(a.startTicks, b.startTicks));
    log.events.sort((a, b) => by(a.timeTicks, b.timeTicks));
  }
  return { rows: make.rows, events: log.events };
}

/** Fleets of every size, shrinking towards one app with one replica. */
export function fleetArbitrary(options: Pick<FleetOptions, "milliseconds"> = {}): fc.Arbitrary<Fleet> {
  return fc
    .record({
      seed: fc.nat(),
      apps: fc.integer({ min: 1, max: 3 }),
      replicas: fc.integer({ min: 1, max: 10 }),
    })
    .map(({ seed, apps, replicas }) => seededFleet(seed, { ...options, apps, replicas }));
}

/** Text that is awkward in CSV, JSON or UTF-16, never empty and without blanks at its ends. */
const awkwardText: fc.Arbitrary<string> = fc
  .string({
    unit: fc.constantFrom("a", "B", "7", '"', "'", ";", ",", "\\", "\n", "\t", "{", "+", "ü", "😀", " ", "/"),
  })
  .map((text) => `x${text}y`);

/**
 * Single rows with awkward text in every free field. Ids are unique over an array when it is made with
 * `formRowsArbitrary`.
 */
export function formRowArbitrary(options: Pick<FleetOptions, "milliseconds"> = {}): fc.Arbitrary<FormRow> {
  const grid = options.milliseconds ? TICKS_PER_MS : 1n;
  const from = BigInt(Date.parse("2026-01-01T00:00:00Z")) * TICKS_PER_MS;
  const year = 365n * 86_400n * SECOND;
  return fc.record(
    {
      startTicks: fc.bigInt({ min: 0n, max: year / grid }).map((n) => from + n * grid),
      durationTicks: fc.oneof(fc.nat(1_000_000_000), fc.integer({ min: 0, max: 2_000_000_000_000 })),
      name: fc.oneof(fc.constantFrom("GET /", "POST /a", "", "topic process"), awkwardText),
      resultCode: fc.constantFrom("200", "0", "404", "500", "101"),
      success: fc.boolean(),
      itemCount: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2_000 })),
      role: fc.constantFrom("orders-api", "[env1]/quotes"),
      id: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 16, maxLength: 16 }),
      operationId: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 32 }),
      parentId: fc.constant("00f067aa0ba902b7"),
      url: awkwardText.map((text) => `https://example.test/${encodeURIComponent(text)}`),
      sampleRate: fc.constantFrom(100, 50, 12.5, 100 / 3, 0.1),
      dimensions: fc.dictionary(fc.constantFrom("a", "b.c", "_MS.links"), awkwardText),
      measurements: fc.dictionary(
        fc.constantFrom("timeSinceEnqueued", "m"),
        fc.integer().map((n) => n / 8),
      ),
      instance: fc.constantFrom("orders-api--0000001-666f66947-mjk8g", "orders-api--0000001-666f66947-x8k2p"),
      source: awkwardText,
      syntheticSource: fc.constantFrom("Bot", "Application Insights Availability Monitoring"),
      sdkVersion: fc.constantFrom("java:3.7.3", "aspnet5c:2.1.1"),
      version: awkwardText,
    },
    { requiredKeys: ["startTicks", "durationTicks", "name", "resultCode", "success", "itemCount", "role"] },
  );
}

/** Arrays of such rows; where a row has an id it is unique. */
export function formRowsArbitrary(options: Pick<FleetOptions, "milliseconds"> = {}): fc.Arbitrary<FormRow[]> {
  return fc.uniqueArray(formRowArbitrary(options), {
    maxLength: 30,
    selector: (row) => row.id ?? row,
  });
}
