import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import type { ReportDocument } from "../../src/report/document.ts";
import { differences } from "../figures/agreement.ts";
import { InputFolder, report, withoutInputs } from "../figures/pipeline.ts";
import { shuffled } from "../figures/scenarios.ts";
import { batchTime } from "../forms/event-tables.ts";
import { eventForms, logsShow } from "../forms/events.ts";
import { type Fleet, seededFleet } from "../forms/random.ts";
import { csvIso } from "../forms/request-csv.ts";
import { requestForms } from "../forms/requests.ts";
import { Rng } from "../forms/rng.ts";
import { textOf } from "../forms/splitters.ts";
import { utf8, utf16le } from "../forms/text.ts";
import { asFormKeeps } from "./form-documents.ts";

const folder = new InputFolder();
afterAll(() => folder.remove());

// To the millisecond, so that every form holds the same rows.
const fleet = seededFleet(5, { apps: 3, replicas: 4, milliseconds: true });
const large = seededFleet(6, { apps: 3, replicas: 70, milliseconds: true });
const flags = { guard: "1m", timezone: "Europe/Vienna" };

async function documentOf(
  paths: readonly string[],
  stdin: readonly Uint8Array[] = [],
): Promise<ReportDocument> {
  const { result, faults } = await report(paths, flags, stdin);
  expect(faults).toEqual([]);
  return result.document;
}

/** Bytes in pieces of seeded random size, as a pipe delivers them. */
function pieces(bytes: Uint8Array, rng: Rng, longest: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = rng.int(1, longest);
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

function utf16be(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(utf16le(text)).swap16());
}

/** A form of rows or events, and the half of the fleet that it does not hold. */
interface Way {
  readonly name: string;
  readonly fileName: string;
  write(from: Fleet): Uint8Array;
  rest(from: Fleet): string;
}

const ways: readonly Way[] = [
  ...requestForms.map((form) => ({
    ...form,
    write: ({ rows }: Fleet) => form.write(rows),
    rest: ({ events }: Fleet) => folder.write("rest.ndjson", logsShow(events)),
  })),
  ...eventForms.map((form) => ({
    ...form,
    write: ({ events }: Fleet) => form.write(events),
    rest: ({ rows }: Fleet) => folder.write("rest.csv", csvIso(rows)),
  })),
].filter(({ name }) => !/gzip|utf16/.test(name));

/** What is looked at to tell a form; only what follows it arrives in pieces. */
const HEAD = 1 << 18;

describe.each(ways)("$name", (form) => {
  test("compressed, in UTF-16 and with other line ends it is the same", async () => {
    const bytes = form.write(fleet);
    const rest = form.rest(fleet);
    const plain = withoutInputs(await documentOf([folder.write(form.fileName, bytes), rest]));
    const text = textOf(bytes).replace(/^\uFEFF/, "");
    const spellings: Readonly<Record<string, Uint8Array>> = {
      gzip: gzipSync(bytes),
      "gzip in two members": Buffer.concat([gzipSync(bytes.subarray(0, 99)), gzipSync(bytes.subarray(99))]),
      "byte order mark": utf8(text, true),
      "UTF-16 LE": utf16le(text),
      "UTF-16 BE": utf16be(text),
      "UTF-16 LE in gzip": gzipSync(utf16le(text)),
      CRLF: utf8(text.replace(/\r?\n/g, "\r\n")),
      "no last line end": utf8(text.trimEnd()),
    };
    for (const [what, spelt] of Object.entries(spellings)) {
      const path = folder.write(`${form.fileName}.spelt`, spelt);
      expect(withoutInputs(await documentOf([path, rest])), what).toEqual(plain);
    }
  });

  test("through a pipe in pieces of any size it is the same", async () => {
    // Long enough that rows are cut by the ends of pieces, and no longer.
    const share = (HEAD * 1.15) / form.write(large).length;
    expect(share).toBeLessThan(1);
    const some: Fleet = {
      rows: large.rows.slice(0, Math.ceil(large.rows.length * share)),
      events: large.events.slice(0, Math.ceil(large.events.length * share)),
    };
    const bytes = form.write(some);
    const rest = form.rest(some);
    const plain = withoutInputs(await documentOf([folder.write(form.fileName, bytes), rest]));
    const rng = new Rng(17);
    for (const longest of [1, 50, 3000]) {
      const piped = await documentOf(["-", rest], pieces(bytes, rng, longest));
      expect(withoutInputs(piped), `pieces up to ${longest}`).toEqual(plain);
      expect(piped.inputs[0]!.path).toBe("-");
    }
    const zipped = await documentOf(["-", rest], pieces(gzipSync(bytes), rng, 50));
    expect(withoutInputs(zipped), "gzip").toEqual(plain);
  });
});

describe("several inputs", () => {
  const log = (): string => folder.write("log.ndjson", logsShow(fleet.events));
  const whole = async (): Promise<ReportDocument> =>
    documentOf([folder.write("whole.csv", csvIso(fleet.rows)), log()]);

  test("rows spread over a file of every form give the document of one file", async () => {
    const forms = requestForms.filter((form) => form.lacks === undefined);
    const rng = new Rng(23);
    const part = fleet.rows.map(() => rng.int(0, forms.length - 1));
    const paths = forms.map((form, i) =>
      folder.write(`spread/${form.fileName}`, form.write(fleet.rows.filter((_row, at) => part[at] === i))),
    );
    const spread = await documentOf(shuffled([...paths, log()], rng));
    expect(differences(withoutInputs(spread), withoutInputs(await whole()))).toEqual([]);
    expect(spread.inputs).toHaveLength(forms.length + 1);
  });

  test("the same export given twice adds only duplicates", async () => {
    const rows = fleet.rows.filter((row) => row.id !== undefined);
    const path = folder.write("once.csv", csvIso(rows));
    const once = await documentOf([path, log()]);
    const twice = await documentOf([
      path,
      log(),
      folder.write("again.json", requestForms[0]!.write(rows)),
      log(),
    ]);
    expect(twice.rows).toEqual({
      ...once.rows,
      read: 2 * rows.length,
      duplicate: once.rows.duplicate + rows.length,
    });
    expect(twice.cohorts).toEqual(once.cohorts);
  });

  test("a folder is read with the folders in it, hidden files aside", async () => {
    const half = fleet.rows.length >> 1;
    const tree = new InputFolder();
    const [first, , third] = requestForms;
    tree.write("day=1/hour=00/rows.json", first!.write(fleet.rows.slice(0, half)));
    tree.write("day=1/hour=01/deep/er/rows", third!.write(asFormKeeps(third!, fleet.rows.slice(half))));
    tree.write("log.txt", logsShow(fleet.events));
    tree.write(".hidden/rows.csv", csvIso(fleet.rows));
    tree.write("day=2/.rows.csv", csvIso(fleet.rows));
    const nested = await documentOf([tree.path]);
    tree.write("day=1/notes", utf8("what we saw that day\nand the next\n"));
    const noted = await documentOf([tree.path]);
    tree.remove();
    expect(withoutInputs(nested)).toEqual(withoutInputs(await whole()));
    expect(nested.inputs.map(({ path }) => path.slice(tree.path.length + 1))).toEqual([
      "day=1/hour=00/rows.json",
      "day=1/hour=01/deep/er/rows",
      "log.txt",
    ]);
    expect(noted.warnings).toEqual([
      ...nested.warnings,
      expect.objectContaining({ code: "ignored-files", count: 1 }),
    ]);
  });
});

test("the event's own clock counts, not the time of its batch", async () => {
  const rows = folder.write("rows.csv", csvIso(fleet.rows));
  const late = fleet.events.map((event) => ({ ...event, timeTicks: batchTime(event.timeTicks) }));
  const own = await documentOf([rows, folder.write("own.ndjson", logsShow(fleet.events))]);
  const batch = await documentOf([rows, folder.write("batch.ndjson", logsShow(late))]);
  expect(batch.cohorts).not.toEqual(own.cohorts);
  for (const form of eventForms.filter(({ name }) => /-cl$/.test(name))) {
    const read = await documentOf([rows, folder.write(form.fileName, form.write(fleet.events))]);
    expect(read.cohorts, form.name).toEqual(own.cohorts);
  }
});
