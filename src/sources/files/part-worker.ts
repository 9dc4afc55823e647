import { parentPort, workerData } from "node:worker_threads";
import { type PartTask, readPart } from "./split.ts";

const result = readPart(workerData as PartTask);
const columns = (result?.blocks ?? []).flatMap((block) =>
  Object.values(block).filter((column) => ArrayBuffer.isView(column)),
);
parentPort?.postMessage(
  result,
  columns.map((column) => column.buffer as ArrayBuffer),
);
