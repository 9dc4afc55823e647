import type { PipelinePolicy, PipelineResponse } from "@azure/core-rest-pipeline";
import { ownWords, SourceFault } from "./source-fault.ts";

/** The number in a header; null where there is none, or nothing in it. */
function numberIn(text: string | undefined): number | null {
  if (text === undefined || text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/**
 * How long the service asks to wait, milliseconds; null where it does not say. A date is compared with the
 * answer's own, so that a clock that goes wrong here does not matter.
 */
export function retryAfterOf(header: (name: string) => string | undefined): number | null {
  for (const name of ["retry-after-ms", "x-ms-retry-after-ms"]) {
    const ms = numberIn(header(name));
    if (ms !== null) return ms;
  }
  const text = header("retry-after");
  const seconds = numberIn(text);
  if (seconds !== null) return seconds * 1000;
  const wait = Date.parse(text ?? "") - Date.parse(header("date") ?? "");
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** The code and the message in the body of an error answer, in one line. */
function wordsIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    const parts: string[] = [];
    for (let at: unknown = error; typeof at === "object" && at !== null && parts.length < 4; ) {
      // Data Explorer says in "@message" what its "message" only hints at.
      const { code, message, "@message": detail, innererror } = at as Record<string, unknown>;
      for (const part of [code, message, detail])
        if (typeof part === "string" && part !== "") parts.push(part);
      at = innererror;
    }
    return ownWords([...new Set(parts)].join(": "));
  } catch {
    return body.trimStart().startsWith("<") ? "a web page instead of the service's answer" : "";
  }
}

/** What an answer that is no success means. */
export function faultOfStatus(
  status: number,
  body: string,
  header: (name: string) => string | undefined,
): SourceFault {
  const words = wordsIn(body);
  const what = (text: string): string => `${text} (HTTP ${status}${words === "" ? "" : `: ${words}`})`;
  const wait = retryAfterOf(header);
  switch (status) {
    case 400:
      return new SourceFault("query", what("the service refuses the query"), "please report it");
    case 401:
      return new SourceFault(
        "sign-in",
        what("the service does not take the sign-in"),
        "sign in again (az login), to the tenant of the resource",
      );
    case 403:
      return new SourceFault(
        "permission",
        what("no permission to read it"),
        "ask for the role Log Analytics Reader on the workspace, or Monitoring Reader on the resource; docs/azure.md lists them",
      );
    case 404:
      return new SourceFault(
        "not-found",
        what("the service does not know the workspace or resource"),
        "check its id; coldstart doctor shows what can be reached",
      );
    case 429:
      return new SourceFault("throttled", what("the service asks to wait"), "try again later", wait);
    case 408:
    case 504:
      return new SourceFault(
        "timeout",
        what("the service did not finish in time"),
        "run the same command again: it goes on where it stopped",
        wait,
      );
    default:
      return new SourceFault(
        "service",
        what("the service failed"),
        "run the same command again: it goes on where it stopped",
        wait,
      );
  }
}

const PASSING = "check the network and any proxy; the same command goes on where it stopped";

/** What it means that no answer came, or only a part of one. */
export function faultOfConnection(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error;
  if (error instanceof Error && error.cause instanceof SourceFault) return error.cause;
  // The message of the parser has the whole answer in it.
  if (isParseError(error)) {
    return new SourceFault("service", "the answer is not the service's (no whole JSON)", PASSING);
  }
  const text = error instanceof Error ? error.message : String(error);
  if (/certificate|self.signed|CERT_/i.test(text)) {
    return new SourceFault(
      "permission",
      `the service's certificate is not trusted (${ownWords(text)})`,
      "set NODE_EXTRA_CA_CERTS to the certificate of your proxy",
    );
  }
  return new SourceFault("network", `no answer from the service (${ownWords(text)})`, PASSING);
}

/** Whether an answer came whole over the wire and cannot be read; one cut off by the wire has no status. */
function isParseError(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "PARSE_ERROR" &&
    "statusCode" in error &&
    error.statusCode !== undefined
  );
}

/**
 * A 401 that says what it wants, in the form in which the client's policy of tokens sees it: that one asks
 * for a token with the claims and sends the request again, else it passes the error on, with the fault in it.
 */
async function challengeOf(response: PipelineResponse, fault: SourceFault): Promise<Error> {
  const { RestError } = await import("@azure/core-rest-pipeline");
  const { status: statusCode, request } = response;
  return Object.assign(new RestError(fault.message, { statusCode, request, response }), { cause: fault });
}

/** The service has nothing to say (HTTP 204), which the clients cannot read. */
export class NoContent extends Error {}

/** Milliseconds after which an answer is given up: the longest that a query may take, and its way here. */
const LONGEST_MS = 900_000;

/**
 * Turns every answer but a success into a {@link SourceFault}, before the client looks at it, and lets the
 * signal stop what is under way. A 401 with a challenge becomes a RestError whose cause is the fault
 * ({@link faultOfConnection} takes it out), which the client's own policy of tokens may still mend.
 *
 * @throws NoContent for an empty answer
 */
export function faultPolicy(signal: AbortSignal, longestMs = LONGEST_MS): PipelinePolicy {
  return {
    name: "coldstartFaultPolicy",
    async sendRequest(request, next) {
      signal.throwIfAborted();
      const stop = new AbortController();
      const onAbort = (): void => stop.abort();
      signal.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(onAbort, longestMs);
      request.abortSignal = stop.signal;
      let response: PipelineResponse;
      try {
        response = await next(request);
      } catch (error) {
        signal.throwIfAborted();
        if (stop.signal.aborted) {
          throw new SourceFault("timeout", `no answer within ${longestMs / 1000} s`, PASSING);
        }
        throw faultOfConnection(error);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      }
      const body = response.bodyAsText ?? "";
      if (response.status === 204) throw new NoContent();
      if (response.status !== 200) {
        const fault = faultOfStatus(response.status, body, (name) => response.headers.get(name));
        if (response.status !== 401 || !response.headers.has("www-authenticate")) throw fault;
        throw await challengeOf(response, fault);
      }
      if (!body.trimStart().startsWith("{")) {
        throw new SourceFault(
          "service",
          `the answer is not the service's (${body.trimStart().startsWith("<") ? "a web page" : "no JSON"})`,
          PASSING,
        );
      }
      return response;
    },
  };
}
