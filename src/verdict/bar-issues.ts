import { z } from "zod";
import { barSchema } from "./bar.ts";
import type { BarText, Path } from "./bar-yaml.ts";
import { nearest } from "./nearest.ts";
import type { BarProblem } from "./types.ts";

type Issue = z.core.$ZodIssue;

/** What the schema has to say of a bar, in the words and at the places of its file. */
export function schemaProblems(text: BarText): BarProblem[] {
  const result = barSchema.safeParse(text.value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => problemsOf(issue, [], text));
}

function problemsOf(issue: Issue, before: Path, text: BarText): BarProblem[] {
  const path = [...before, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => text.atKey([...path, key], unknownKey(path, key)));
  }
  if (issue.code === "invalid_union") {
    // The branch that the value was meant for is the one that got past its type.
    const meant = issue.errors.find((issues) => issues.every((inner) => !isRootType(inner)));
    if (meant !== undefined) return meant.flatMap((inner) => problemsOf(inner, path, text));
  }
  const message = `${pathText(path)}: ${wording(issue, path)}`;
  return [
    issue.code === "invalid_type" && issue.input === undefined
      ? text.atKey(path, message)
      : text.at(path, message),
  ];
}

function isRootType(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

const DURATION = "write a duration with its unit, such as 2s, 1500ms or 14d";

const WANTED: Readonly<Record<string, string>> = {
  confidence: "write a number between 0.5 and 1, such as 0.95, or none",
  take: "write all, or { first: N } with a whole number N",
  below: "write a duration such as 2s or a number such as 0.4",
  above: "write a duration such as 2s or a number such as 0.4",
  minimum: "write a whole number of instances, at least 1",
  first: "write a whole number of instances, at least 1",
  threshold: DURATION,
  guard: DURATION,
  within: DURATION,
  before: DURATION,
  timezone: "write an IANA time zone, such as Europe/Vienna",
  seed: "write a whole number, at least 0",
  conditions: "write a list of at least one condition: - metric: …",
};

function wording(issue: Issue, path: Path): string {
  const key = path.findLast((step) => typeof step === "string");
  // `within` of the reconciliation is a share, the others are durations.
  const isShare = path.includes("reconciliation");
  const wanted =
    key === undefined || path.at(-1) !== key
      ? undefined
      : isShare
        ? "write a share between 0 and 1, such as 0.05"
        : WANTED[String(key)];
  if (issue.code === "invalid_type" && issue.input === undefined) {
    return wanted === undefined ? "missing" : `missing; ${wanted}`;
  }
  if (issue.code === "invalid_format" && issue.format !== "regex")
    return issue.message.replace("Invalid string: ", "");
  if (wanted !== undefined) return issue.code === "invalid_format" ? issue.message : wanted;
  if (issue.code === "invalid_value") return `write one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small" && issue.origin === "string") return "must not be empty";
  if (issue.code === "invalid_type") return `${article(issue.expected)} is expected here`;
  return lowerFirst(issue.message.replace(/^Invalid \w+: /, "").replace(/^Too (?:small|big): /, ""));
}

function article(type: string): string {
  const name =
    {
      string: "text",
      object: "map of keys and values",
      array: "list",
      int: "whole number",
      boolean: "true or false",
    }[type] ?? type;
  return name === "text" || name === "true or false" ? name : `a ${name}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function unknownKey(path: Path, key: string): string {
  const known = keysAt(path);
  const near = nearest(key, known);
  const hint = near === null ? `known here: ${known.join(", ")}` : `did you mean ${near}?`;
  return `${pathText([...path, key])}: unknown key; ${hint}`;
}

/** The keys that the schema knows below a path. */
function keysAt(path: Path): string[] {
  let schema: unknown = barSchema;
  for (const step of path) {
    const inner = bare(schema);
    if (inner instanceof z.ZodObject) schema = inner.shape[String(step)];
    else if (inner instanceof z.ZodArray) schema = inner.element;
  }
  const inner = bare(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** A schema without its defaults; of alternatives the one that is a map. */
function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return bare(schema.unwrap());
  }
  if (schema instanceof z.ZodUnion) return schema.options.find((option) => option instanceof z.ZodObject);
  return schema;
}

/** A path as people write it: `conditions[0].below`. */
export function pathText(path: Path): string {
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i === 0 ? "" : "."}${String(step)}`))
    .join("");
}
