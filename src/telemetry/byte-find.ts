import { startsWithFolded } from "./byte-row.ts";

/** Finds one ASCII text in bytes, in any case. */
export type Finder = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * A finder by Horspool's rule: it looks at one byte in `text.length` where the text does not occur.
 *
 * @param text lower case
 * @returns a function that gives the first place, or -1
 */
export function finder(text: string): Finder {
  const wanted = new TextEncoder().encode(text);
  const last = wanted.length - 1;
  const shift = new Uint8Array(256).fill(wanted.length);
  for (let i = 0; i < last; i++) {
    const byte = wanted[i]!;
    shift[byte] = last - i;
    if (byte >= 97 && byte <= 122) shift[byte - 32] = last - i;
  }
  return (bytes, from, to) => {
    for (let i = from; i + last < to; i += shift[bytes[i + last]!]!) {
      if (startsWithFolded(bytes, i, to, wanted)) return i;
    }
    return -1;
  };
}
