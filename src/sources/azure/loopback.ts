import type { HttpClient } from "@azure/core-rest-pipeline";
import { SourceFault } from "./source-fault.ts";

/** Whether an endpoint is on this machine and without TLS: a stand-in for the service, as tests have one. */
export function isLoopback(endpoint: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?(?:\/|$)/.test(endpoint);
}

/** @throws SourceFault where a token would go over the network in the clear */
export function requireTls(address: string): void {
  if (/^https:\/\//i.test(address) || isLoopback(address)) return;
  throw new SourceFault(
    "not-found",
    "the address of the service is not https",
    "give one that begins with https://",
  );
}

/**
 * Options that let a client talk to such a stand-in. Clients refuse to send a token over http, which is right
 * everywhere else, so they are told https and only the last step goes over http, to this machine alone.
 */
export async function loopbackOptions(
  endpoint: string | undefined,
): Promise<{ readonly endpoint?: string; readonly httpClient?: HttpClient }> {
  if (endpoint === undefined) return {};
  requireTls(endpoint);
  if (!isLoopback(endpoint)) return { endpoint };
  const { createDefaultHttpClient } = await import("@azure/core-rest-pipeline");
  const client = createDefaultHttpClient();
  return {
    endpoint: endpoint.replace(/^http:/, "https:"),
    httpClient: {
      sendRequest: (request) => {
        const url = request.url.replace(/^https:/, "http:");
        if (isLoopback(url)) {
          request.url = url;
          request.allowInsecureConnection = true;
        }
        return client.sendRequest(request);
      },
    },
  };
}
