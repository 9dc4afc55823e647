const encoder = new TextEncoder();

/**
 * A 32-bit FNV-1a hash of bytes, never 0. It stands for an operation id where only equality matters, and
 * only between rows that already share instance, id and start.
 */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0 || 1;
}

/** {@link hashBytes} of a text's UTF-8 bytes. */
export function hashText(text: string): number {
  const bytes = encoder.encode(text);
  return hashBytes(bytes, 0, bytes.length);
}
