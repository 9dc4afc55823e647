/**
 * XML 1.0 written by hand: text and attribute values that survive any parser, whatever they hold.
 * Characters that XML cannot express at all (most controls, lone surrogates) become U+FFFD.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly the characters that XML refuses
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
/** Line ends and blanks that a parser normalises, and controls that XML discourages: as references. */
const FRAGILE = /[\t\n\r\u007f-\u009f\u2028\u2029]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for an attribute in either kind of quotes, or for the content of an element. */
export function escapeXml(text: string): string {
  return text
    .replace(IMPOSSIBLE, "\ufffd")
    .replace(/[&<>"']/g, (char) => ENTITIES[char]!)
    .replace(FRAGILE, (char) => `&#${char.codePointAt(0)!};`);
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Elements, or text. */
  readonly children: readonly XmlElement[] | string;
}

export function element(
  name: string,
  attributes: XmlElement["attributes"],
  children: XmlElement["children"] = [],
): XmlElement {
  return { name, attributes, children };
}

/** Lines of an element, indented by two for each level. Text stands in one line with its element. */
export function xmlLines({ name, attributes, children }: XmlElement, indent = ""): string[] {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  const open = `${indent}<${name}${written.join("")}`;
  if (children.length === 0) return [`${open}/>`];
  if (typeof children === "string") return [`${open}>${escapeXml(children)}</${name}>`];
  return [`${open}>`, ...children.flatMap((child) => xmlLines(child, `${indent}  `)), `${indent}</${name}>`];
}
