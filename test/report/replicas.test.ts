import { describe, expect, it } from "vitest";
import { renderReplicasCsv } from "../../src/report/replicas-csv.ts";
import type { ReplicaGroupDocument, ReplicasDocument } from "../../src/report/replicas-document.ts";
import { replicasSchema } from "../../src/report/replicas-document.ts";
import { renderReplicasJson } from "../../src/report/replicas-json.ts";
import { renderReplicasMarkdown } from "../../src/report/replicas-markdown.ts";
import { renderReplicasSection, renderReplicasText } from "../../src/report/replicas-text.ts";
import { replicasDocument, replicasGroup } from "./replicas-sample.ts";

const text = (document: ReplicasDocument, width = 80, unicode = true, color = false): string =>
  renderReplicasText(document, { width, unicode, color });
/** On one line, so that a sentence is found wherever it was broken. */
const flat = (written: string): string => written.replace(/\s+/g, " ");

const group = (more: Partial<ReplicaGroupDocument>): ReplicasDocument => ({
  ...replicasDocument,
  groups: [{ ...replicasGroup, ...more }],
});

describe("the replicas document", () => {
  it("fits its schema", () => {
    expect(() => replicasSchema.strict().parse(replicasDocument)).not.toThrow();
  });

  it("is printed whole as JSON, and never with what JSON cannot hold", () => {
    expect(JSON.parse(renderReplicasJson(replicasDocument))).toEqual(replicasDocument);
    expect(() => renderReplicasJson(group({ birthsPerDay: Number.NaN }))).toThrow("NaN at birthsPerDay");
  });
});

describe("replicas as text", () => {
  it.each([60, 80, 120])("keeps to %i columns", (width) => {
    const written = text(replicasDocument, width);
    for (const line of written.split("\n")) expect(Array.from(line).length, line).toBeLessThanOrEqual(width);
  });

  it("is ASCII where it must be", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is what is asked for
    expect(text(replicasDocument, 80, false)).toMatch(/^[\u0000-\u007f]*$/);
  });

  it("has no colour of its own, and says the same with it", () => {
    const plain = text(replicasDocument);
    expect(plain).not.toContain("\u001b");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
    expect(text(replicasDocument, 80, true, true).replace(/\u001b\[\d+m/g, "")).toBe(plain);
  });

  it("tells every figure", () => {
    const written = flat(text(replicasDocument, 120));
    for (const part of [
      "System log from 2026-09-01 00:00 to 2026-09-08 00:00 UTC: 400 events, 390 with their own time.",
      "Days and hours in Europe/Vienna.",
      "Other container starts, not counted: 3 of the platform's containers, 1 of Dapr's container, 2 of jobs.",
      "17 births in 7 days of log, 2.43 a day: 12 new replicas, 5 restarts inside one. 1 more replica was assigned or tried, and never started.",
      "8 47.1 % scaling told SuccessfulRescale at most 1 min before",
      "4 23.5 % unknown – no event tells",
      "17 all",
      "lifetime p10 about 2 min n 17, 4 without a seen end",
      "lifetime p50 about 20 min",
      "lifetime p90 – n 17",
      "never served a user request 2 (12.5 % [3.5, 36.0]) n 16, 1 undecided; lived 40 min in all",
      "starts per 1,000 requests 1.70 17 starts, 10,000 requests (ingress metric)",
      "born within 300 s of a scale-in 3 (25.0 % [8.9, 53.2]) n 12",
      "seconds of starting about 255 s n 15, 2 unknown, 1 batch-timed, 4 only up to the container's start",
      "a birth about 17 s",
      "cost of starting 0.0038",
      "cost of those that never served 0.04",
      "30 min 40.0 % 5",
      "60 min – 0",
      "assigned → started, in all 14 15,450 ms 16,800 ms 0 1 about 16 s about 17 s",
      "pulling → pulled 14 1,620 ms 2,980 ms 0 1 – –",
      "Phases of a restart inside a replica",
      "Births by day, 2026-09-01 to 2026-09-02",
      "09-01 10 8 2 24.0",
      "Mon – 0.0",
      "Tue 10 8 2 24.0",
      "What could not be known",
      "- why 4 of 17 births happened",
      "[1] the figures mix 2 roles (several-roles: 2)",
      "[2] logs.json: cut without a sign (truncation-invisible: 1)",
    ]) {
      expect(written).toContain(part);
    }
  });

  it("says why containers did not come to be, and who replaced", () => {
    const written = flat(text(group({ births: 0 })));
    expect(written).toContain("3 creations of the container failed, in 1 replica: 2 × Container 'app'");
    expect(written).toContain("1 × Container 'app' was terminated with reason 'ContainerCreateFailure'. no ");
    const { cycles } = group({}).groups[0]!;
    const replaced = text(group({ cycles: { ...cycles, replacements: 1 } }));
    expect(flat(replaced)).toContain("1 more was born within the cool-down by a deployment or rollout");
    expect(flat(text(group({ cycles: { ...cycles, replacements: 0 } })))).not.toContain("cool-down by");
  });

  it("says nothing more of an app without births", () => {
    const written = text(group({ births: 0, newReplicas: 0, neverStarted: 2 }));
    expect(flat(written)).toContain("2 more replicas were assigned or tried, and never started.");
    expect(written).not.toContain("lifetime");
  });

  it("names the window where there are two", () => {
    expect(text(group({ window: "before" }))).toContain("\nquotes-api, before\n");
  });

  it("cannot be made to move the cursor by a name", () => {
    expect(text(group({ app: "evil\u001b[2J" }))).not.toContain("\u001b");
  });

  it("is a section of a longer report without the warnings", () => {
    const section = renderReplicasSection(replicasDocument, { width: 80, unicode: true, color: false });
    expect(text(replicasDocument).startsWith(section)).toBe(true);
    expect(section).not.toContain("Warnings");
    expect(section).toContain("What could not be known");
  });

  it("shows the last 31 days of many", () => {
    const slot = replicasGroup.calendar.perDay[0]!;
    const perDay = Array.from({ length: 40 }, (_, i) => ({
      ...slot,
      label: `2026-0${7 + Math.floor(i / 30)}-${String((i % 30) + 1).padStart(2, "0")}`,
    }));
    const written = text(group({ calendar: { ...replicasGroup.calendar, perDay } }));
    expect(flat(written)).toContain(
      "Births by day, 2026-07-10 to 2026-08-10; 9 earlier days stand in the JSON and CSV forms",
    );
  });
});

describe("replicas as Markdown and CSV", () => {
  it("writes tables that GitHub reads, names as code", () => {
    const markdown = renderReplicasMarkdown(replicasDocument);
    expect(markdown).toContain("### Replicas of `quotes-api`");
    expect(markdown).toContain(
      "| 8 | 47.1 % | **scaling** | told | SuccessfulRescale at most 1 min before |",
    );
    expect(markdown.match(/<details>/g)).toHaveLength(markdown.match(/<\/details>/g)!.length);
    expect(markdown).toContain("- why 4 of 17 births happened");
    expect(markdown).toContain("- \\[2\\] ".replaceAll("\\", ""));
    expect(renderReplicasMarkdown(group({ app: "`<b>" }))).not.toContain("<b>|");
  });

  it("writes a row a figure, with its n and interval", () => {
    const rows = renderReplicasCsv(replicasDocument).trimEnd().split("\n");
    expect(rows[0]).toBe("app,window,figure,label,value,unit,n,ci95Low,ci95High");
    for (const row of [
      "quotes-api,all,births,,17,births,17,,",
      "quotes-api,all,causes.evidence,scaling: rescaled,8,births,8,,",
      "quotes-api,all,neverServed.share,,0.125,share,16,0.035,0.36",
      "quotes-api,all,lifetime.survival,60 min,,share,0,,",
      "quotes-api,all,phases.newReplicas.batchP50Seconds,assigned-started,16,s,1,,",
      "quotes-api,all,calendar.perDay.births,2026-09-01,10,births,10,,",
      ",,setAside.jobs,,2,starts,,,",
      ",,unknown,why 4 of 17 births happened,,,,,",
      ",,warnings,several-roles,2,rows,,,",
    ]) {
      expect(rows).toContain(row);
    }
    expect(new Set(rows.map((row) => row.split(",").length))).toEqual(new Set([9]));
  });

  it("keeps an app's name from being a formula", () => {
    expect(renderReplicasCsv(group({ app: "=cmd()" }))).toContain("'=cmd(),all,births");
  });
});
