const METHOD_NAME = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT) +(\S+)/i;

/** The probe paths that count unless others are given. */
export const DEFAULT_PROBE_PATHS: readonly string[] = [
  "/alive",
  "/health",
  "/healthz",
  "/health/live",
  "/health/ready",
  "/health/startup",
  "/livez",
  "/ready",
  "/readyz",
  "/startupz",
  "/actuator/health",
  "/actuator/health/liveness",
  "/actuator/health/readiness",
];

/** A path in the form in which probe paths are compared: lower case, without query and trailing slash. */
export function foldPath(path: string): string {
  const end = path.search(/[?#]/);
  const bare = (end === -1 ? path : path.slice(0, end)).toLowerCase();
  return bare.length > 1 && bare.endsWith("/") ? bare.slice(0, -1) : bare;
}

/**
 * The folded path of a request: of its URL where it has one, otherwise of the name after the method;
 * empty where neither tells.
 */
export function requestPath(url: string, name: string): string {
  if (url !== "") {
    const scheme = url.indexOf("://");
    if (scheme === -1) return url.startsWith("/") ? foldPath(url) : "";
    const rest = url.slice(scheme + 3);
    const slash = rest.search(/[/?#]/);
    return slash === -1 || rest[slash] !== "/" ? "/" : foldPath(rest.slice(slash));
  }
  const path = METHOD_NAME.exec(name)?.[1];
  return path === undefined ? "" : foldPath(path);
}
