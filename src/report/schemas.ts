import { z } from "zod";
import { reportSchema } from "./document.ts";

/** The JSON Schemas that are published in `schemas/`, by file name. */
export function publishedSchemas(): Record<string, object> {
  return {
    "report.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/report.schema.json",
      title: "coldstart.report/1",
      ...z.toJSONSchema(reportSchema),
    },
  };
}
