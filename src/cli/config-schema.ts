import { z } from "zod";
import { CREDENTIALS } from "../sources/azure/credential.ts";

const text = z.string().min(1);
/** One text or several. */
const texts = z.union([text, z.array(text)]).transform((value) => (Array.isArray(value) ? value : [value]));

/** Where the data comes from. */
const sourceSchema = z.strictObject({
  workspace: text.optional(),
  app: text.optional(),
  cluster: text.optional(),
  database: text.optional(),
  schema: z.enum(["workspace", "classic"]).optional(),
  credential: z.enum(CREDENTIALS).optional(),
  endpoint: text.optional(),
  metrics: z.strictObject({ resource: text, region: text.optional() }).optional(),
});

/** A `coldstart.config.yaml`. */
export const configSchema = z.strictObject({
  source: sourceSchema.optional(),
  app: text.optional(),
  role: texts.optional(),
  revision: text.optional(),
  container: text.optional(),
  timezone: text.optional(),
  days: z.enum(["all", "weekdays"]).optional(),
  holidays: z.array(text).optional(),
  threshold: text.optional(),
  guard: text.optional(),
  probePaths: z.array(text).optional(),
  weight: z.enum(["auto", "item-count", "sample-rate"]).optional(),
  capture: text.optional(),
  warmup: z
    .strictObject({ path: texts.optional(), method: text.optional(), message: text.optional() })
    .optional(),
  deployments: z.array(z.strictObject({ at: text, name: text.optional() })).optional(),
});

export type Config = z.infer<typeof configSchema>;
