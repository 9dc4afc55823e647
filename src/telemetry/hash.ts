/** Multipliers of two independent 32-bit FNV-like lanes. */
const LOW = 0x01000193;
const HIGH = 0x85ebca6b;
const encoder = new TextEncoder();

/**
 * A 53-bit hash of bytes, never 0. It stands for an operation id where only equality matters, and only
 * between rows that already share instance, id and start.
 */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    low = Math.imul(low ^ byte, LOW);
    high = Math.imul(high ^ byte, HIGH);
    high ^= high >>> 15;
  }
  return (low >>> 0) * 0x200000 + ((high >>> 0) & 0x1fffff) + 1;
}

/** {@link hashBytes} of a text's UTF-8 bytes. */
export function hashText(text: string): number {
  const bytes = encoder.encode(text);
  return hashBytes(bytes, 0, bytes.length);
}
