import fc from "fast-check";
import { bagCell } from "./odd-bags.ts";
import { blanks, counts, mostly, names, numbers, times, urls } from "./odd-texts.ts";

/** Columns that the bytes are read of, under their classic names. */
export const COLUMNS = [
  "timestamp",
  "duration",
  "id",
  "operation_Id",
  "name",
  "url",
  "success",
  "resultCode",
  "itemCount",
  "customDimensions",
  "customMeasurements",
  "cloud_RoleName",
  "cloud_RoleInstance",
  "source",
  "operation_SyntheticSource",
  "sdkVersion",
  "application_Version",
] as const;

/** A row as texts, by column; bags are JSON text. */
export type TextRow = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** An ordinary request: with it first, a file is one of flat records. */
export const ORDINARY: TextRow = {
  timestamp: "2026-09-10T06:40:02.5Z",
  duration: "12.5",
  id: "00f067aa0ba902b7",
  operation_Id: "4bf92f3577b34da6",
  name: "GET /orders",
  url: "https://h.test/orders",
  success: "True",
  resultCode: "200",
  itemCount: "1",
  customDimensions: "",
  customMeasurements: "",
  cloud_RoleName: "orders",
  cloud_RoleInstance: "r1",
  source: "",
  operation_SyntheticSource: "",
  sdkVersion: "dotnet8",
  application_Version: "v1",
};

const allOdd: fc.Arbitrary<TextRow> = fc.record({
  timestamp: blanks(times),
  duration: blanks(numbers),
  id: blanks(mostly(["00f067aa0ba902b7", "a", ""], ["é1", 'q"1', "x\\y", "|x.y", "a b", "1e2", "😀"])),
  operation_Id: blanks(mostly(["4bf92f3577b34da6", ""], ["ö", 'o"1', "1.0"])),
  name: blanks(names),
  url: blanks(urls),
  success: blanks(mostly(["True", "False", "true", "false", ""], ["TRUE", "yes", "1", "truee", "fals"])),
  resultCode: blanks(mostly(["200", "404", "101", ""], ["0", "1010", "0101", "101.0", "16"])),
  itemCount: blanks(counts),
  customDimensions: bagCell,
  customMeasurements: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: bagCell }),
  cloud_RoleName: blanks(mostly(["orders", "quotes", ""], ['or"ders', "ärger", "[env]/orders"])),
  cloud_RoleInstance: blanks(mostly(["r1", "r2", ""], ['r"1', "r\u00fc"])),
  source: blanks(
    mostly(["", "topic"], ["h.test/queue", "à/queue", "type:Azure Service Bus | name:q", "a b/c"]),
  ),
  operation_SyntheticSource: blanks(mostly(["", "", "Bot"], ['Bo"t', "Ümlaut"])),
  sdkVersion: blanks(mostly(["dotnet8", ""], ["azurefunctions: 4", "AzureFunctions:4"])),
  application_Version: blanks(mostly(["v1", "v2", ""], ['v"1'])),
});

const columns = fc.uniqueArray(fc.constantFrom(...COLUMNS), { minLength: 1, maxLength: 4 });

/** Rows that are odd in some cells and ordinary in the others, so that only those cells decide how they are read. */
export const textRow: fc.Arbitrary<TextRow> = fc
  .tuple(allOdd, fc.oneof({ weight: 5, arbitrary: columns }, { weight: 1, arbitrary: fc.constant(COLUMNS) }))
  .map(([odd, taken]) => ({
    ...ORDINARY,
    ...Object.fromEntries(taken.map((column) => [column, odd[column]])),
  }));
