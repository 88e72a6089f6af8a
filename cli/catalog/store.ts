//! What the commands need of a KV namespace, and what goes wrong with it.

/** A KV namespace: the local one, one on an account, or a test's. */
export interface Store {
  /** The value; null when there is none. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>;
  put(key: string, value: Uint8Array<ArrayBuffer>, metadata?: Metadata): Promise<void>;
  list(prefix: string): Promise<{ name: string; metadata?: unknown }[]>;
  delete(keys: string[]): Promise<void>;
}

/** What is told about a version without reading it: KV's metadata of its document. */
export interface Metadata {
  /** When it was pushed last, ISO 8601. */
  pushed: string;
  campaigns: number;
  /** Size of the snapshot. */
  bytes: number;
  note?: string;
}

/** A failure that the person can act on: its message is all that they get to see. */
export class CatalogFailure extends Error {
  override name = "CatalogFailure";
}

/** Runs one step of a command; the name is for people who wait. */
export type Step = <T>(name: string, work: () => Promise<T> | T) => Promise<T>;

export function isEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.byteLength === b.byteLength && a.every((byte, place) => byte === b[place]);
}
