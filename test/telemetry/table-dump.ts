import { Buffer } from "node:buffer";
import type { RequestBuilder, Tallies } from "../../src/telemetry/builder.ts";
import { BLOCK, type RequestTable } from "../../src/telemetry/table.ts";

/** Every column of a row. */
export interface DumpedRow {
  readonly start: number;
  readonly duration: number;
  readonly weight: number;
  readonly role: string;
  readonly instance: string;
  readonly version: string;
  readonly rowClass: number;
  readonly success: number;
  readonly operation: number;
  readonly id: string;
}

export interface Dump {
  readonly rows: readonly DumpedRow[];
  readonly malformed: number;
  readonly tallies: Tallies;
}

/** What a builder has made, column by column, identities by their texts. */
export function dump({ table, malformed, tallies }: RequestBuilder): Dump {
  const rows: DumpedRow[] = [];
  table.forEach((row) => {
    const { role, instance, version } = table.identities[table.identity(row)]!;
    rows.push({
      start: table.start(row),
      duration: table.duration(row),
      weight: table.weight(row),
      role,
      instance,
      version,
      rowClass: table.rowClass(row),
      success: table.success(row),
      operation: table.operation(row),
      id: idOf(table, row),
    });
  });
  return { rows, malformed, tallies: { ...tallies } };
}

function idOf(table: RequestTable, row: number): string {
  const block = table.blocks[Math.floor(row / BLOCK)]!;
  const from = block.idStart[row % BLOCK]!;
  return Buffer.from(block.ids.subarray(from, from + block.idLength[row % BLOCK]!)).toString("utf8");
}
