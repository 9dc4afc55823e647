import { readFile } from "node:fs/promises";
import { parseAllDocuments } from "yaml";
import { DataFault } from "../../telemetry/fault.ts";
import type { AppSpec } from "../../telemetry/spec.ts";
import { isManifest, isProcess, manifestApps, processApp } from "./cloud-foundry.ts";
import { containerApp, isContainerApp } from "./container-app.ts";
import { isTemplate, templateApps } from "./template.ts";
import { get, isBag } from "./values.ts";

const REMEDY =
  "give what az containerapp show prints (JSON or YAML), an ARM template (bicep build), a Cloud Foundry manifest, or the process JSON of its v3 API";
/** A template of a whole landing zone has a few megabytes. */
const MOST_BYTES = 50_000_000;
const MOST_DEPTH = 200;

/**
 * Reads the apps that a file declares; what kind of file it is, its content tells.
 *
 * @throws DataFault where it cannot be read, or declares no app
 */
export async function readSpec(path: string, stdin: AsyncIterable<Uint8Array>): Promise<AppSpec[]> {
  const bytes = path === "-" ? await readAll(stdin) : await readPath(path);
  return parseSpec(decode(bytes), path);
}

/** The apps that a text declares. @throws DataFault where it declares none */
export function parseSpec(text: string, path: string): AppSpec[] {
  const specs = documentsOf(text, path).flatMap((document) => appsOf(document, path, ""));
  if (specs.length > 0) return specs;
  throw new DataFault("no app, job or process is declared here", REMEDY, { path });
}

function appsOf(value: unknown, path: string, place: string): AppSpec[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => appsOf(item, path, `${place}[${i}]`));
  if (!isBag(value)) return [];
  if (isManifest(value)) return manifestApps(value, path);
  if (isContainerApp(value)) return [containerApp(value, path, "container-app", place)];
  if (isProcess(value)) return [processApp(value, path, place)];
  if (isTemplate(value)) return templateApps(value, path, place);
  // Lists of both APIs: `az rest` pages have `value`, pages of the v3 API `resources`.
  for (const key of ["value", "resources", "template"]) {
    const list = get(value, key);
    if (Array.isArray(list)) return appsOf(list, path, place === "" ? key : `${place}.${key}`);
  }
  const exported = get(value, "template");
  return isBag(exported) && isTemplate(exported) ? templateApps(exported, path, "template") : [];
}

function documentsOf(text: string, path: string): unknown[] {
  if (/^\s*[[{]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      // Flow style of YAML begins in the same way.
    }
  }
  if (deepest(text) > MOST_DEPTH) throw new DataFault("brackets are nested too deeply", REMEDY, { path });
  const documents = parseAllDocuments(text, { schema: "core", logLevel: "error", prettyErrors: false });
  if (!Array.isArray(documents)) return [];
  const values: unknown[] = [];
  for (const document of documents) {
    const error = document.errors[0];
    if (error !== undefined) {
      const line = text.slice(0, error.pos[0]).split("\n").length;
      const what = error.message.replace(/\s+/g, " ").replace(/[.:]$/, "");
      throw new DataFault(`neither JSON nor YAML (line ${line}: ${what})`, REMEDY, { path });
    }
    try {
      values.push(document.toJS({ maxAliasCount: 100 }));
    } catch (fault) {
      const what = fault instanceof Error ? fault.message : String(fault);
      throw new DataFault(`YAML that cannot be taken in (${what})`, REMEDY, { path });
    }
  }
  return values;
}

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const char of text) {
    if (char === "[" || char === "{") most = Math.max(most, ++depth);
    else if (char === "]" || char === "}") depth--;
  }
  return most;
}

/** Shells of Windows write UTF-16 when output is redirected. */
function decode(bytes: Uint8Array): string {
  const [a, b] = bytes;
  const name = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(name).decode(bytes);
}

async function readPath(path: string): Promise<Uint8Array> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MOST_BYTES)
      throw new DataFault("more than 50 MB, which no spec has", REMEDY, { path });
    return bytes;
  } catch (error) {
    if (error instanceof DataFault) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const what = code === "ENOENT" ? "no such file" : code === "EISDIR" ? "a folder" : `unreadable (${code})`;
    throw new DataFault(what, "check the path of --spec", { path });
  }
}

async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}
