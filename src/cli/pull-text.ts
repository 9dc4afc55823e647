import { textTable } from "../report/text-table.ts";
import { CAPTURE_TABLES, type Manifest } from "../sources/capture/manifest.ts";

/** What a capture holds, for people. */
export function renderPull(manifest: Manifest, name: string): string {
  const { asked, slices, warnings, unsettledFrom, state } = manifest;
  const number = (value: number): string => value.toLocaleString("en-US");
  const rows = CAPTURE_TABLES.flatMap((table) => {
    const own = slices.filter((slice) => slice.table === table);
    if (own.length === 0) return [];
    const sum = (of: (slice: (typeof own)[number]) => number): string =>
      number(own.reduce((total, slice) => total + of(slice), 0));
    const bytes = own.reduce(
      (total, slice) => total + slice.files.reduce((size, file) => size + file.bytes, 0),
      0,
    );
    return [
      [
        table.replace("-", " "),
        sum((slice) => slice.rows),
        sum((slice) => slice.duplicates),
        sum((slice) => slice.malformed),
        `${(bytes / 2 ** 20).toFixed(1)} MiB`,
        number(own.length),
      ],
    ];
  });
  const lines = [
    `${name}: ${state === "complete" ? "complete" : "not finished"}, from ${asked.source} ${asked.target}`,
    ...(asked.from === null
      ? []
      : [`window ${asked.from} to ${asked.to}, with the look-back from ${asked.dataFrom}`]),
    "",
    ...textTable(["table", "rows", "duplicate", "malformed", "size", "slices"], rows),
    "",
    ...warnings.map(({ message }) => `! ${message}`),
    ...(unsettledFrom === null
      ? []
      : [`! rows from ${unsettledFrom} on were still arriving; the gate will not judge them`]),
    `Next: coldstart report --data ${name}`,
  ];
  return `${lines.join("\n")}\n`;
}
