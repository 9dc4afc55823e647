// Writes the published JSON Schemas from the zod schemas of the build.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { publishedSchemas } from "../dist/report/schemas.js";

for (const [name, schema] of Object.entries(publishedSchemas())) {
  const path = fileURLToPath(new URL(`../schemas/${name}`, import.meta.url));
  writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
}
