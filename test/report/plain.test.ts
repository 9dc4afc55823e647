import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { code, prose } from "../../src/report/markdown-text.ts";
import { displayWidth, plain, wrap } from "../../src/report/plain.ts";

describe("text from outside", () => {
  it("cannot move the cursor, change colours or turn the reading direction", () => {
    expect(plain("a\u001b[31mb\u001b]0;title\u0007c\r\nd\u202ee", true)).toBe("abc d e");
  });

  it("becomes ASCII where that is asked for", () => {
    expect(plain("né → “x” – 请", false)).toBe('n\\u{e9} -> "x" - \\u{8bf7}');
  });

  it("cannot become markup, a mention or a link in Markdown", () => {
    expect(prose("a|b <img> *x* @team [l](u) `c`")).toBe(
      "a\\|b &lt;img&gt; \\*x\\* @<!-- -->team \\[l\\](u) \\`c\\`",
    );
    expect(code("plain")).toBe("`plain`");
    expect(code("a``b`")).toBe("``` a``b` ```");
  });
});

describe("wrap", () => {
  it("keeps units, instants and intervals whole", () => {
    expect(wrap("it took 7,468 ms", 13)).toEqual(["it took", "7,468 ms"]);
    expect(wrap("from 2026-03-02 00:00 UTC on", 22)).toEqual(["from", "2026-03-02 00:00 UTC", "on"]);
    expect(wrap("−212 ms [−640, 215]", 16)).toEqual(["−212 ms", "[−640, 215]"]);
  });

  it("hangs and breaks long words only where it must", () => {
    expect(wrap("aa bb cc", 5, 2)).toEqual(["aa bb", "  cc"]);
    expect(wrap("abcdefgh", 5, 2)).toEqual(["abc", "  def", "  gh"]);
  });

  it("counts wide characters twice and marks not at all", () => {
    expect(displayWidth("请求")).toBe(4);
    expect(displayWidth("e\u0301")).toBe(1);
    expect(displayWidth("\u001b[1mab\u001b[22m")).toBe(2);
  });

  it("never exceeds the width and loses nothing", () => {
    const text = fc.array(fc.constantFrom("a", "bb", "7 ms", "[1, 2]", "longword", "请求", "n 44"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 4, max: 40 }),
        fc.integer({ min: 0, max: 2 }),
        (words, width, hang) => {
          const lines = wrap(words.join(" "), width, hang);
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(lines.join("").replace(/ /g, "")).toBe(words.join("").replace(/ /g, ""));
        },
      ),
    );
  });
});
