//! `edgebid catalog explain`: tells in sentences where and when a campaign bids, what it pays and what it shows. The
//! compiling module makes the sentences from the compiled catalog.

import { styleText } from "node:util";
import { type Compiling, Instance } from "../../worker/src/wasm/instance.ts";
import { Failure } from "../failure.mjs";
import { compiler } from "../module.ts";
import { compiledAside } from "./compiling.ts";
import { print } from "./print.ts";
import { step } from "./progress.ts";
import { sourceOf } from "./source.ts";
import type { Store } from "./store.ts";
import { findVersion, listVersions, readCurrent, readSnapshot } from "./versions.ts";

/** A campaign in sentences. */
export interface Description {
  cid: string;
  sections: { about: string; sentences: string[] }[];
}

/** Tells a campaign of a catalog on disk. */
export async function explainFile(cid: string, path: string, { json }: { json?: boolean }): Promise<void> {
  const { snapshot } = await step("compiling", () => compiledAside(sourceOf(path)));
  show(describe(snapshot, cid), json);
}

/** Tells a campaign of the version that is served. */
export async function explainServed(cid: string, store: Store, { json }: { json?: boolean }): Promise<void> {
  const current = await step("reading the pointer", () => readCurrent(store));
  if (current.version === null || current.pointer === null) {
    throw new Failure(`${current.problem ?? "no version is served"}; name a catalog with --catalog FILE`);
  }
  const version = findVersion(await listVersions(store, current), current.version, store);
  const snapshot = await step("reading", () => readSnapshot(store, version));
  if (snapshot === null) throw new Failure(`the snapshot of ${version.version} is not in KV; push it again`);
  show(describe(snapshot, cid), json);
}

/** Describes a campaign. Throws {@link Failure} if the catalog has no such campaign. */
export function describe(snapshot: Uint8Array, cid: string): Description {
  const instance = new Instance<Compiling>(compiler);
  const id = new TextEncoder().encode(cid);
  instance.put(snapshot, id);
  instance.exports.describe(snapshot.byteLength, id.byteLength);
  const report = instance.outputJson<Description | { error: string }>();
  if ("error" in report) throw new Failure(report.error);
  return report;
}

function show({ cid, sections }: Description, json: boolean | undefined): void {
  const lines = sections.flatMap(({ about, sentences }) => [
    `  ${styleText("bold", about)}`,
    ...sentences.map((sentence) => `    ${sentence}`),
  ]);
  print(json, { cid, sections }, [`campaign ${styleText("bold", cid)}`, ...lines].join("\n"));
}
