import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const SRC = join(ROOT, "src");

/** Which folders of `src` each folder may import from, besides itself. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  main: ["cli"],
  cli: ["report", "verdict", "figures", "fleet", "sources", "telemetry", "stats", "warmup", "lab"],
  report: ["figures", "verdict"],
  verdict: ["figures", "stats"],
  figures: ["fleet", "stats", "telemetry"],
  fleet: ["telemetry"],
  sources: ["telemetry"],
  telemetry: [],
  stats: [],
  warmup: [],
  lab: ["warmup", "sources/capture", "telemetry"],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|md|json|ya?ml|csv|txt)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const pattern = /(?:from|import\()\s*"([^"]+)"|^import\s+"([^"]+)"/gm;
  return [...text.matchAll(pattern)].map((match) => ({ file, specifier: match[1] ?? match[2]! }));
}

/** The folder of `src` that a path lies in, `main` for the bin. */
function folderOf(path: string): string {
  const parts = relative(SRC, path).split("/");
  return parts.length === 1 ? "main" : parts[0]!;
}

const sources = filesBelow(SRC).filter((file) => file.endsWith(".ts"));
const imports = sources.flatMap(importsOf);

describe("the house", () => {
  it("is looked at", () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(100);
  });

  it("lets data flow one way: every import points to a folder its own may know", () => {
    const wrong = imports.flatMap(({ file, specifier }) => {
      if (!specifier.startsWith(".")) return [];
      const target = resolve(dirname(file), specifier);
      const [from, to] = [folderOf(file), folderOf(target)];
      const isAllowed =
        from === to || MAY_KNOW[from]!.some((known) => relative(SRC, target).startsWith(`${known}/`));
      return isAllowed ? [] : [`${relative(ROOT, file)} imports ${specifier}`];
    });
    expect(wrong).toEqual([]);
  });

  it("knows every folder", () => {
    const folders = new Set(sources.map(folderOf));
    expect([...folders].filter((folder) => !(folder in MAY_KNOW))).toEqual([]);
  });

  it("has no default exports, no barrels, no any", () => {
    const wrong = sources.filter((file) => {
      const text = readFileSync(file, "utf8");
      return (
        /^export default/m.test(text) ||
        /^export \* from/m.test(text) ||
        /[:<(,] ?any\b(?! )[)>,;\]= ]/.test(text)
      );
    });
    expect(wrong.map((file) => relative(ROOT, file))).toEqual([]);
  });

  it("keeps the sources in files with one job", () => {
    const long = sources.filter((file) => readFileSync(file, "utf8").split("\n").length > 320);
    expect(long.map((file) => relative(ROOT, file))).toEqual([]);
  });

  it("prints, reads the clock and exits only in the command line", () => {
    const wrong = sources.filter((file) => {
      if (["main", "cli"].includes(folderOf(file))) return false;
      return /\bconsole\.|process\.(?:exit|stdout|stderr)|Date\.now\(\)|new Date\(\)|Math\.random\(/.test(
        readFileSync(file, "utf8"),
      );
    });
    expect(wrong.map((file) => relative(ROOT, file))).toEqual([]);
  });

  it("stands alone: nothing names a path outside the repository", () => {
    const folders = ["src", "test", "scripts", "bench", "docs", "fixtures"].map((name) => join(ROOT, name));
    const files = folders
      .flatMap(filesBelow)
      .filter((file) => !file.includes("node_modules") && !file.includes("bench/data"));
    const outside = new RegExp(["\\.\\./shared", "/work/", "\\.library"].join("|"));
    const wrong = files.filter(
      (file) => file !== import.meta.filename && outside.test(readFileSync(file, "utf8")),
    );
    expect(wrong.map((file) => relative(ROOT, file))).toEqual([]);
  });
});
