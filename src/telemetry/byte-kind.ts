import { finder } from "./byte-find.ts";
import { type ByteRow, Tag } from "./byte-row.ts";
import { Field } from "./fields.ts";
import { kindOf } from "./kind.ts";

const NOTHING: ReadonlyMap<string, unknown> = new Map();
/** Bags without any of these texts cannot change what name, code and source say. */
const EVIDENCE = ["httpmethod", "host.results", "rpc.", "messaging.", "_ms.links", "timesinceenqueued"].map(
  finder,
);
const MOST_NAMES = 4096;

export type NonHttpKind = "consumer" | "other";

/**
 * Kinds of rows without an HTTP URL, by the bytes of name, code, source and URL. Such rows repeat a few names, so
 * the answer of {@link kindOf} is kept by those bytes.
 */
export class NonHttpKinds {
  readonly #known = new Map<string, NonHttpKind | "http">();
  readonly #sdkFunctions: (row: ByteRow) => boolean;

  constructor(isFunctions: (row: ByteRow) => boolean) {
    this.#sdkFunctions = isFunctions;
  }

  /** The kind of a row that is not plainly HTTP; null where its bags must be opened, or it is HTTP after all. */
  kind(row: ByteRow): NonHttpKind | null {
    const { tag } = row;
    if (this.#sdkFunctions(row)) return null;
    if (
      tag[Field.url]! > Tag.plain ||
      tag[Field.name]! > Tag.plain ||
      tag[Field.source]! > Tag.plain ||
      tag[Field.resultCode]! > Tag.plain
    )
      return null;
    const name = latin(row, Field.name);
    const resultCode = latin(row, Field.resultCode);
    const source = latin(row, Field.source);
    const url = latin(row, Field.url);
    const key = `${name}\n${resultCode}\n${source}\n${url}`;
    let kind = this.#known.get(key);
    if (kind === undefined) {
      kind = kindOf({
        name: name.trim(),
        url: url.trim(),
        resultCode: resultCode.trim(),
        source: source.trim(),
        sdkVersion: "",
        dimensions: NOTHING,
        measurements: NOTHING,
      });
      if (this.#known.size < MOST_NAMES) this.#known.set(key, kind);
    }
    if (kind === "http") return null;
    return this.#hasEvidence(row, kind) ? null : kind;
  }

  /** Whether a bag could change the kind: for a consumer only the rules that come before messages. */
  #hasEvidence(row: ByteRow, kind: NonHttpKind): boolean {
    const finders = kind === "consumer" ? EVIDENCE.slice(0, 3) : EVIDENCE;
    return [Field.dimensions, Field.measurements].some(
      (field) =>
        row.tag[field] !== Tag.absent &&
        finders.some((find) => find(row.bytes, row.from[field]!, row.to[field]!) !== -1),
    );
  }
}

/** Bytes as text, one character a byte: enough to tell names apart and to match ASCII patterns. */
function latin(row: ByteRow, field: number): string {
  if (row.tag[field] === Tag.absent) return "";
  const { bytes } = row;
  const from = row.from[field]!;
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, row.to[field]! - from).toString("latin1");
}
