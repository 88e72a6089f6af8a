//! The pointer and the pushed versions in KV, as the commands and the inspector list them. Reads only what the caller
//! has fetched.

import { POINTER_KEY, type Pointer, PointerRefused, readPointer, VERSIONS_PREFIX, versionOf } from "./pointer.ts";
import { readStopped, type Stopped } from "./stopped.ts";

/** The current value under {@link POINTER_KEY}. */
export interface Current {
  /** The bytes of the value; null if there is none. */
  stored: Uint8Array<ArrayBuffer> | null;
  /** The value as a pointer; null if it is not one. */
  pointer: Pointer | null;
  /** What is wrong with the pointer; null if it is valid, or if there is none. */
  problem: string | null;
  /** What is stopped; null for nothing. Undefined if the value is neither a pointer nor a document. */
  stopped: Stopped | null | undefined;
  /** The version that is served, or the hash of a plain document; null without a catalog. */
  version: string | null;
}

/** The facts about a version that are known without reading it: KV's metadata of its document. */
export interface Metadata {
  /** When the version was last pushed, ISO 8601. */
  pushed: string;
  campaigns: number;
  /** Size of the snapshot in bytes. */
  bytes: number;
  note?: string;
  /** When the campaigns' time-zone data ends, ISO 8601; absent if no campaign names a zone. */
  zones?: string;
  /** From when on the files of `supply` are too old, ISO 8601; absent if no campaign asks for them. */
  supply?: string;
}

/** A version in KV. */
export interface Version extends Partial<Metadata> {
  version: string;
  /** Whether this version is served. */
  current: boolean;
  /** For the current version: since when it is served, ISO 8601, and the note of the command that chose it. */
  served?: { since: string; note?: string };
  /** For the second version: how it is used. */
  beside?: { mode: string; share: number };
  keys: string[];
}

/** Reads the value under the key of the pointer; null if there is none. */
export async function currentOf(stored: Uint8Array<ArrayBuffer> | null): Promise<Current> {
  const stopped = stored && readStopped(stored);
  try {
    const pointer = stored && readPointer(stored);
    const version = pointer?.version ?? (stored && (await versionOf(stored)));
    return { stored, pointer, problem: null, stopped, version };
  } catch (error) {
    if (!(error instanceof PointerRefused)) throw error;
    return { stored, pointer: null, problem: error.message, stopped, version: null };
  }
}

/**
 * The versions to which a rollback can go back, the one that was served last first: those that were served and not rolled
 * back, as far as `versions` still has them.
 */
export function servedBefore({ pointer }: Current, versions: Version[]): string[] {
  const served = pointer === null ? [] : [pointer.previous, ...pointer.earlier];
  const pushed = new Set(versions.flatMap(({ version, pushed }) => (pushed === undefined ? [] : [version])));
  return served.filter((name) => name !== null && pushed.has(name)) as string[];
}

/** Whether the key of the pointer holds a plain document. */
export function isDocument({ stored, pointer, problem }: Current): boolean {
  return stored !== null && pointer === null && problem === null;
}

/**
 * All versions of these keys, which begin with {@link VERSIONS_PREFIX}: newest push first, those without metadata last.
 */
export function versionsOf(keys: { name: string; metadata?: unknown }[], { pointer }: Current): Version[] {
  const versions = new Map<string, Version>();
  const { second, note } = pointer ?? {};
  for (const { name, metadata } of keys) {
    const version = name.slice(VERSIONS_PREFIX.length).split("/")[0] ?? "";
    const entry = versions.get(version) ?? {
      version,
      current: version === pointer?.version,
      ...(version === pointer?.version && { served: { since: pointer.pushed, ...(note && { note }) } }),
      ...(version === second?.version && { beside: { mode: second.mode, share: second.share } }),
      keys: [],
    };
    entry.keys.push(name);
    versions.set(version, { ...entry, ...(metadata as Metadata | null | undefined) });
  }
  return [...versions.values()].sort((a, b) => (b.pushed ?? "").localeCompare(a.pushed ?? ""));
}
