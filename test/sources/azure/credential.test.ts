import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { credentialOf } from "../../../src/sources/azure/credential.ts";
import { SourceFault } from "../../../src/sources/azure/source-fault.ts";
import { failureOf } from "./stand-in.ts";

const SCOPE = "https://api.loganalytics.io/.default";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "coldstart-az-"));
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  for (const name of ["AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE"])
    vi.stubEnv(name, "");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Puts an `az` first in the path, and returns how often it was run. */
async function az(script: string): Promise<() => Promise<number>> {
  const runs = join(folder, "runs");
  await writeFile(runs, "");
  await writeFile(join(folder, "az"), `#!/bin/sh\necho run >> '${runs}'\n${script}\n`);
  await chmod(join(folder, "az"), 0o755);
  return async () => (await readFile(runs, "utf8")).split("\n").length - 1;
}

const token = (seconds: number): string =>
  `echo '{"accessToken":"from-az","expires_on":${Math.floor(Date.now() / 1000) + seconds},"tokenType":"Bearer"}'`;

describe("the Azure CLI's sign-in", () => {
  it("runs az once for as many questions as its token lasts", async () => {
    const runs = await az(token(3600));
    const credential = await credentialOf("azure-cli", {});
    const tokens = await Promise.all([credential.getToken(SCOPE), credential.getToken(SCOPE)]);
    tokens.push(await credential.getToken(SCOPE));
    expect(tokens.map((one) => one?.token)).toEqual(["from-az", "from-az", "from-az"]);
    expect(await runs()).toBe(1);
    await credential.getToken("https://management.azure.com/.default");
    expect(await runs()).toBe(2);
  });

  it("keeps a token for less than the five minutes that it lasts at least", async () => {
    const runs = await az(token(301));
    let now = 1000;
    const credential = await credentialOf("azure-cli", {}, { now: () => now });
    await credential.getToken(SCOPE);
    now += 239_999;
    await credential.getToken(SCOPE);
    expect(await runs()).toBe(1);
    now += 1;
    await credential.getToken(SCOPE);
    expect(await runs()).toBe(2);
  });

  it("hands no kept token to a service that wants more than it", async () => {
    const runs = await az(token(3600));
    const credential = await credentialOf("azure-cli", {});
    await credential.getToken(SCOPE);
    const claims = '{"access_token":{"nbf":{"essential":true}}}';
    const asking = Promise.resolve(credential.getToken(SCOPE, { claims }));
    expect(await failureOf(asking)).toMatchObject({ kind: "sign-in" });
    expect(await runs()).toBe(1);
  });

  it("asks again after it failed", async () => {
    const runs = await az("echo 'Please run: az login to set up account.' >&2; exit 1");
    const credential = await credentialOf("azure-cli", {});
    const fault = await failureOf(Promise.resolve(credential.getToken(SCOPE)));
    expect(fault).toBeInstanceOf(SourceFault);
    expect(fault).toMatchObject({
      kind: "sign-in",
      remedy: expect.stringContaining("az login"),
      isPassing: false,
    });
    await failureOf(Promise.resolve(credential.getToken(SCOPE)));
    expect(await runs()).toBe(2);
  });

  it("tells no secret that the tool prints", async () => {
    await az(
      `echo 'broken: {"client_secret":"hunter2","accessToken":"eyJhbGciOi.eyJzdWIi.c2ln"}' >&2; exit 1`,
    );
    const credential = await credentialOf("azure-cli", {});
    const { message } = (await failureOf(Promise.resolve(credential.getToken(SCOPE)))) as SourceFault;
    expect(message).toContain("broken");
    expect(message).not.toMatch(/hunter2|eyJ/);
    expect(message).not.toContain("\n");
  });
});

describe("other ways to sign in", () => {
  it.each(["workload-identity", "environment"] as const)("says what %s lacks", async (name) => {
    const asking = credentialOf(name, {}).then((credential) => credential.getToken(SCOPE));
    expect(await failureOf(asking)).toMatchObject({
      kind: "sign-in",
      message: expect.stringContaining("AZURE_TENANT_ID"),
    });
  });
});
