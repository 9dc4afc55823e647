import { stringify } from "yaml";
import { UsageError } from "./exit-codes.ts";

export interface ConditionText {
  readonly metric: string;
  readonly side: "below" | "above";
  readonly bound: string;
}

/** What a bar file says, as the user wrote it; nothing of it is proved yet. */
export interface BarParts {
  readonly name: string;
  readonly hypothesis: string;
  readonly conditions: readonly ConditionText[];
  readonly minimum: string;
  /** A number, or `all`. */
  readonly first?: string;
  readonly confidence?: string;
  readonly role?: string;
  readonly timezone?: string;
  readonly days?: string;
  readonly looks?: string;
}

/** A condition as it is written on the command line. @throws UsageError */
export function parseCondition(text: string): ConditionText {
  const match = /^\s*(\S+)\s+(below|above)\s+(\S+)\s*$/.exec(text);
  if (match === null) {
    throw new UsageError(`--condition: "${text}" is no condition; write it like "firstRequest.p50 below 2s"`);
  }
  return { metric: match[1]!, side: match[2] === "above" ? "above" : "below", bound: match[3]! };
}

/** A bar file with comments that say what each part is for. */
export function writeBar(parts: BarParts): string {
  const { name, hypothesis, conditions, minimum, confidence, role, timezone, days, looks } = parts;
  return `# yaml-language-server: $schema=https://unpkg.com/coldstart/schemas/bar.schema.json
# A bar: what must hold after a deployment, declared before it. docs/bar.md explains every key.
name: ${quoted(name)}
hypothesis: ${quoted(hypothesis)}

# All of these must hold. Durations carry their unit (2s, 1500ms), shares are 0 to 1.
conditions:
${conditions.map(({ metric, side, bound }) => `  - metric: ${scalar(metric)}\n    ${side}: ${scalar(bound)}\n`).join("")}
# One-sided confidence of a pass or a fail; none would judge the point estimate.
confidence: ${scalar(confidence ?? "0.95")}

# Which instances count.
population:
${role === undefined ? "  # role: NAME, where the data holds several roles\n" : `  role: ${quoted(role)}\n`}  days: ${scalar(days ?? "all")} # all or weekdays
  timezone: ${quoted(timezone ?? "UTC")}
  threshold: 2s # a request is slow when it takes longer
  guard: 10m # how long after the data's start a birth is doubted

sample:
  minimum: ${scalar(minimum)} # new instances needed after the deployment
  take: ${takeOf(parts)}

# once: asked one time, when the sample is complete. anytime: may be asked again and again.
looks: ${scalar(looks ?? "once")}
`;
}

/** With one look the sample is closed where it can be, so that asking later cannot change the verdict. */
function takeOf({ first, minimum, looks }: BarParts): string {
  const closed = first ?? (looks === "anytime" ? "all" : minimum);
  return closed === "all"
    ? "all # all that are born; { first: N } would take the first N by birth"
    : `{ first: ${scalar(closed)} } # by birth, so that later data cannot change the verdict`;
}

/** A value: a number as it is, anything else as text. */
function scalar(value: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(value) ? value : quoted(value);
}

/** A text on one line, in quotes where YAML would take it for something else. */
function quoted(text: string): string {
  const written = stringify(text, { lineWidth: 0 }).trimEnd();
  // JSON's strings are YAML's double-quoted ones, and hold line breaks on one line.
  return /[\n#]|^[>|]/.test(written) ? JSON.stringify(text) : written;
}
