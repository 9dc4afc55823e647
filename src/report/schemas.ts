import { z } from "zod";
import { barSchema } from "../verdict/bar.ts";
import { anatomySchema } from "./anatomy-document.ts";
import { reportSchema } from "./document.ts";
import { leaksSchema } from "./leaks-document.ts";
import { probesSchema } from "./probes-document.ts";
import { reconcileSchema } from "./reconcile-document.ts";
import { replicasSchema } from "./replicas-document.ts";
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
    "replicas.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/replicas.schema.json",
      title: "coldstart.replicas/1",
      ...z.toJSONSchema(replicasSchema),
    },
    "leaks.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/leaks.schema.json",
      title: "coldstart.leaks/1",
      ...z.toJSONSchema(leaksSchema),
    },
    "probes.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/probes.schema.json",
      title: "coldstart.probes/1",
      ...z.toJSONSchema(probesSchema),
    },
    "anatomy.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/anatomy.schema.json",
      title: "coldstart.anatomy/1",
      ...z.toJSONSchema(anatomySchema),
    },
    "reconcile.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/reconcile.schema.json",
      title: "coldstart.reconcile/1",
      ...z.toJSONSchema(reconcileSchema),
    },
    "bar.schema.json": {
      $id: "https://unpkg.com/coldstart/schemas/bar.schema.json",
      title: "coldstart.bar/1",
      // As it is written: what has a default may be left out.
      ...z.toJSONSchema(barSchema, { io: "input" }),
    },
  };
}
