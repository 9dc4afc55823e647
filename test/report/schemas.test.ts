import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publishedSchemas } from "../../src/report/schemas.ts";

describe("published schemas", () => {
  it.each(Object.entries(publishedSchemas()))(
    "%s is what the code says (npm run schemas writes it)",
    (name, schema) => {
      const path = join(import.meta.dirname, "../../schemas", name);
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(JSON.parse(JSON.stringify(schema)));
    },
  );
});
