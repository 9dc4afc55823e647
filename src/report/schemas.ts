import { z } from "zod";
import { barSchema } from "../verdict/bar.ts";
import { reportSchema } from "./document.ts";
import { verdictSchema } from "./verdict-document.ts";

/** The JSON Schemas that are published in `schemas/`, by file name. */
export function publishedSchemas(): Record<string, object> {
  return {
    "report.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/report.schema.json",
      title: "coldstart.report/1",
      ...z.toJSONSchema(reportSchema),
    },
    "verdict.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/verdict.schema.json",
      title: "coldstart.verdict/1",
      ...z.toJSONSchema(verdictSchema),
    },
    "bar.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/bar.schema.json",
      title: "coldstart.bar/1",
      // As it is written: what has a default may be left out.
      ...z.toJSONSchema(barSchema, { io: "input" }),
    },
  };
}
