import type { Fleet } from "../fleet/fleet.ts";
import type { Life } from "../fleet/lives.ts";
import { contains, type Window } from "../fleet/settings.ts";
import type { ContainerStart } from "../fleet/starts.ts";
import { revisionOfReplica } from "../telemetry/events.ts";
import { TICKS_PER_SECOND } from "../telemetry/time.ts";
import type { WarmedLine } from "./leak-line.ts";

/** A row may carry a clock a little behind the platform's. */
const SLACK = TICKS_PER_SECOND;

/** What is known of one start while rows and lines are being gathered. */
interface Slot {
  life: Life | null;
  readonly lines: WarmedLine[];
}

/** A role instance, cut at its container starts. */
class Instance {
  /** By the position of the container start, −1 for what came before the first known one. */
  readonly slots = new Map<number, Slot>();

  constructor(
    readonly role: string,
    readonly instance: string,
    readonly starts: readonly ContainerStart[],
  ) {}

  positionAt(ticks: number): number {
    return this.starts.findLastIndex((start) => start.at <= ticks + SLACK);
  }

  slot(position: number): Slot {
    const known = this.slots.get(position) ?? { life: null, lines: [] };
    this.slots.set(position, known);
    return known;
  }
}

/** The instances of rows and lines by role and name. */
export class Instances {
  readonly #byName = new Map<string, Instance[]>();

  constructor(readonly fleet: Fleet) {}

  of(role: string, name: string): Instance {
    const list = this.#byName.get(name) ?? [];
    this.#byName.set(name, list);
    const known = list.find((instance) => instance.role === role);
    if (known !== undefined) return known;
    const made = new Instance(role, name, this.fleet.starts.get(name) ?? []);
    list.push(made);
    return made;
  }

  /** The instance of a row that may lack the role; undefined where no request row or line names it. */
  known(role: string, name: string): Instance | undefined {
    const list = this.#byName.get(name) ?? [];
    return list.find((instance) => instance.role === role) ?? (role === "" ? list[0] : undefined);
  }

  /** A line may come from an instance without any request row; null where it is of another revision. */
  forLine(line: WarmedLine): Instance | null {
    const known = this.known(line.role, line.instance);
    if (known !== undefined) return known;
    const { revision } = this.fleet.settings;
    if (revision !== null && revisionOfReplica(line.instance) !== revision) return null;
    return this.of(line.role, line.instance);
  }

  *all(): Iterable<Instance> {
    for (const name of [...this.#byName.keys()].sort()) yield* this.#byName.get(name)!;
  }

  /** Container starts in a window, of the apps that the instances belong to, that left nothing else. */
  idle(window: Window): number | null {
    if (this.fleet.events === null) return null;
    const apps = new Set<string>();
    for (const [name, starts] of this.fleet.starts) {
      if (this.#byName.has(name)) for (const start of starts) apps.add(start.app);
    }
    if (apps.size === 0) return null;
    let count = 0;
    for (const [name, starts] of this.fleet.starts) {
      starts.forEach((start, position) => {
        const isSeen = this.#byName.get(name)?.some((instance) => instance.slots.has(position)) ?? false;
        if (apps.has(start.app) && contains(window, start.at) && !isSeen) count++;
      });
    }
    return count;
  }
}
