import type { ReplicaFigures, ReplicaSettings } from "../figures/replicas.ts";
import type { ReportDocument } from "./document.ts";
import type { ReplicasDocument } from "./replicas-document.ts";

/** The warnings of a report that say nothing about replicas: they speak of requests, or of their lack. */
const ABOUT_REQUESTS = /weight|item-count|sample-rate|ingress-timeout|functions-host/;

/** Puts the figures together with what the report on the same data says of settings and inputs. */
export function buildReplicas(
  figures: ReplicaFigures,
  settings: ReplicaSettings,
  report: ReportDocument,
): ReplicasDocument {
  const { log, groups, births, setAside, costPerSecond, unknown } = figures;
  return {
    schema: "coldstart.replicas/1",
    settings: {
      ...report.settings,
      apps: settings.apps === null ? null : [...settings.apps],
      cooldownSeconds: settings.cooldownMs / 1000,
      rates: settings.rates,
    },
    inputs: report.inputs,
    log: { ...log, apps: [...log.apps] },
    groups: groups.map((group) => ({
      ...group,
      causes: group.causes.map((cause) => ({ ...cause, evidence: [...cause.evidence] })),
      calendar: {
        perDay: [...group.calendar.perDay],
        byHour: [...group.calendar.byHour],
        byWeekday: [...group.calendar.byWeekday],
      },
      lifetime: { ...group.lifetime, curve: [...group.lifetime.curve] },
    })),
    births: [...births],
    setAside: { ...setAside },
    costPerSecond,
    unknown: [...unknown],
    warnings: report.warnings.filter(({ code }) => !ABOUT_REQUESTS.test(code)),
  };
}
