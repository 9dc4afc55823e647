import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { VERSION } from "../../src/cli/version.ts";
import { ROOT, runWorld } from "./world.ts";

it("the version printed is that of package.json", async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  expect(VERSION).toBe(version);
  expect(await runWorld(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});
