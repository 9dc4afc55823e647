/** Classes of a valid row, before duplicates, roles and windows are known. */
export const RowClass = { consumer: 0, other: 1, synthetic: 2, probe: 3, user: 4 } as const;

export const SUCCESS_UNKNOWN = 0;
export const SUCCESS_TRUE = 1;
export const SUCCESS_FALSE = 2;

/** Who a row belongs to: one entry a distinct (role, instance, version) of the input. */
export interface Identity {
  readonly role: string;
  /** Empty where the row has no role instance. */
  readonly instance: string;
  readonly version: string;
}

/** Rows of one block of columns. */
export const BLOCK = 1 << 16;

export class Block {
  /** Rows in use; only then do the columns hold anything. */
  used = 0;
  readonly start = new Float64Array(BLOCK);
  readonly duration = new Float64Array(BLOCK);
  readonly weight = new Float64Array(BLOCK);
  readonly operation = new Uint32Array(BLOCK);
  readonly identity = new Uint32Array(BLOCK);
  readonly idStart = new Uint32Array(BLOCK);
  readonly idLength = new Uint16Array(BLOCK);
  /** Bits 0–2 class, 3–4 success, 5 mark. */
  readonly flags = new Uint8Array(BLOCK);
  /** Bytes of the rows' ids, grown as needed. */
  ids = new Uint8Array(0);
  idsUsed = 0;
}

/**
 * Request rows by column, in input order: about 39 bytes and the id a row. A row's number is its block's
 * number times {@link BLOCK} plus its place there; blocks need not be full, so numbers may leave gaps.
 * Blocks are never copied while the table grows, and can be handed over from another thread.
 */
export class RequestTable {
  length = 0;
  blocks: Block[] = [];
  /**
   * The rows stand in the order of time, ties as arrival order breaks them, and none repeats another: so a
   * capture keeps them, and their ids need not be read. How many repeated ones were left out is counted.
   */
  isInOrder = false;
  duplicatesLeftOut = 0;
  readonly identities: Identity[] = [];
  readonly #identityIndex = new Map<string, number>();

  /** Index of an identity, made on first sight. */
  identityOf(role: string, instance: string, version: string): number {
    const key = `${role}\u0000${instance}\u0000${version}`;
    const known = this.#identityIndex.get(key);
    if (known !== undefined) return known;
    const index = this.identities.push({ role, instance, version }) - 1;
    this.#identityIndex.set(key, index);
    return index;
  }

  /**
   * Appends a row.
   *
   * @param start ticks
   * @param duration milliseconds
   * @param operation 32-bit hash of the operation id, 0 for none
   * @param id bytes that hold the row's id from `idFrom` to `idTo`
   */
  push(
    start: number,
    duration: number,
    weight: number,
    identity: number,
    rowClass: number,
    success: number,
    operation: number,
    id: Uint8Array,
    idFrom: number,
    idTo: number,
  ): void {
    const block = this.open();
    const at = block.used++;
    const length = Math.min(idTo - idFrom, 0xffff);
    if (block.idsUsed + length > block.ids.length) {
      const grown = new Uint8Array(Math.max(block.ids.length * 2, block.idsUsed + length, BLOCK * 16));
      grown.set(block.ids.subarray(0, block.idsUsed));
      block.ids = grown;
    }
    const ids = block.ids;
    let to = block.idsUsed;
    block.idStart[at] = to;
    block.idLength[at] = length;
    for (let from = idFrom; from < idFrom + length; from++) ids[to++] = id[from]!;
    block.idsUsed = to;
    block.start[at] = start;
    block.duration[at] = duration;
    block.weight[at] = weight;
    block.operation[at] = operation;
    block.identity[at] = identity;
    block.flags[at] = rowClass | (success << 3);
    this.length++;
  }

  /** The block that the next row goes into: not full. Whoever fills it adds to `length` as well. */
  open(): Block {
    const last = this.blocks[this.blocks.length - 1];
    if (last !== undefined && last.used < BLOCK) return last;
    const block = new Block();
    this.blocks.push(block);
    return block;
  }

  /** The number that the next row pushed will have. */
  get next(): number {
    const last = this.blocks.length - 1;
    const used = this.blocks[last]?.used ?? BLOCK;
    return used === BLOCK ? (last + 1) * BLOCK : last * BLOCK + used;
  }

  /** Calls back for each row number, in input order. */
  forEach(visit: (row: number) => void): void {
    for (let block = 0; block < this.blocks.length; block++) {
      const from = block * BLOCK;
      const to = from + this.blocks[block]!.used;
      for (let row = from; row < to; row++) visit(row);
    }
  }

  /** One more than the greatest row number. */
  get capacity(): number {
    return this.blocks.length * BLOCK;
  }

  /** Puts the rows of another table after these. The other table must not be used any more. */
  append(other: RequestTable): void {
    const map = Uint32Array.from(other.identities, ({ role, instance, version }) =>
      this.identityOf(role, instance, version),
    );
    for (const block of other.blocks) {
      for (let i = 0; i < block.used; i++) block.identity[i] = map[block.identity[i]!]!;
      this.blocks.push(block);
    }
    this.length += other.length;
  }

  start(row: number): number {
    return this.blocks[row >>> 16]!.start[row & (BLOCK - 1)]!;
  }

  setStart(row: number, ticks: number): void {
    this.blocks[row >>> 16]!.start[row & (BLOCK - 1)] = ticks;
  }

  duration(row: number): number {
    return this.blocks[row >>> 16]!.duration[row & (BLOCK - 1)]!;
  }

  weight(row: number): number {
    return this.blocks[row >>> 16]!.weight[row & (BLOCK - 1)]!;
  }

  identity(row: number): number {
    return this.blocks[row >>> 16]!.identity[row & (BLOCK - 1)]!;
  }

  rowClass(row: number): number {
    return this.blocks[row >>> 16]!.flags[row & (BLOCK - 1)]! & 7;
  }

  /** Marks the row pushed last: its path is the one that was asked for. */
  markLast(): void {
    const block = this.blocks[this.blocks.length - 1]!;
    block.flags[block.used - 1]! |= 32;
  }

  isMarked(row: number): boolean {
    return (this.blocks[row >>> 16]!.flags[row & (BLOCK - 1)]! & 32) !== 0;
  }

  success(row: number): number {
    return (this.blocks[row >>> 16]!.flags[row & (BLOCK - 1)]! >>> 3) & 3;
  }

  operation(row: number): number {
    return this.blocks[row >>> 16]!.operation[row & (BLOCK - 1)]!;
  }

  hasId(row: number): boolean {
    return this.blocks[row >>> 16]!.idLength[row & (BLOCK - 1)]! > 0;
  }

  /** Byte order of two rows' ids: negative, 0 or positive; a missing id comes first. */
  compareIds(a: number, b: number): number {
    const left = this.blocks[a >>> 16]!;
    const right = this.blocks[b >>> 16]!;
    const leftLength = left.idLength[a & (BLOCK - 1)]!;
    const rightLength = right.idLength[b & (BLOCK - 1)]!;
    let i = left.idStart[a & (BLOCK - 1)]!;
    let j = right.idStart[b & (BLOCK - 1)]!;
    for (const end = i + Math.min(leftLength, rightLength); i < end; i++, j++) {
      const difference = left.ids[i]! - right.ids[j]!;
      if (difference !== 0) return difference;
    }
    return leftLength - rightLength;
  }
}
