//! From a catalog document to the snapshot that instances load.
//!
//! The compiler is a module of its own, built of the same crate as the one that serves. Its instance is
//! forgotten afterwards.

import { type Compiling, instantiate, isTrue, outputJson, put, snapshot } from "./module.ts";
import { changesOf } from "./zones.ts";

/** One thing that is wrong with a catalog document. */
export interface Finding {
  path: string;
  rule: string;
  message: string;
}

/** The catalog document was refused; nothing of it is in use. */
export class CatalogRefused extends Error {
  override name = "CatalogRefused";
  readonly findings: Finding[];

  constructor(findings: Finding[]) {
    super(findings.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("\n"));
    this.findings = findings;
  }
}

/** The snapshot of a catalog document. Throws {@link CatalogRefused} with every finding. */
export function compile(document: Uint8Array, compiler: WebAssembly.Module): Uint8Array<ArrayBuffer> {
  const instance = instantiate<Compiling>(compiler);
  try {
    instance.zones_of(put(instance, document));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CatalogRefused([{ path: "", rule: "out-of-range", message: error.message }]);
  }
  const named = outputJson<{ zones?: string[] }>(instance).zones ?? [];
  const zones = { zones: named.flatMap(changesOf) };
  instance.set_zones(put(instance, new TextEncoder().encode(JSON.stringify(zones))));
  if (isTrue(instance.compile(put(instance, document)))) return snapshot(instance);
  throw new CatalogRefused(outputJson<{ findings: Finding[] }>(instance).findings);
}
