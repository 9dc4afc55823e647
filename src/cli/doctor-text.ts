import { plain, wrap } from "../report/plain.ts";
import type { Finding } from "./doctor-findings.ts";

const MARKS = { ok: "ok  ", warn: "!   ", fail: "FAIL" } as const;

/** The findings on one screen of 80 columns. */
export function renderDoctor(
  findings: readonly Finding[],
  about: {
    readonly target: string;
    readonly config: string | null;
    readonly from: string;
    readonly to: string;
  },
): string {
  const lines = [
    `${about.target}`,
    `window ${about.from} to ${about.to}; configuration: ${about.config ?? "none"}`,
    "",
  ];
  for (const { about: name, state, text, means } of findings) {
    const [first, ...rest] = wrap(plain(`${name}: ${text}`, true), 74);
    lines.push(`${MARKS[state]} ${first}`, ...rest.map((line) => `     ${line}`));
    if (means !== "") lines.push(...wrap(plain(`→ ${means}`, true), 74).map((line) => `     ${line}`));
  }
  const count = (state: Finding["state"]): number =>
    findings.filter((finding) => finding.state === state).length;
  lines.push("", `${count("ok")} ok, ${count("warn")} to know, ${count("fail")} in the way`);
  return `${lines.join("\n")}\n`;
}
