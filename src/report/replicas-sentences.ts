import { formatCount, formatDecimal, formatInstant, type Symbols } from "./numbers.ts";
import type { ReplicaGroupDocument, ReplicasDocument } from "./replicas-document.ts";
import { span } from "./replicas-tables.ts";

/** The sentences of `coldstart replicas`. `quote` marks text from outside. */
type Quote = (text: string) => string;

/** What was looked at. */
export function logSentence({ log, settings }: ReplicasDocument, symbols: Symbols, quote: Quote): string {
  if (log.from === null) return "No system log among the inputs.";
  const own =
    log.ownClock === log.events
      ? "all with their own time"
      : `${formatCount(log.ownClock, symbols)} with their own time`;
  const revision = settings.revision === null ? "" : `, revision ${quote(settings.revision)}`;
  return `System log from ${formatInstant(log.from, symbols)} to ${formatInstant(log.to, symbols)} UTC${revision}: ${formatCount(log.events, symbols)} events, ${own}. Days and hours in ${quote(settings.timezone)}.`;
}

/** The answer for one app in one window. */
export function birthSentence(group: ReplicaGroupDocument, symbols: Symbols): string {
  const { births, newReplicas, coveredHours, birthsPerDay, neverStarted } = group;
  const rate = birthsPerDay === null ? "" : `, ${formatDecimal(birthsPerDay, symbols)} a day`;
  const never =
    neverStarted === 0
      ? ""
      : ` ${formatCount(neverStarted, symbols)} more ${neverStarted === 1 ? "replica was" : "replicas were"} assigned or tried, and never started.`;
  return `${formatCount(births, symbols)} ${births === 1 ? "birth" : "births"} in ${span(coveredHours * 60, symbols)} of log${rate}: ${formatCount(newReplicas, symbols)} new ${newReplicas === 1 ? "replica" : "replicas"}, ${formatCount(births - newReplicas, symbols)} ${births - newReplicas === 1 ? "restart" : "restarts"} inside one.${never}`;
}

/** Why containers did not come to be; empty where all did. */
export function failureSentence(
  { failedCreations }: ReplicaGroupDocument,
  symbols: Symbols,
  quote: Quote,
): string {
  const { count, replicas, reasons } = failedCreations;
  if (count === 0) return "";
  const texts = reasons.map(({ text, count: own }) => `${formatCount(own, symbols)} × ${quote(text)}`);
  return `${formatCount(count, symbols)} ${count === 1 ? "creation" : "creations"} of the container failed, in ${formatCount(replicas, symbols)} ${replicas === 1 ? "replica" : "replicas"}: ${texts.join("; ")}`;
}

/** Starts that are no births. */
export function asideSentence({ setAside }: ReplicasDocument, symbols: Symbols): string {
  const parts = [
    [setAside.platformContainers, "of the platform's containers"],
    [setAside.daprContainers, "of Dapr's container"],
    [setAside.initContainers, "of init containers"],
    [setAside.jobs, "of jobs"],
    [setAside.withoutReplica, "without a replica name"],
  ] as const;
  const some = parts.filter(([n]) => n > 0).map(([n, what]) => `${formatCount(n, symbols)} ${what}`);
  return some.length === 0 ? "" : `Other container starts, not counted: ${some.join(", ")}.`;
}

export const LEGEND =
  "A birth is a start of the app's container: one process. Causes are exclusive; births of one deployment come together, so shares have no interval. Assignments are stamped to the whole second.";
