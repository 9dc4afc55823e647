import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { oneLine } from "../../src/cli/say.ts";
import { runWorld } from "./world.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coldstart-say-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("shows control characters as blanks", () => {
  expect(oneLine("a\r\n::error::b\u001b[31m\u0085\u2028c\u0000")).toBe("a ::error::b [31m c");
});

it("lets no text of the telemetry begin a line on standard error", async () => {
  const row = {
    timestamp: "2026-09-21T07:00:00Z",
    name: "GET /q",
    duration: 1,
    cloud_RoleName: "x\n::error::pwned",
    cloud_RoleInstance: "i\u001b]0;title\u0007",
  };
  writeFileSync(join(folder, "rows.ndjson"), `${JSON.stringify(row)}\n`);
  for (const format of ["text", "json"]) {
    const args = ["report", "--data", join(folder, "rows.ndjson"), "--role", "app", "--format", format];
    const { code, stderr } = await runWorld(args);
    expect(code).toBe(3);
    expect(stderr).not.toMatch(/^::/m);
    expect(stderr).not.toContain("\u001b");
    expect(stderr).toContain("x ::error::pwned");
  }
});

it("refuses to replace an input, the bar or another output", async () => {
  writeFileSync(join(folder, "rows.ndjson"), "{}\n");
  for (const args of [
    ["report", "--data", "rows.ndjson", "--out", "rows.ndjson"],
    ["gate", "--data", "rows.ndjson", "--deployed-at", "2026-09-21", "--out", "coldstart.bar.yaml"],
    ["gate", "--data", "rows.ndjson", "--deployed-at", "2026-09-21", "--out", "o", "--values", "./o"],
  ]) {
    const { code, stderr } = await runWorld(args, { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/is an input or another output/);
  }
});
