import { gzipSync } from "node:zlib";
import { csvClassicIso, csvIso, csvIsoText, portalCsvDe, portalCsvEnUs } from "./request-csv.ts";
import { breezeArray, breezeNdjson, breezePrefixed, continuousExport } from "./request-envelopes.ts";
import { kustoV1Tables, kustoV2Frames, kustoV2Progressive } from "./request-kusto.ts";
import {
  concatenatedPrettyJson,
  eventhubRecords,
  jsonArray,
  ndjsonClassic,
  ndjsonClassicStringDims,
  ndjsonClassicText,
  storageRecords,
  workspaceExportLines,
} from "./request-objects.ts";
import {
  appInsightsCli,
  logAnalyticsCli,
  restTablesClassic,
  restTablesWorkspace,
  sdkResultDump,
} from "./request-tables.ts";
import { utf8, utf16le } from "./text.ts";
import type { FormRow, RequestForm } from "./types.ts";

const gzip = (text: string): Uint8Array => new Uint8Array(gzipSync(utf8(text)));

/** `csvIso`, compressed. */
export function csvIsoGzip(rows: readonly FormRow[]): Uint8Array {
  return gzip(csvIsoText(rows));
}

/** `ndjsonClassic`, compressed. */
export function ndjsonClassicGzip(rows: readonly FormRow[]): Uint8Array {
  return gzip(ndjsonClassicText(rows));
}

/** `ndjsonClassic` redirected by Windows PowerShell: UTF-16 LE with a byte order mark, CRLF. */
export function ndjsonClassicUtf16(rows: readonly FormRow[]): Uint8Array {
  return utf16le(ndjsonClassicText(rows, "\r\n"));
}

const fromEnvelope = { itemCountFromEnvelope: true } as const;

/** Every form of request rows. */
export const requestForms: readonly RequestForm[] = [
  { name: "app-insights-cli", fileName: "app-insights-query.json", write: appInsightsCli },
  { name: "log-analytics-cli", fileName: "log-analytics-query.json", write: logAnalyticsCli },
  { name: "rest-tables-classic", fileName: "rest-classic.json", write: restTablesClassic },
  { name: "rest-tables-workspace", fileName: "rest-workspace.json", write: restTablesWorkspace },
  { name: "sdk-dump", fileName: "sdk-result.json", millisecondsOnly: true, write: sdkResultDump },
  { name: "kusto-v1", fileName: "kusto-v1.json", write: kustoV1Tables },
  { name: "kusto-v2", fileName: "kusto-v2.json", write: kustoV2Frames },
  { name: "kusto-v2-progressive", fileName: "kusto-v2-progressive.json", write: kustoV2Progressive },
  { name: "portal-csv-en-us", fileName: "query_data.csv", millisecondsOnly: true, write: portalCsvEnUs },
  { name: "portal-csv-de", fileName: "query_data-de.csv", millisecondsOnly: true, write: portalCsvDe },
  { name: "csv-iso", fileName: "requests.csv", write: csvIso },
  { name: "csv-classic-iso", fileName: "requests-classic.csv", write: csvClassicIso },
  { name: "ndjson-classic", fileName: "requests.ndjson", write: ndjsonClassic },
  { name: "ndjson-classic-string-dims", fileName: "requests-text.ndjson", write: ndjsonClassicStringDims },
  { name: "concatenated-pretty-json", fileName: "requests-pretty.json", write: concatenatedPrettyJson },
  { name: "json-array", fileName: "requests-array.json", write: jsonArray },
  { name: "eventhub-records", fileName: "eventhub-message.json", write: eventhubRecords },
  { name: "storage-records", fileName: "PT1H.json", write: storageRecords },
  { name: "workspace-export", fileName: "PT05M.json", write: workspaceExportLines },
  {
    name: "continuous-export",
    fileName: "continuous-export.blob",
    lacks: ["source", "sdkVersion"],
    syntheticFlagOnly: true,
    write: continuousExport,
  },
  { name: "breeze-array", fileName: "envelopes.json", ...fromEnvelope, write: breezeArray },
  { name: "breeze-ndjson", fileName: "envelopes.ndjson", ...fromEnvelope, write: breezeNdjson },
  { name: "breeze-prefixed", fileName: "debug-output.txt", ...fromEnvelope, write: breezePrefixed },
  { name: "csv-iso-gzip", fileName: "requests.csv.gz", write: csvIsoGzip },
  { name: "ndjson-classic-gzip", fileName: "requests.ndjson.gz", write: ndjsonClassicGzip },
  { name: "ndjson-classic-utf16", fileName: "requests-powershell.ndjson", write: ndjsonClassicUtf16 },
];
