import { isTypeless } from "./probe-expected.ts";
import type { AppProbes, ProbesData } from "./probes.ts";

/**
 * What the input could not tell, in sentences for the reader.
 *
 * @param others apps of the data that no spec names
 */
export function unknownsOf(
  apps: readonly AppProbes[],
  data: ProbesData | null,
  others: readonly string[],
): string[] {
  const unknown: string[] = [];
  if (data === null) {
    unknown.push(
      "Whether the declared probes run: only specs were given; add system logs and request rows with --data.",
    );
  } else {
    if (data.fleet.events === null) {
      unknown.push("Which attempts were refused and what was ended for them: no system log was given.");
    }
    if (data.fleet.table.length === 0) {
      unknown.push("Whether HTTP probes leave request rows: no rows were given.");
    }
  }
  if (others.length > 0) {
    const names = others.map((name) => name || "(without a name)").join(", ");
    unknown.push(
      `The probes of ${names}: the data holds them, but no spec names them (without --spec all apps are looked at).`,
    );
  }
  for (const app of apps) unknown.push(...ofApp(app));
  return unknown;
}

function ofApp({ app, spec, log, probes, starts, rows }: AppProbes): string[] {
  const unknown: string[] = [];
  const name = app === "" ? "the app" : app;
  const open = probes.filter(({ confidence }) => confidence === "unknown").map(({ type }) => type);
  if (open.length > 0) {
    unknown.push(
      `${name}: the kind of the ${open.join(", ")} ${open.length === 1 ? "probe" : "probes"}. Attempts that succeed are never logged${spec === null ? ", and no spec was given (--spec)" : ""}.`,
    );
  }
  if (log !== null) {
    if (!log.hasReplicas) {
      unknown.push(
        `${name}: which replica was meant. The log has no replica column, so starts are told apart by time within a revision, and events after a stop cannot be told.`,
      );
    }
    if (!log.ownClock) {
      unknown.push(
        `${name}: the time between two attempts. The log has only the time of its batches (TimeGenerated), which may be ten seconds late.`,
      );
    }
    const blank = probes.reduce(
      (sum, { refusals }) => sum + (refusals?.byStatus.find(({ status }) => status === "")?.count ?? 0),
      0,
    );
    if (blank > 0) {
      unknown.push(`${name}: why ${blank} attempts failed; the log gives them an empty status code.`);
    }
    const shared = probes.reduce((sum, { refusals }) => sum + (refusals?.shared ?? 0), 0);
    if (shared > 0) {
      unknown.push(
        `${name}: whether ${shared} refusals are the app's or its Dapr sidecar's; the log does not name the container.`,
      );
    }
  }
  if (starts !== null && starts.silent > 0) {
    unknown.push(
      `${name}: how long ${starts.silent} of ${starts.starts} starts took; they have neither a refusal nor a request row.`,
    );
  }
  const untold = rows?.paths.find(isTypeless);
  if (untold !== undefined && open.length > 0) {
    unknown.push(
      `${name}: whether it is readiness or liveness that asks ${untold.path}; the path does not say.`,
    );
  }
  const mixed = rows?.paths.filter(({ isProbePath }) => !isProbePath).map(({ path }) => path) ?? [];
  if (mixed.length > 0) {
    unknown.push(
      `${name}: which requests on ${mixed.join(", ")} are a probe's; users call the path too, unless --probe-path names it.`,
    );
  }
  return unknown;
}
