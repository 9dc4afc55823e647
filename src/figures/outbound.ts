import type { Fleet } from "../fleet/fleet.ts";
import type { DependencyRow, Detail } from "../telemetry/detail.ts";
import { TICKS_PER_MS, ticksOfMs } from "../telemetry/time.ts";

/** How a request's time is made up. Milliseconds. */
export interface RequestParts {
  readonly durationMs: number;
  /** From the request's start to the start of its first outbound call. */
  readonly firstCallMs: number;
  /** Time with at least one outbound call under way, clipped to the request. */
  readonly outboundMs: number;
  /** The calls' own durations added up, clipped to the request: more than `outboundMs` where calls overlap. */
  readonly outboundSumMs: number;
  /** `durationMs − outboundMs`: the process's own work, and waiting that no call explains. */
  readonly restMs: number;
  readonly calls: number;
  /** Calls that were still under way when the request ended. */
  readonly unfinished: number;
  /** Another request of the same operation ran in the process meanwhile, so a call may be the other's. */
  readonly isShared: boolean;
}

/** Why a request has no parts. */
export type NoParts =
  /** The request row has no operation id: nothing can be joined to it. */
  | "noOperation"
  /** No dependency row bears its operation id. */
  | "noRows"
  /** Dependency rows bear its operation id, but none is an outbound call that this request began. */
  | "noCallInside"
  /** Only spans within the process (type `InProc`) began inside it. */
  | "inProcessOnly";

/** Spans within the process stand among the dependencies under this type: they are no calls to anybody. */
export function isInProcess(type: string): boolean {
  return /^inproc\b/i.test(type.trim());
}

/** Joins dependency rows to requests: same operation, same process, begun while the request ran. */
export class OutboundCalls {
  readonly #byOperation = new Map<string, DependencyRow[]>();
  /** The requests whose operation has dependencies: their rows and ids. */
  readonly #requests = new Map<string, { readonly rows: number[]; readonly ids: Set<string> }>();

  constructor(
    readonly fleet: Fleet,
    readonly detail: Detail,
  ) {
    for (const row of detail.dependencies) {
      if (row.operationId === "") continue;
      const known = this.#byOperation.get(row.operationId);
      if (known === undefined) this.#byOperation.set(row.operationId, [row]);
      else known.push(row);
    }
    for (const rows of this.#byOperation.values()) rows.sort((a, b) => a.ticks - b.ticks);
    for (const [row, { operationId, id }] of detail.requests) {
      if (!this.#byOperation.has(operationId)) continue;
      const known = this.#requests.get(operationId) ?? { rows: [], ids: new Set<string>() };
      this.#requests.set(operationId, known);
      known.rows.push(row);
      if (id !== "") known.ids.add(id);
    }
  }

  /** The parts of a request, or why it has none. */
  of(row: number): RequestParts | NoParts {
    const { table } = this.fleet;
    const operation = this.detail.requests.get(row)?.operationId ?? "";
    if (operation === "") return "noOperation";
    const rows = this.#byOperation.get(operation);
    if (rows === undefined) return "noRows";
    const from = table.start(row);
    const to = from + ticksOfMs(table.duration(row));
    const { id } = this.detail.requests.get(row)!;
    const { ids } = this.#requests.get(operation)!;
    const inside: DependencyRow[] = [];
    for (let i = firstFrom(rows, from); i < rows.length && rows[i]!.ticks < to; i++) {
      const call = rows[i]!;
      // A call whose parent is another request is that one's.
      const isOthers = call.parentId !== id && ids.has(call.parentId);
      if (!isOthers && this.#isSameProcess(call, row)) inside.push(call);
    }
    const calls = inside.filter(({ type }) => !isInProcess(type));
    if (calls.length === 0) return inside.length === 0 ? "noCallInside" : "inProcessOnly";
    return {
      ...partsOf(table.duration(row), from, to, calls),
      isShared: this.#isShared(row, operation, to, calls),
    };
  }

  /** What an export leaves out cannot tell two processes apart. */
  #isSameProcess(call: DependencyRow, row: number): boolean {
    const { role, instance } = this.fleet.table.identities[this.fleet.table.identity(row)]!;
    return (
      (call.instance === "" || call.instance === instance) &&
      (call.role === "" || role === "" || call.role === role)
    );
  }

  #isShared(row: number, operation: string, to: number, calls: readonly DependencyRow[]): boolean {
    const { table } = this.fleet;
    const own = this.detail.requests.get(row)!.id;
    if (calls.every(({ parentId }) => parentId !== "" && parentId === own)) return false;
    return this.#requests.get(operation)!.rows.some((other) => {
      if (other === row || table.identity(other) !== table.identity(row)) return false;
      const id = this.detail.requests.get(other)!.id;
      if (id !== "" && id === own) return false;
      const start = table.start(other);
      return start < to && start + ticksOfMs(table.duration(other)) > table.start(row);
    });
  }
}

/** The first position whose row begins at or after `ticks`. */
function firstFrom(rows: readonly DependencyRow[], ticks: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]!.ticks < ticks) low = middle + 1;
    else high = middle;
  }
  return low;
}

function partsOf(
  durationMs: number,
  from: number,
  to: number,
  calls: readonly DependencyRow[],
): Omit<RequestParts, "isShared"> {
  const spans = calls.map(({ ticks, durationMs }) => ({ from: ticks, end: ticks + ticksOfMs(durationMs) }));
  let union = 0;
  let sum = 0;
  let unfinished = 0;
  let covered = from;
  for (const span of spans) {
    const end = Math.min(span.end, to);
    // The request's end may be cut to whole milliseconds.
    if (span.end > to + TICKS_PER_MS) unfinished++;
    sum += end - span.from;
    union += Math.max(0, end - Math.max(span.from, covered));
    covered = Math.max(covered, end);
  }
  const outboundMs = union / TICKS_PER_MS;
  return {
    durationMs,
    firstCallMs: (spans[0]!.from - from) / TICKS_PER_MS,
    outboundMs,
    outboundSumMs: sum / TICKS_PER_MS,
    restMs: Math.max(0, durationMs - outboundMs),
    calls: calls.length,
    unfinished,
  };
}
