//! The interface of a KV namespace for the commands, and what the commands share.

import type { Metadata } from "../../shared/catalog/listing.ts";
import type { Manifest } from "../../shared/catalog/pointer.ts";

/** A KV namespace: the local one, one on an account, or one in a test. */
export interface Store {
  /** The options that name this namespace, for hints that people can paste. */
  where: string;
  /** The value under a key; null if there is none. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>;
  put(key: string, value: Uint8Array<ArrayBuffer>, metadata?: Metadata): Promise<void>;
  list(prefix: string): Promise<{ name: string; metadata?: unknown }[]>;
  delete(keys: string[]): Promise<void>;
}

/** Options of all commands that change something. */
export interface MoveOptions {
  note?: string | undefined;
  /** Move the pointer even if another person has moved it meanwhile. */
  force?: boolean | undefined;
  /** Signs the pushed version. */
  sign?: Sign | undefined;
  now: Date;
  step: Step;
}

/** When data in a compiled catalog gets too old, each ISO 8601; null if it has no such data. */
export interface Ends {
  /** The time-zone data of the campaigns. */
  zones: string | null | undefined;
  /** The files of `supply`. */
  supply: string | null | undefined;
}

/** Signs a snapshot and its source. Returns a text of `shared/catalog/signature.ts`. */
export type Sign = (snapshot: Uint8Array<ArrayBuffer>, document: Uint8Array<ArrayBuffer>) => Promise<string>;

/** Reports the progress of a step, from 0 to 1, or null if it is not known, and a note about it. */
export type Progress = (done: number | null, note?: string) => void;

/** Runs one step of a command and shows its name. The work may report its progress. */
export type Step = <T>(name: string, work: (progress: Progress) => Promise<T> | T) => Promise<T>;

/** The facts of a version as the pointer has them. Absent facts and default values are left out. */
export function manifestWith(
  { version, parts, documents = 1, campaigns, zones, supply }: Omit<Manifest, "zones" | "supply"> & Partial<Ends>,
  signature: string | undefined = undefined,
): Manifest {
  return {
    ...{ version, parts, ...(documents > 1 && { documents }), campaigns },
    ...{ ...(zones && { zones }), ...(supply && { supply }), ...(signature && { signature }) },
  };
}

export function isEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.byteLength === b.byteLength && a.every((byte, at) => byte === b[at]);
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}
