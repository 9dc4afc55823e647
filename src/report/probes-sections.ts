import { formatCount, formatDecimal, formatFixed, type Symbols } from "./numbers.ts";
import type { AppProbesDocument, ProbeDocument, ProbesDocument } from "./probes-document.ts";
import { cell, type TableModel } from "./table.ts";

type Quote = (text: string) => string;

/** The kind of a probe with its path and port: `http /ready :8080`. */
function kindText(
  { handler, path, port }: { handler: string | null; path: string | null; port: number | string | null },
  symbols: Symbols,
): string {
  if (handler === null) return symbols.none;
  return [handler, ...(path === null ? [] : [clipped(path)]), ...(port === null ? [] : [`:${port}`])].join(
    " ",
  );
}

/** The evidence has the whole path. */
function clipped(path: string): string {
  return path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH - 1)}…`;
}

const LONGEST_PATH = 16;

function declaredText({ declared }: ProbeDocument, symbols: Symbols): string {
  switch (declared.origin) {
    case "written":
      return declared.handlers.length > 1 ? declared.handlers.join(" + ") : kindText(declared, symbols);
    case "default":
      return `default: ${kindText(declared, symbols)}`;
    case "partial-default":
      return `not set (${kindText(declared, symbols)}?)`;
    case "none":
      return "none";
    case "unknown":
      return symbols.none;
  }
}

/** A row a probe type: what is declared, what runs, how sure that is. */
export function probesTable(app: AppProbesDocument, symbols: Symbols, quote: Quote): TableModel {
  return {
    columns: [
      { head: "health probe", align: "left" },
      { head: "declared", align: "left" },
      { head: "runs", align: "left" },
      { head: "confidence", align: "left" },
      { head: "budget s", align: "right" },
      { head: "refusals", align: "right" },
      { head: "ended", align: "right" },
    ],
    rows: app.probes.map((probe) => [
      cell(probe.type, "strong"),
      cell(quote(declaredText(probe, symbols))),
      cell(quote(kindText(probe.inferred, symbols)), probe.confidence === "unknown" ? "dim" : "plain"),
      cell(probe.confidence, probe.confidence === "unknown" ? "caution" : "plain"),
      cell(formatDecimal(probe.declared.budgetSeconds, symbols)),
      cell(formatCount(probe.refusals?.count ?? null, symbols)),
      cell(formatCount(probe.refusals?.kills ?? null, symbols)),
    ]),
  };
}

/** One line a piece of evidence. */
export function evidenceLines(app: AppProbesDocument): string[] {
  return app.probes.flatMap(({ type, evidence }) =>
    evidence.map(({ side, text }) => `${type}, ${side}: ${text}.`),
  );
}

/** What the starts and the rows of the app are, in sentences. */
export function accountLines(app: AppProbesDocument, symbols: Symbols, quote: Quote): string[] {
  const lines: string[] = [];
  const { log, starts, rows } = app;
  if (log !== null) {
    const { duplicate, platform, afterStop, job } = log.excluded;
    const names =
      log.platformContainers.length === 0 ? "" : ` (${log.platformContainers.map(quote).join(", ")})`;
    lines.push(
      `System log: ${formatCount(log.events, symbols)} events. Refusals left out: ${duplicate} repeated rows, ${platform} of the platform's containers${names}, ${afterStop} after a stop, ${job} of jobs.`,
    );
  }
  if (starts !== null) {
    const part = (name: string, { n, p50Seconds, maxSeconds }: typeof starts.lastRefusal): string[] =>
      n === 0
        ? []
        : [
            `from the container's start to ${name} p50 ${seconds(p50Seconds, symbols)}, longest ${seconds(maxSeconds, symbols)}, n ${formatCount(n, symbols)}`,
          ];
    const parts = [
      `${formatCount(starts.starts, symbols)} in the log`,
      `${formatCount(starts.killed, symbols)} ended by a probe`,
      ...part("the last startup refusal", starts.lastRefusal),
      ...part("the first request row, where nothing was refused,", starts.firstRow),
      `${formatCount(starts.silent, symbols)} of unknown length`,
    ];
    lines.push(`Starts: ${parts.join("; ")}.`);
  }
  if (rows !== null) {
    const hours = formatDecimal(rows.observedSeconds / 3600, symbols);
    const paths = rows.paths.map(
      ({ path, estimated, rows: n, perInstanceDay }) =>
        `${quote(path)} ${formatCount(Math.round(estimated), symbols)} requests (${formatCount(n, symbols)} rows, ${formatCount(perInstanceDay === null ? null : Math.round(perInstanceDay), symbols)} per instance and day)`,
    );
    lines.push(
      `Request rows: ${formatCount(rows.rows, symbols)} of ${formatCount(rows.instances, symbols)} instances over ${hours} h of life; on probe paths: ${paths.length === 0 ? "none" : paths.join("; ")}.`,
    );
  }
  return lines;
}

function seconds(value: number | null, symbols: Symbols): string {
  return value === null ? symbols.none : `${formatFixed(value, 1, symbols)} s`;
}

/** `orders-api (spec.yaml)`. */
export function appTitle({ app, spec }: AppProbesDocument, quote: Quote): string {
  const name = app === "" ? "(app without a name)" : quote(app);
  return spec === null
    ? `${name}, no spec`
    : `${name}, ${spec.kind === "job" ? "job " : ""}${quote(spec.file)}`;
}

/** The answer in one line. */
export function headSentence({ apps, findings, expectations }: ProbesDocument): string {
  const open = apps
    .flatMap(({ probes }) => probes)
    .filter(({ confidence }) => confidence === "unknown").length;
  const all = apps.length * 3;
  const problems = findings.filter(({ level }) => level === "problem").length;
  const cautions = findings.filter(({ level }) => level === "caution").length;
  const parts = [
    `${apps.length} ${apps.length === 1 ? "app" : "apps"}: the kind of ${all - open} of ${all} probes is known`,
    `${problems} ${problems === 1 ? "problem" : "problems"}, ${cautions} ${cautions === 1 ? "caution" : "cautions"}`,
  ];
  if (expectations.length > 0) {
    const met = expectations.filter(({ result }) => result === "met").length;
    parts.push(`${met} of ${expectations.length} expectations met`);
  }
  return `${parts.join("; ")}.`;
}
