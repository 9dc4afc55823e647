import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";

/** The text of a form's bytes; a byte order mark stays as its first character. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return gunzipSync(buffer).toString("utf8");
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString("utf16le");
  return buffer.toString("utf8");
}

/** Cells of CSV text that ends with a line end; quotes double inside quoted cells. */
export function splitCsv(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let rest = text.replace(/^\uFEFF/, "");
  while (rest !== "") {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const plain = quoted ?? new RegExp(`^([^${delimiter}\r\n"]*)`).exec(rest)!;
    cells.push(quoted === null ? plain[1]! : quoted[1]!.replaceAll('""', '"'));
    rest = rest.slice(plain[0].length);
    if (rest.startsWith(delimiter)) {
      rest = rest.slice(1);
      continue;
    }
    const end = /^\r?\n/.exec(rest);
    if (end === null) throw new Error(`no delimiter before: ${rest.slice(0, 40)}`);
    rest = rest.slice(end[0].length);
    records.push(cells);
    cells = [];
  }
  return records;
}

/** Objects printed one after another, each ending in a line that is only a brace. */
export function splitPretty(text: string): unknown[] {
  return JSON.parse(`[${text.trim().replaceAll("\n}\n{", "\n},\n{")}]`) as unknown[];
}

/** One JSON value a line; text before the first brace of a line is dropped. */
export function splitLines(text: string): unknown[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))) as unknown);
}

/** Ticks of any spelling of an instant that a form uses. */
export function ticksOf(text: string): bigint {
  const part = (pattern: RegExp): string[] => pattern.exec(text)?.slice(1) ?? [];
  const us = part(/^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)\.(\d+) ([AP])M$/);
  const de = part(/^(\d+)\.(\d+)\.(\d+), (\d+):(\d+):(\d+)\.(\d+)$/);
  const iso = part(/^(\d+)-(\d+)-(\d+)[T ](\d+):(\d+):(\d+)(?:\.(\d+))?(?:Z|\+00:00| \+0000 UTC)$/);
  const hour = us.length > 0 ? (Number(us[3]) % 12) + (us[7] === "P" ? 12 : 0) : 0;
  const [y, m, d, h, min, s, f] =
    us.length > 0
      ? [us[2], us[0], us[1], hour, us[4], us[5], us[6]]
      : de.length > 0
        ? [de[2], de[1], de[0], ...de.slice(3)]
        : iso;
  if (y === undefined) throw new Error(`no instant: ${text}`);
  const ms = Date.UTC(Number(y), Number(m) - 1, Number(d), Number(h), Number(min), Number(s));
  return BigInt(ms) * 10_000n + BigInt(String(f ?? "").padEnd(7, "0"));
}

/** Ticks of an envelope's duration. */
export function spanTicks(text: string): number {
  const [, days, h, m, s, f] = /^(?:(\d+)\.)?(\d\d):(\d\d):(\d\d)(?:\.(\d{7}))?$/.exec(text)!;
  const seconds = ((Number(days ?? 0) * 24 + Number(h)) * 60 + Number(m)) * 60 + Number(s);
  return seconds * 1e7 + Number(f ?? 0);
}
