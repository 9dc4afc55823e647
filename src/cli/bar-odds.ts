import { plain, wrap } from "../report/plain.ts";
import type { Bar, Condition } from "../verdict/bar.ts";
import { boundOf, metricOf, sideOf } from "../verdict/bar-units.ts";
import {
  type CountRule,
  countRule,
  dependableShare,
  evidenceNeeded,
  MOST_VALUES,
  neededCount,
  type PowerPoint,
  powerTable,
  smallestPassable,
} from "../verdict/power.ts";

/** A condition with the count that it needs and the chance to reach it. */
export function explainCondition(condition: Condition, label: string, bar: Bar): string[] {
  const metric = metricOf(condition);
  const side = sideOf(condition)!;
  const bound = condition[side]!;
  const indent = " ".repeat(label.length);
  const n = Math.max(
    condition.minimum ?? bar.sample.minimum,
    bar.sample.take === "all" ? 0 : bar.sample.take.first,
  );
  const rule = countRule(metric, side, boundOf(condition, metric), bar.confidence, bar.looks);
  const head = [`${label}${metric.name} ${side} ${bound}`, `${indent}${metric.description}`];
  if (rule === null) {
    const method =
      bar.confidence === "none" ? "the point estimate" : `a bootstrap over instances, seed ${bar.seed}`;
    return [
      ...head,
      ...paragraph(`Judged by ${method}, on at least ${n} instances: no count can be named ahead.`, indent),
    ];
  }
  const words = rule.kind === "quantile" ? `${side === "below" ? "under" : "over"} ${bound}` : null;
  const first = neededCount(n, rule) === null ? smallestPassable(rule) : n;
  if (first === null) return [...head, ...paragraph(`No sample up to ${MOST_VALUES} can pass.`, indent)];
  const wait = first === n ? "" : `A look at ${n} cannot pass yet; the first that can is at ${first}. `;
  const table = powerTable(first, rule);
  const sentences = `${wait}${needed(first, rule, words)} ${powerSentence(first, table, rule, words, metric.name)}`;
  return [
    ...head,
    ...paragraph(sentences.trim(), indent),
    "",
    ...tableLines(table, rule, words).map((line) => `${indent}${line}`),
  ];
}

function needed(n: number, rule: CountRule, words: string | null): string {
  const count = neededCount(n, rule)!;
  const look =
    rule.looks === "anytime" && rule.confidence !== "none"
      ? ` at a look at ${n}, for an e-value of ${Math.round(evidenceNeeded(rule.confidence) * 10) / 10}`
      : "";
  if (words !== null) return `${count} of ${n} needed ${words}${look}.`;
  return rule.side === "below"
    ? `${count} of ${n} needed free of it (at most ${n - count} may be among them)${look}.`
    : `${count} of ${n} needed among them${look}.`;
}

function powerSentence(
  n: number,
  table: readonly PowerPoint[],
  rule: CountRule,
  words: string | null,
  name: string,
): string {
  const point = dependableShare(table);
  if (point === null) return "";
  const one = rule.looks === "anytime" ? "; further looks add to it" : "";
  const truth =
    words === null
      ? `a true ${name} of ${percent(ownShare(point, rule))}`
      : `a true share of ${percent(point.share)} ${words}`;
  return `With ${n} instances ${truth} passes ${chance(point.power)} of the time${one}.`;
}

/** The share as the metric counts it: a share below a bar is on its wrong side. */
function ownShare({ share }: PowerPoint, rule: CountRule): number {
  return rule.kind === "share" && rule.side === "below" ? 1 - share : share;
}

function tableLines(table: readonly PowerPoint[], rule: CountRule, words: string | null): string[] {
  const shares = table.map((point) => percent(ownShare(point, rule)));
  const powers = table.map(({ power }) => chance(power));
  const widths = shares.map((share, i) => Math.max(share.length, powers[i]!.length));
  const heads = [words === null ? "true share" : `true share ${words}`, "passes"];
  const width = Math.max(...heads.map(({ length }) => length));
  return [shares, powers].map(
    (cells, row) =>
      `${heads[row]!.padEnd(width)}  ${cells.map((cell, i) => cell.padStart(widths[i]!)).join("  ")}`,
  );
}

/** Rounded to whole percents, but never to a certainty that it is not. */
function chance(power: number): string {
  if (power > 0.995 && power < 1) return ">99 %";
  if (power < 0.005 && power > 0) return "<1 %";
  return `${Math.round(power * 100)} %`;
}

/** `2.5 %` for 0.025. */
export function percent(share: number): string {
  return `${Math.round(share * 1e6) / 1e4} %`;
}

/** A text from a bar in lines of at most 80 columns, each behind the indent. */
export function paragraph(text: string, indent: string): string[] {
  return wrap(plain(text.replace(/\s+/g, " "), true), 80 - indent.length).map((line) => indent + line);
}
