import { type ReplicaSettings, replicaFigures } from "../figures/replicas.ts";
import type { Rates } from "../figures/replicas-scaling.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { plain } from "../report/plain.ts";
import { buildReplicas } from "../report/replicas-build.ts";
import type { ReplicasDocument } from "../report/replicas-document.ts";
import { appOfReplica } from "../telemetry/events.ts";
import type { AnalysisFlags } from "./analysis-options.ts";
import { type AuditInput, runAudit } from "./audit-run.ts";
import { parseDuration } from "./durations.ts";
import { ExitCode, UsageError } from "./exit-codes.ts";
import { deliver, textOptions } from "./output.ts";
import type { OutputFlags, ReportFormat } from "./report-output.ts";
import { say } from "./say.ts";
import type { World } from "./world.ts";

/** The options of `coldstart replicas`, as commander hands them over. */
export interface ReplicaFlags extends AnalysisFlags {
  readonly app?: readonly string[];
  readonly cooldown?: string;
  readonly vcpu?: string;
  readonly memory?: string;
  readonly vcpuRate?: string;
  readonly gibRate?: string;
}

/** Checks the command's own flags. @throws UsageError before any data is read */
export function replicaSettings(flags: ReplicaFlags): ReplicaSettings {
  const cooldownMs = parseDuration(flags.cooldown ?? "300s", "--cooldown");
  return { apps: flags.app ?? null, cooldownMs, rates: parseRates(flags) };
}

function parseRates({ vcpu, memory, vcpuRate, gibRate }: ReplicaFlags): Rates | null {
  const given = [vcpu, memory, vcpuRate, gibRate].filter((flag) => flag !== undefined).length;
  if (given === 0) return null;
  if (vcpu === undefined || memory === undefined || vcpuRate === undefined || gibRate === undefined) {
    throw new UsageError(
      "--vcpu, --memory, --vcpu-rate and --gib-rate go together: what a replica has, and what that costs a second",
    );
  }
  return {
    vcpu: positive(vcpu, "--vcpu"),
    memoryGib: positive(memory.replace(/gi$/i, ""), "--memory"),
    vcpuRate: positive(vcpuRate, "--vcpu-rate"),
    gibRate: positive(gibRate, "--gib-rate"),
  };
}

function positive(text: string, option: string): number {
  const value = /^\d*\.?\d+(?:e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) {
    throw new UsageError(`${option}: "${text}" is no number; write it such as 0.5 or 0.000024`);
  }
  return value;
}

/** The audit's document. */
export function replicasDocument(audit: AuditInput, settings: ReplicaSettings): ReplicasDocument {
  const apps = settings.apps ?? appsOfRole(audit.fleet);
  const figures = replicaFigures(audit.fleet, audit.metrics, { ...settings, apps });
  return buildReplicas(figures, { ...settings, apps }, audit.report);
}

/** Runs the audit, prints its document, and says what the exit code means. */
export async function runReplicas(
  flags: ReplicaFlags & OutputFlags,
  settings: ReplicaSettings,
  format: ReportFormat,
  world: World,
): Promise<ExitCode> {
  const audit = await runAudit(flags, world);
  const document = replicasDocument(audit, settings);
  await deliver(await render(document, format, flags.out, world), flags.out, world);
  if (flags.quiet !== true && (format === "json" || format === "csv")) {
    for (const { code, message, count } of document.warnings) {
      if (code !== "partial-input") await say(world, `warning: ${message} (${count})`);
    }
  }
  if (audit.faults.length > 0) {
    for (const fault of audit.faults) await say(world, `coldstart: ${fault.message}`);
    return ExitCode.data;
  }
  const reason = nothingFound(document);
  if (reason === null) return ExitCode.done;
  await say(world, `coldstart: ${reason}`);
  return ExitCode.inconclusive;
}

/** The apps whose replicas bear the chosen role; without request rows the role is taken for the app's name. */
function appsOfRole(fleet: Fleet): readonly string[] | null {
  const { role } = fleet.settings;
  if (role === null) return null;
  const apps = new Map<string, string>();
  for (const { replica, app } of fleet.events ?? []) {
    if (replica !== "") apps.set(replica, app === "" ? appOfReplica(replica) : app);
  }
  const joined = new Set<string>();
  for (const { instance } of fleet.lives) {
    const app = apps.get(instance) ?? (instance.includes("--") ? appOfReplica(instance) : undefined);
    if (app !== undefined) joined.add(app);
  }
  return joined.size > 0 ? [...joined].sort() : [role];
}

/** Why there is no answer; null where there is one. */
function nothingFound(document: ReplicasDocument): string | null {
  if (document.births.length > 0) return null;
  const { log, settings, setAside, groups } = document;
  if (log.from === null) {
    return "no event of a system log, so no birth can be seen; add the export of ContainerAppSystemLogs, or the lines of az containerapp logs show --type system";
  }
  const missing = settings.apps?.filter((app) => !log.apps.includes(app)) ?? [];
  if (missing.length > 0) {
    const has = log.apps.length === 0 ? "none" : log.apps.join(", ");
    return `the system log has no replica of ${missing.map((app) => `"${app}"`).join(", ")}; it has: ${has}`;
  }
  if (setAside.withoutReplica > 0) {
    return `${setAside.withoutReplica} container ${setAside.withoutReplica === 1 ? "start" : "starts"}, all without a replica name; add ReplicaName_s to the query`;
  }
  const never = groups.reduce((sum, { neverStarted }) => sum + neverStarted, 0);
  const tail = never === 0 ? "" : ` (${never} ${never === 1 ? "replica" : "replicas"} never started)`;
  const failed = groups.reduce((sum, { failedCreations }) => sum + failedCreations.count, 0);
  if (failed > 0) {
    const [first] = groups
      .flatMap(({ failedCreations }) => failedCreations.reasons)
      .sort((a, b) => b.count - a.count);
    // One line, whatever the log's text holds.
    const text = plain(first!.text, true).replace(/\s+/g, " ");
    return `no start of an app's container${tail}: ${failed} ${failed === 1 ? "creation" : "creations"} failed, ${first!.count} with: ${text}`;
  }
  return `no start of an app's container in the ${log.events} events of the window${tail}; check --from, --to, --revision and --container`;
}

async function render(
  document: ReplicasDocument,
  format: ReportFormat,
  out: string | undefined,
  world: World,
): Promise<string> {
  switch (format) {
    case "json":
      return (await import("../report/replicas-json.ts")).renderReplicasJson(document);
    case "csv":
      return (await import("../report/replicas-csv.ts")).renderReplicasCsv(document);
    case "markdown":
      return (await import("../report/replicas-markdown.ts")).renderReplicasMarkdown(document);
    default:
      return (await import("../report/replicas-text.ts")).renderReplicasText(
        document,
        textOptions(world, out),
      );
  }
}
