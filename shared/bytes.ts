//! Joins byte arrays, and writes sizes for people.

/** The parts as one array. A single part is returned as it is, without a copy. */
export function concat(parts: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** A size, rounded up to whole MiB: `17 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / (1 << 20))} MB`;
}
