/**
 * A strict reader for what an XML 1.0 parser accepts, small enough to be checked by eye: elements,
 * attributes in double quotes, text, comments, the five entities and decimal references. No DTD, no CDATA.
 */
export interface ReadElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly ReadElement[];
  readonly text: string;
}

/** The characters that XML 1.0 allows. */
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const NAME = /^[A-Za-z_][\w.-]*/;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Reads a document with its declaration. @throws Error with the position where it is not well-formed */
export function readXml(source: string): ReadElement {
  if (!ALLOWED.test(source)) throw new Error("a character that XML does not allow");
  let at = 0;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${JSON.stringify(source.slice(at, at + 40))}`);
  };
  const take = (literal: string): void => {
    if (!source.startsWith(literal, at)) fail(`${literal} expected`);
    at += literal.length;
  };
  const match = (pattern: RegExp, what: string): string => {
    const found = pattern.exec(source.slice(at))?.[0] ?? fail(`${what} expected`);
    at += found.length;
    return found;
  };
  const decode = (raw: string): string =>
    raw.replace(/\r\n?/g, "\n").replace(/&([^;\s]*);?/g, (whole, body: string) => {
      const numeric = /^#(\d+)$/.exec(body)?.[1];
      const char = numeric === undefined ? ENTITIES[body] : String.fromCodePoint(Number(numeric));
      if (char === undefined || !whole.endsWith(";")) return fail(`entity ${whole}`);
      if (!ALLOWED.test(char)) return fail(`reference to a character that XML does not allow`);
      return char;
    });
  const blanks = (): void => {
    at += /^\s*/.exec(source.slice(at))![0].length;
  };
  const skipComments = (): void => {
    blanks();
    while (source.startsWith("<!--", at)) {
      const end = source.indexOf("--", at + 4);
      if (end === -1 || source[end + 2] !== ">") fail("-- inside a comment");
      at = end + 3;
      blanks();
    }
  };
  const readElement = (): ReadElement => {
    take("<");
    const name = match(NAME, "a name");
    const attributes: Record<string, string> = {};
    while (/^\s+[A-Za-z_]/.test(source.slice(at))) {
      blanks();
      const key = match(NAME, "a name");
      take('="');
      const raw = match(/^[^"<]*/, "a value");
      take('"');
      if (Object.hasOwn(attributes, key)) fail(`attribute ${key} twice`);
      // A parser turns blanks that are not written as references into spaces.
      attributes[key] = decode(raw.replace(/[\t\n\r]/g, " "));
    }
    blanks();
    if (source.startsWith("/>", at)) {
      at += 2;
      return { name, attributes, children: [], text: "" };
    }
    take(">");
    const children: ReadElement[] = [];
    let text = "";
    while (!source.startsWith("</", at)) {
      if (source.startsWith("<", at)) children.push(readElement());
      else {
        const raw = match(/^[^<]+/, "text");
        if (raw.includes("]]>")) fail("]]> in text");
        text += decode(raw);
      }
    }
    take(`</${name}>`);
    return { name, attributes, children, text };
  };
  take('<?xml version="1.0" encoding="UTF-8"?>');
  skipComments();
  const root = readElement();
  skipComments();
  if (at !== source.length) fail("the end expected");
  return root;
}

/** All elements of a name, in document order. */
export function elementsOf(root: ReadElement, name: string): ReadElement[] {
  return [
    ...(root.name === name ? [root] : []),
    ...root.children.flatMap((child) => elementsOf(child, name)),
  ];
}
