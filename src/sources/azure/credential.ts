import type { AccessToken, TokenCredential } from "@azure/identity";
import { type Clock, realClock } from "./clock.ts";
import { ownWords, SourceFault } from "./source-fault.ts";

export const CREDENTIALS = [
  "default",
  "azure-cli",
  "managed-identity",
  "workload-identity",
  "environment",
] as const;
export type CredentialName = (typeof CREDENTIALS)[number];

const REMEDIES: Readonly<Record<CredentialName, string>> = {
  default: "run az login, or set a workload or managed identity up; docs/azure.md has the ways to sign in",
  "azure-cli": "run az login (and az account set for the right tenant)",
  "managed-identity": "give this machine a managed identity, or choose another --credential",
  "workload-identity": "check the federated token's file and AZURE_CLIENT_ID, AZURE_TENANT_ID",
  environment: "set AZURE_TENANT_ID, AZURE_CLIENT_ID and a secret or certificate",
};

/** How long a token is kept, milliseconds: those that sign-ins give out last five minutes more at least. */
const KEPT_MS = 240_000;

/**
 * Asks for tokens; that it cannot is a fault of the source. Tokens are kept for a few minutes, since some
 * ways to sign in start a process for each of them.
 */
export async function credentialOf(
  name: CredentialName,
  env: Readonly<Record<string, string | undefined>>,
  clock: Pick<Clock, "now"> = realClock,
): Promise<TokenCredential> {
  const identity = await import("@azure/identity");
  const failure = (error: unknown): SourceFault => {
    // Only the first line: what follows lists every way that was tried, with names of accounts.
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return new SourceFault("sign-in", `cannot sign in to Azure (${ownWords(first)})`, REMEDIES[name]);
  };
  const clientId = env.AZURE_CLIENT_ID === undefined ? {} : { clientId: env.AZURE_CLIENT_ID };
  const create = (): TokenCredential => {
    switch (name) {
      case "default":
        return new identity.DefaultAzureCredential();
      case "azure-cli":
        return new identity.AzureCliCredential();
      case "managed-identity":
        return new identity.ManagedIdentityCredential(clientId);
      case "workload-identity":
        return new identity.WorkloadIdentityCredential(clientId);
      case "environment":
        return new identity.EnvironmentCredential();
    }
  };
  let credential: TokenCredential;
  try {
    // Some look at the environment as soon as they are made.
    credential = create();
  } catch (error) {
    throw failure(error);
  }
  const kept = new Map<string, { readonly until: number; readonly token: Promise<AccessToken | null> }>();
  return {
    getToken: async (scopes, options) => {
      const key = JSON.stringify([scopes, options?.tenantId]);
      // A service that wants more than the token has says so with claims.
      const known = options?.claims === undefined ? kept.get(key) : undefined;
      if (known !== undefined && clock.now() < known.until) {
        const before = await known.token.catch(() => null);
        if (before !== null) return before;
      }
      const token = credential.getToken(scopes, options);
      kept.set(key, { until: clock.now() + KEPT_MS, token });
      try {
        return await token;
      } catch (error) {
        if (options?.abortSignal?.aborted === true) throw error;
        throw failure(error);
      }
    },
  };
}
