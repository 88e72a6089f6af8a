//! What the commands need of a KV namespace, and what goes wrong with it.

/** A KV namespace: the local one, one on an account, or a test's. */
export interface Store {
  /** The options with which a command finds it, for hints that can be pasted. */
  where: string;
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
  /** Until when the time zones are known that its campaigns name, ISO 8601; absent where they name none. */
  zones?: string;
}

/** What all commands that change something are told. */
export interface MoveOptions {
  note?: string | undefined;
  /** Move the pointer even if somebody else has moved it meanwhile. */
  force?: boolean | undefined;
  now: Date;
  step: Step;
}

/** A failure that the person can act on: its message is all that they get to see. */
export class CatalogFailure extends Error {
  override name = "CatalogFailure";
}

/** Runs one step of a command; the name is for people who wait. The step may tell how much of it is done, from 0 to 1. */
export type Step = <T>(name: string, work: (progress: (done: number) => void) => Promise<T> | T) => Promise<T>;

export function isEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.byteLength === b.byteLength && a.every((byte, place) => byte === b[place]);
}
