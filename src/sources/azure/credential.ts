import type { TokenCredential } from "@azure/identity";
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

/** Asks for tokens; that it cannot is a fault of the source. */
export async function credentialOf(
  name: CredentialName,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TokenCredential> {
  const identity = await import("@azure/identity");
  const clientId = env.AZURE_CLIENT_ID === undefined ? {} : { clientId: env.AZURE_CLIENT_ID };
  const credential = ((): TokenCredential => {
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
  })();
  return {
    getToken: async (scopes, options) => {
      try {
        return await credential.getToken(scopes, options);
      } catch (error) {
        if (options?.abortSignal?.aborted === true) throw error;
        // Only the first line: what follows lists every way that was tried, with names of accounts.
        const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
        throw new SourceFault("sign-in", `cannot sign in to Azure (${ownWords(first)})`, REMEDIES[name]);
      }
    },
  };
}
