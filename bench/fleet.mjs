import { createRandom } from "./random.mjs";

export const TICKS_PER_MS = 10_000;
const SECOND = 1000 * TICKS_PER_MS;
const MINUTE = 60 * SECOND;
const SPAN = 7 * 24 * 60 * MINUTE;
const HASH_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/**
 * The life of a fleet, event by event and in order of start: `rows` requests spread over at most 1,500
 * replicas that are born over seven days, each with a slow first request, often a few requests that wait
 * beside it, and a Poisson stream afterwards. An event is `{ instance, tick, durationTicks, kind,
 * itemCount, sampleRate }`, ticks being 100 ns since the start of the data.
 */
export function* fleetEvents(rows, seed) {
  const random = createRandom(seed);
  const waiting = new Heap((instance) => instance.next);
  for (const instance of createInstances(rows, random)) waiting.push(instance);
  while (waiting.size > 0) {
    const instance = waiting.pop();
    yield nextEvent(instance, random);
    instance.remaining -= 1;
    if (instance.remaining > 0) waiting.push(instance);
  }
}

function createInstances(rows, random) {
  const count = Math.min(1500, Math.ceil(rows / 100));
  const shares = Array.from({ length: count }, () => random.logNormal(1, 0.8));
  const total = shares.reduce((sum, share) => sum + share, 0);
  // Each instance has at least one row; what rounding leaves goes to the last ones.
  const quotas = shares.map((share) => 1 + Math.floor(((rows - count) * share) / total));
  let left = rows - quotas.reduce((sum, quota) => sum + quota, 0);
  for (let i = count - 1; left > 0; i = (i + count - 1) % count, left--) quotas[i] += 1;

  return quotas.map((quota, i) => {
    // The first ones begin so near the start of the data that nobody can tell whether they were born there.
    const early = i < Math.max(2, count / 100);
    const born = Math.floor(early ? random.unit() * 9 * MINUTE : 11 * MINUTE + random.unit() * SPAN);
    const revision = `ca-orders--${String(40 + Math.floor((i * 12) / count)).padStart(7, "0")}`;
    const suffix = Array.from({ length: 5 }, () => HASH_LETTERS[random.below(HASH_LETTERS.length)]).join("");
    const life = Math.max(3 * MINUTE, random.logNormal(45 * MINUTE, 0.8));
    return {
      name: `${revision}-${random.hex(10)}-${suffix}`,
      revision,
      next: born,
      remaining: quota,
      gap: life / quota,
      sampling: random.pick(["none", "none", "none", "count", "count", "rate", "rate", "both"]),
      // Mostly the whole numbers that rate-limited samplers keep to; 2.5 and 10/3 are fixed 40 and 30 percent.
      keepOneIn: random.pick([2, 2, 3, 4, 5, 8, 10, 2.5, 10 / 3]),
      // A rate-limited sampler keeps all of a process' first moments, a fixed one does not.
      sampledFrom: random.chance(0.7) ? born + random.exponential(20 * SECOND) : born,
      warmUp: random.chance(0.15) ? "probe" : random.chance(0.05) ? "consumer" : "nothing",
      firstMedianMs: random.chance(0.6) ? 4200 : 900,
      firstStart: -1,
      firstEnd: -1,
      users: 0,
      burst: 0,
    };
  });
}

function nextEvent(instance, random) {
  const tick = instance.next;
  const kind = chooseKind(instance, random);
  const durationTicks = Math.max(1, Math.round(duration(instance, kind, tick, random) * TICKS_PER_MS));
  if (kind === "user") {
    instance.users += 1;
    if (instance.users === 1) {
      instance.firstStart = tick;
      instance.firstEnd = tick + durationTicks;
      instance.burst = random.chance(0.35) ? 1 + random.below(6) : 0;
    }
  }
  let mean = instance.gap;
  if (instance.users === 0) mean = Math.min(mean, 3 * SECOND);
  if (instance.burst > 0) {
    mean = (instance.firstEnd - instance.firstStart) / 8;
    instance.burst -= 1;
  }
  instance.next = tick + 1 + Math.floor(random.exponential(mean));
  return { instance, tick, durationTicks, kind, ...sampling(instance, tick, random) };
}

function chooseKind(instance, random) {
  if (instance.warmUp !== "nothing") {
    const kind = instance.warmUp;
    instance.warmUp = "nothing";
    return kind;
  }
  if (instance.users === 0 || instance.burst > 0) return "user";
  const u = random.unit();
  if (u < 0.08) return "probe";
  if (u < 0.18) return "consumer";
  if (u < 0.186) return "synthetic";
  if (u < 0.2) return "timer";
  if (u < 0.207) return "upgrade";
  return "user";
}

function duration(instance, kind, tick, random) {
  if (kind === "probe") return random.logNormal(0.7, 0.5);
  if (kind === "consumer") return random.logNormal(110, 0.6);
  if (kind === "timer") return random.logNormal(350, 0.7);
  if (kind === "upgrade") return random.logNormal(90_000, 1);
  if (kind === "synthetic") return random.logNormal(30, 0.5);
  if (instance.users === 0) return random.logNormal(instance.firstMedianMs, 0.45);
  if (tick < instance.firstEnd && random.chance(0.7)) {
    const rest = (instance.firstEnd - tick) / TICKS_PER_MS;
    return rest * (0.6 + 0.45 * random.unit()) + random.logNormal(30, 0.5);
  }
  if (random.chance(0.004)) return random.logNormal(2500, 0.5);
  return random.logNormal(22, 0.7) * (1 + 5 / instance.users);
}

/** What the row says of sampling; a rate of null means that the row does not carry one. */
function sampling(instance, tick, random) {
  const kept = tick < instance.sampledFrom;
  const n = kept ? 1 : instance.keepOneIn;
  switch (instance.sampling) {
    case "none":
      return { itemCount: 1, sampleRate: null };
    case "count":
      return { itemCount: Math.ceil(n), sampleRate: null };
    case "rate":
      return { itemCount: 1, sampleRate: 100 / n };
    default:
      // Now and then the two contradict each other: a leftover fixed ratio beside the sampler's own rate.
      return { itemCount: Math.ceil(n) + (random.chance(0.01) ? 6 : 0), sampleRate: 100 / n };
  }
}

/** A binary min-heap. */
export class Heap {
  #items = [];
  #key;
  constructor(key) {
    this.#key = key;
  }
  get size() {
    return this.#items.length;
  }
  peek() {
    return this.#items[0];
  }
  push(item) {
    const items = this.#items;
    let i = items.length;
    items.push(item);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (this.#key(items[parent]) <= this.#key(item)) break;
      items[i] = items[parent];
      i = parent;
    }
    items[i] = item;
  }
  pop() {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#key(items[child + 1]) < this.#key(items[child])) child += 1;
      if (this.#key(items[child]) >= this.#key(last)) break;
      items[i] = items[child];
      i = child;
    }
    items[i] = last;
    return top;
  }
}
