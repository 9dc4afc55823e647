import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeData, escapeProperty, githubAnnotations } from "../../src/report/github.ts";
import type { VerdictDocument } from "../../src/report/verdict-document.ts";
import {
  error,
  fail,
  guarded,
  notRegistered,
  pass,
  retrospective,
  tooFew,
  VERDICTS,
} from "./verdict-sample.ts";

interface Command {
  readonly level: string;
  readonly title: string;
  readonly message: string;
}

/** Reads a workflow command as the runner does: name, properties between commas, message after `::`. */
function readCommand(line: string): Command {
  const match = /^::([a-z]+) ([^:]*)::(.*)$/s.exec(line);
  if (match === null) throw new Error(`no command: ${line}`);
  const properties = new Map(
    match[2]!.split(",").map((pair) => {
      const [key = "", value = ""] = pair.split(/=(.*)/s);
      return [key, unescapeProperty(value)] as const;
    }),
  );
  expect([...properties.keys()]).toEqual(["title"]);
  return { level: match[1]!, title: properties.get("title")!, message: unescapeData(match[3]!) };
}

const unescapeData = (text: string): string =>
  text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
const unescapeProperty = (text: string): string =>
  text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");

const read = (document: VerdictDocument): Command[] => githubAnnotations(document).map(readCommand);
const levels = (document: VerdictDocument): string[] => read(document).map(({ level }) => level);

describe("the escaping of workflow commands", () => {
  it("escapes what ends a line, a property or a command", () => {
    expect(escapeData("100% a\r\nb:c,d")).toBe("100%25 a%0D%0Ab:c,d");
    expect(escapeProperty("100% a\r\nb:c,d")).toBe("100%25 a%0D%0Ab%3Ac%2Cd");
  });

  it("comes back as it was, whatever the text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom("%", "%25", "%0A", "\r", "\n", ":", ",", "::", "a"), { maxLength: 12 })
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, text, (title, message) => {
        const line = `::error title=${escapeProperty(title)}::${escapeData(message)}`;
        expect(line).not.toMatch(/[\r\n]/);
        expect(readCommand(line)).toEqual({ level: "error", title, message });
      }),
      { numRuns: 500 },
    );
  });
});

describe("GitHub annotations", () => {
  it.each(Object.keys(VERDICTS))("of sample %s are one command a line", (name) => {
    const document = VERDICTS[name]!();
    for (const line of githubAnnotations(document)) {
      expect(line).not.toMatch(/[\r\n]/);
      readCommand(line);
    }
  });

  it("say the verdict first, then every condition, registration reason and guard", () => {
    expect(levels(pass())).toEqual(["notice", "notice", "notice", "notice", "notice", "notice"]);
    expect(levels(fail())).toEqual(["error", "error", "notice", "notice", "notice", "notice"]);
    expect(levels(tooFew())).toEqual(["warning", "warning", "notice", "notice", "notice"]);
    expect(levels(error())).toEqual(["error"]);
    expect(levels(guarded())).toEqual(["warning", "notice", "notice", "notice", "warning", "warning"]);
    const registration = read(notRegistered()).filter(({ title }) => title.startsWith("registration"));
    expect(registration).toHaveLength(notRegistered().registration.reasons.length);
    expect(read(fail())[0]!.message).toMatch(/^FAIL: warm-up before the port opens\. /);
    expect(read(fail())[1]).toMatchObject({ title: "firstRequest.p50 below 2,000 ms: not met" });
    expect(read(fail())[1]!.message).toContain("estimate 2,000.4 ms; 95 % interval [2,000.01, 2,313] ms");
  });

  it("never say less than a warning of a retrospective judgement, and say so in each", () => {
    for (const { level, title } of read(retrospective())) {
      expect(level).toBe("warning");
      expect(title).toContain("RETROSPECTIVE");
    }
    const failed = { ...fail(), retrospective: true };
    expect(levels(failed)).toContain("error");
    expect(levels(failed)).not.toContain("notice");
  });
});
