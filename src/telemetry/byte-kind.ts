import { type Finder, finder } from "./byte-find.ts";
import { type ByteRow, Tag } from "./byte-row.ts";
import { FieldIndex } from "./field-index.ts";
import { Field } from "./fields.ts";
import { type Kind, kindOf } from "./kind.ts";

const NOTHING: ReadonlyMap<string, unknown> = new Map();
/** Bags without any of these texts cannot change what name, code and source say. */
const EVIDENCE = ["httpmethod", "host.results", "rpc.", "messaging.", "_ms.links", "timesinceenqueued"].map(
  finder,
);
/** The rules that come before messages: the others cannot change a consumer. */
const CONSUMER_EVIDENCE = EVIDENCE.slice(0, 3);
const FIELDS = [Field.name, Field.resultCode, Field.source, Field.url];
const MOST_NAMES = 4096;

export type NonHttpKind = "consumer" | "other";

/**
 * Kinds of rows without an HTTP URL, by the bytes of name, code, source and URL. Such rows repeat a few names, so
 * the answer of {@link kindOf} is kept by those bytes.
 */
export class NonHttpKinds {
  readonly #known = new FieldIndex(FIELDS, kindByText, MOST_NAMES);
  readonly #sdkFunctions: (row: ByteRow) => boolean;

  constructor(isFunctions: (row: ByteRow) => boolean) {
    this.#sdkFunctions = isFunctions;
  }

  /** The kind of a row that is not plainly HTTP; null where its bags must be opened, or it is HTTP after all. */
  kind(row: ByteRow): NonHttpKind | null {
    if (this.#sdkFunctions(row)) return null;
    for (const field of FIELDS) if (row.tag[field]! > Tag.plain) return null;
    const kind = this.#known.find(row);
    return kind === "http" || hasEvidence(row, kind) ? null : kind;
  }
}

function kindByText(row: ByteRow): Kind {
  return kindOf({
    name: latin(row, Field.name).trim(),
    url: latin(row, Field.url).trim(),
    resultCode: latin(row, Field.resultCode).trim(),
    source: latin(row, Field.source).trim(),
    sdkVersion: "",
    dimensions: NOTHING,
    measurements: NOTHING,
  });
}

/** Whether a bag could change the kind. */
function hasEvidence(row: ByteRow, kind: NonHttpKind): boolean {
  const finders = kind === "consumer" ? CONSUMER_EVIDENCE : EVIDENCE;
  return holds(row, Field.dimensions, finders) || holds(row, Field.measurements, finders);
}

function holds(row: ByteRow, field: number, finders: readonly Finder[]): boolean {
  if (row.tag[field] === Tag.absent) return false;
  const { bytes } = row;
  for (const find of finders) if (find(bytes, row.from[field]!, row.to[field]!) !== -1) return true;
  return false;
}

/** Bytes as text, one character a byte: enough to tell names apart and to match ASCII patterns. */
function latin(row: ByteRow, field: number): string {
  if (row.tag[field] === Tag.absent) return "";
  const { bytes } = row;
  const from = row.from[field]!;
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, row.to[field]! - from).toString("latin1");
}
