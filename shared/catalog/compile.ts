//! Compiles a catalog document to the snapshot that instances load.
//!
//! Each call makes an instance of the compiling module and drops the instance afterwards, which frees its memory. The
//! module has no time-zone database, so it gets from `time/zones.ts` when a zone's offset from UTC changes.

import { changesOf, zonesEnd } from "../time/zones.ts";
import { type Compiling, Instance, isTrue } from "../wasm/instance.ts";

/** One error or note about a document. */
export interface Finding {
  path: string;
  rule: string;
  /** The entry of the document to which `path` leads: the id of an SSP, creative or campaign, or a currency. */
  of?: string;
  message: string;
  /** A catalog with an error is refused. A catalog that has only notes is accepted. */
  severity: "error" | "note";
}

/** The catalog document has errors, so no part of it is used. */
export class CatalogRefused extends Error {
  override name = "CatalogRefused";
  readonly findings: Finding[];

  constructor(findings: Finding[]) {
    const errors = findings.filter(({ severity }) => severity === "error");
    super(errors.map((finding) => `${placeText(finding)}${finding.message}`).join("\n"));
    this.findings = findings;
  }
}

/** `campaigns[3].cur (acme-spring): `; empty if the finding is about the whole document. */
export function placeText({ path, of }: Finding): string {
  return path ? `${path}${of ? ` (${of})` : ""}: ` : "";
}

/** A compiled catalog document. */
export interface Compiled {
  snapshot: Uint8Array<ArrayBuffer>;
  /** When the campaigns' time-zone data ends, ISO 8601; null if no campaign names a zone. */
  zones: string | null;
  /** From when on the files of `supply` are too old, ISO 8601; null if no campaign asks for them. */
  supply: string | null;
  /** Notes about the document. They do not prevent its use. */
  notes: Finding[];
}

/** What it means that the files of `supply` are too old since this time. */
export function oldSupplyText(since: string): string {
  const next = "run edgebid supply fetch and edgebid supply compile, and push the catalog";
  return `the files of supply are too old since ${since.slice(0, "2026-12-13".length)}, so "require" refuses no unknown sellers; ${next}`;
}

/** Throws {@link CatalogRefused} with all findings. */
export function compile(document: Uint8Array, compiler: WebAssembly.Module): Compiled {
  const instance = new Instance<Compiling>(compiler);
  try {
    instance.exports.zones_of(instance.put(document));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CatalogRefused([{ path: "", rule: "out-of-range", message: error.message, severity: "error" }]);
  }
  const named = instance.outputJson<{ zones?: string[] }>().zones ?? [];
  const zones = { zones: named.flatMap(changesOf) };
  instance.exports.set_zones(instance.put(new TextEncoder().encode(JSON.stringify(zones))));
  const isSound = isTrue(instance.exports.compile(instance.put(document)));
  const { findings = [], supply_old_ms: old } = instance.outputJson<{ findings?: Finding[]; supply_old_ms?: number }>();
  if (!isSound) throw new CatalogRefused(findings);
  return {
    snapshot: instance.snapshot(),
    zones: named.length > 0 ? zonesEnd().toISOString() : null,
    supply: old === undefined ? null : new Date(old).toISOString(),
    notes: findings,
  };
}

/** A compiled catalog, or the findings of a refused one. */
export type Outcome = { compiled: Compiled; findings?: never } | { findings: Finding[] };

/** Compiles as {@link compile} does, and returns the findings of a refused catalog. */
export function outcomeOf(document: Uint8Array, module: WebAssembly.Module): Outcome {
  try {
    return { compiled: compile(document, module) };
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    return { findings: error.findings };
  }
}
