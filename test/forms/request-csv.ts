import { cell, columnsOf, type Encoding, type Naming } from "./columns.ts";
import { csvCells } from "./encodings.ts";
import { type CsvQuoting, csvLine, jsonText, utf8 } from "./text.ts";
import { deDe, enUs, iso7, isoTrimmed } from "./times.ts";
import type { FormRow } from "./types.ts";

interface Csv {
  readonly naming: Naming;
  readonly only: "all" | "core";
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly quoting: CsvQuoting;
  readonly end: string;
  /** The portal names the zone in the header of a time column. */
  readonly zoneInHeader: boolean;
}

function csvText(rows: readonly FormRow[], form: Csv): string {
  const columns = columnsOf(form.naming, form.only);
  const header = columns.map((column) => {
    const zone = form.zoneInHeader && column.type === "datetime" ? " [UTC]" : "";
    return column[form.naming] + zone;
  });
  const lines = rows.map((row, index) =>
    columns.map((column) => String(cell(column, row, index, form.encoding) ?? "")),
  );
  return [header, ...lines].map((line) => csvLine(line, form.delimiter, form.quoting) + form.end).join("");
}

/** The portal's export in an American browser; every other cell of JSON is printed over lines. */
export function portalCsvEnUs(rows: readonly FormRow[]): Uint8Array {
  const dynamic: Encoding["dynamic"] = (value, index) =>
    value === undefined ? "" : jsonText(value, index % 2 === 0 ? {} : { indent: "  " });
  const encoding = csvCells("classic", { time: enUs, dynamic });
  const form: Csv = {
    naming: "classic",
    only: "all",
    encoding,
    delimiter: ",",
    quoting: "portal",
    end: "\r\n",
    zoneInHeader: true,
  };
  return utf8(csvText(rows, form), true);
}

/** The same export as a German spreadsheet keeps it: semicolons and decimal commas. */
export function portalCsvDe(rows: readonly FormRow[]): Uint8Array {
  const real = (value: number): string => String(value).replace(".", ",");
  const form: Csv = {
    naming: "classic",
    only: "core",
    encoding: csvCells("classic", { time: deDe, real }),
    delimiter: ";",
    quoting: "portal",
    end: "\r\n",
    zoneInHeader: true,
  };
  return utf8(csvText(rows, form), true);
}

/** The text of `csvIso`. */
export function csvIsoText(rows: readonly FormRow[]): string {
  return csvText(rows, {
    naming: "workspace",
    only: "core",
    encoding: csvCells("workspace", { time: iso7 }),
    delimiter: ",",
    quoting: "needed",
    end: "\n",
    zoneInHeader: false,
  });
}

/** Plain CSV, workspace names, seven-digit ISO times, `success` as true and false. */
export function csvIso(rows: readonly FormRow[]): Uint8Array {
  return utf8(csvIsoText(rows));
}

/** Plain CSV, classic names, ISO times without trailing zeros, `success` as True and False. */
export function csvClassicIso(rows: readonly FormRow[]): Uint8Array {
  const text = csvText(rows, {
    naming: "classic",
    only: "core",
    encoding: csvCells("classic", { time: isoTrimmed }),
    delimiter: ",",
    quoting: "needed",
    end: "\n",
    zoneInHeader: false,
  });
  return utf8(text);
}
