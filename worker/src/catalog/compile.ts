//! From a catalog document to the snapshot that instances load.
//!
//! The compiler is a module of its own, built of the same crate as the one that serves. Its instance is
//! forgotten afterwards.

import { type Compiling, Instance, isTrue } from "../wasm/instance.ts";
import { changesOf, zonesEnd } from "./zones.ts";

/** One thing that is to be said about a document. */
export interface Finding {
  path: string;
  rule: string;
  /** The id of the SSP, creative or campaign, or the currency, that the path leads into. */
  of?: string;
  message: string;
  /** A note refuses no catalog. */
  severity: "error" | "note";
}

/** The catalog document was refused; nothing of it is in use. */
export class CatalogRefused extends Error {
  override name = "CatalogRefused";
  readonly findings: Finding[];

  constructor(findings: Finding[]) {
    const errors = findings.filter(({ severity }) => severity === "error");
    super(errors.map((finding) => `${placeText(finding)}${finding.message}`).join("\n"));
    this.findings = findings;
  }
}

/** `campaigns[3].cur (acme-spring): `; empty for what is about the whole document. */
export function placeText({ path, of }: Finding): string {
  return path ? `${path}${of ? ` (${of})` : ""}: ` : "";
}

/** A catalog document after compiling. */
export interface Compiled {
  snapshot: Uint8Array<ArrayBuffer>;
  /** Until when the time zones are known that its campaigns name, ISO 8601; null where they name none. */
  zones: string | null;
  /** What is to be said about it although it can be used. */
  notes: Finding[];
}

/** Throws {@link CatalogRefused} with every finding. */
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
  const { findings = [] } = instance.outputJson<{ findings?: Finding[] }>();
  if (!isSound) throw new CatalogRefused(findings);
  return { snapshot: instance.snapshot(), zones: named.length > 0 ? zonesEnd().toISOString() : null, notes: findings };
}
