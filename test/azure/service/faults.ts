/** What goes wrong with one answer. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is closed without an answer, or is left open without one until the server closes. */
  | { readonly kind: "drop" | "hang" }
  /** HTTP 204: an empty workspace. */
  | { readonly kind: "no-content" }
  /** A page of a proxy in place of the service's answer. */
  | { readonly kind: "html"; readonly status?: number }
  /** The length is announced, and the connection ends after this share of the true answer. */
  | { readonly kind: "truncate"; readonly share: number }
  /** The true answer, so many bytes at each tick. */
  | { readonly kind: "slow"; readonly bytes: number; readonly everyMs: number }
  /** A query's answer is cut to so many rows, and says so. */
  | { readonly kind: "partial"; readonly rows: number }
  /** Every number of a query's real columns is the text "NaN". */
  | { readonly kind: "nan" };

const status = (
  code: number,
  name: string,
  message: string,
  headers: Record<string, string> = {},
): Fault => ({
  kind: "status",
  status: code,
  code: name,
  message,
  headers,
});

export const throttled = (seconds: number): Fault =>
  status(429, "ThrottledError", "Too many requests.", { "retry-after": String(seconds) });
export const insufficientAccess = (): Fault =>
  status(
    403,
    "InsufficientAccessError",
    "The provided credentials have insufficient access to perform the requested operation",
  );
export const pathNotFound = (): Fault =>
  status(404, "PathNotFoundError", "The requested path does not exist");
export const resourceNotFound = (): Fault =>
  status(404, "ResourceNotFoundError", "The resource was not found");
export const gatewayTimeout = (): Fault => status(504, "GatewayTimeout", "Gateway timeout");
export const serverError = (): Fault => status(500, "InternalServerError", "Something went wrong");
export const expiredToken = (): Fault =>
  status(401, "InvalidTokenError", "The provided token has expired", {
    "www-authenticate": 'Bearer error="invalid_token", error_description="The access token expired"',
  });

/** What goes wrong with which request: what is queued goes first, then the rules in the order they were made. */
export class FaultPlan<Request> {
  #queue: (Fault | null)[] = [];
  #rules: { readonly applies: (request: Request) => boolean; readonly fault: Fault; left: number }[] = [];

  /** For the requests to come, one each; null lets one through. */
  next(...faults: readonly (Fault | null)[]): void {
    this.#queue.push(...faults);
  }

  /** For every request of a kind, or the first few of them. */
  when(applies: (request: Request) => boolean, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#rules.push({ applies, fault, left: times });
  }

  clear(): void {
    this.#queue = [];
    this.#rules = [];
  }

  take(request: Request): Fault | null {
    const queued = this.#queue.shift();
    if (queued !== undefined) return queued;
    const rule = this.#rules.find(({ applies, left }) => left > 0 && applies(request));
    if (rule === undefined) return null;
    rule.left--;
    return rule.fault;
  }
}
