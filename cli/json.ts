//! Reads JSON that may be none.

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The value of a JSON text, or of a text's bytes in UTF-8; undefined if it is not JSON. */
export function parsedJson<T = unknown>(text: string | Uint8Array): T | undefined {
  try {
    return JSON.parse(typeof text === "string" ? text : decoder.decode(text));
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
