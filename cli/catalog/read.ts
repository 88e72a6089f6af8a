//! `edgebid catalog list`, `show`, `explain`, `pull` and `prune`: the commands that do not move the pointer.

import { writeFileSync } from "node:fs";
import { styleText } from "node:util";
import { Failure } from "../../build/failure.mjs";
import { type Current, isDocument } from "../../shared/catalog/listing.ts";
import { type Compiling, Instance } from "../../shared/wasm/instance.ts";
import { compiler } from "../module.ts";
import { type Named, openNamed, originOf } from "../replay/catalog.ts";
import type { Served } from "../serve.mjs";
import { pullHint } from "./move.ts";
import type { CatalogOptions, StoreOptions } from "./open.ts";
import { done, marksText, print, servedText, stoppedText, useText, versionText } from "./print.ts";
import { step } from "./progress.ts";
import type { Store } from "./store.ts";
import { listVersions, prune, readCurrent, readNamed, readSnapshot, versionNamed } from "./versions.ts";
import { open, problemOf } from "./write.ts";

const PLAIN = "a plain document is served, which each isolate compiles";

export async function listCommand(store: Store, { json }: StoreOptions): Promise<void> {
  const current = await step("reading the pointer", () => readCurrent(store));
  const versions = await step("listing the versions", () => listVersions(store, current));
  const { version, stopped = null } = current;
  const isPlain = isDocument(current);
  const lines = isPlain ? [`● ${PLAIN}; push it to give it a version`] : [];
  for (const version of versions) {
    lines.push(versionText(version));
    const { served, pushed, note } = version;
    // After a rollback, a promotion or a second push, the pointer's time and note differ from the version's.
    if (served && (served.since !== pushed || served.note !== note)) lines.push(`  ${servedText(served)}`);
  }
  lines.push(...marksText(versions), ...stoppedText(stopped));
  const shown = versions.map(({ keys, ...version }) => version);
  const text = lines.join("\n") || "no catalog was pushed yet";
  print(json, { current: version, plain: isPlain, stopped, versions: shown }, text);
}

export async function showCommand(store: Store, name: string | undefined, { json }: StoreOptions): Promise<void> {
  const current = await readCurrent(store);
  if (name === undefined && current.pointer === null) {
    const { version, problem } = current;
    const plain = isDocument(current);
    const broken = problem && `${problem}: npx edgebid catalog rollback VERSION ${store.where} --force`;
    print(json, { version, plain, problem }, plain ? PLAIN : (broken ?? "no catalog is served"));
    return;
  }
  const version = await factsOf(store, current, name ?? current.version ?? "");
  const { served, previous, left, second, stopped, problem } = version;
  const text = [
    versionText(version),
    ...(served ? [`  ${servedText(served)}`, `  previous version: ${previous ?? "none"}`] : []),
    ...(left ? [`  rolled back from: ${left}`] : []),
    ...(second ? [`  second version: ${second.version}, ${useText(second)}`] : []),
    ...stoppedText(stopped).map((line) => `  ${line}`),
    ...(problem === null
      ? []
      : [`  cannot be served: ${problem}; get its source: ${pullHint(version.version, store.where)}`]),
  ];
  print(json, version, text.join("\n"));
}

/** The facts about a version, and whether it can be served. */
async function factsOf(store: Store, current: Current, name: string) {
  const found = await step("listing the versions", () => versionNamed(store, current, name));
  const snapshot = await step("reading", () => readSnapshot(store, found));
  const problem = snapshot === null ? "its snapshot is not in KV" : problemOf(snapshot);
  const ssps = snapshot === null || problem !== null ? [] : open(snapshot).ssps;
  const { keys, ...version } = found;
  const { pointer, stopped = null } = version.current ? current : {};
  const { previous = null, left = null, second = null } = pointer ?? {};
  return { ...version, plain: false, ssps, previous, left, second, stopped, problem };
}

/** The version that is served, and its problem, if it has one. */
export async function servedVersion(store: Store): Promise<Omit<Served, "isOwn">> {
  const current = await readCurrent(store);
  return current.pointer ? factsOf(store, current, current.pointer.version) : current;
}

/** A campaign in sentences. */
interface Description {
  cid: string;
  sections: { about: string; sentences: string[] }[];
}

/** Describes a campaign in sentences: where and when it bids, what it pays and what it shows. Throws {@link Failure}. */
export async function explainCampaign(cid: string, options: CatalogOptions): Promise<void> {
  const [named] = (await openNamed([options.catalog], options)) as [Named];
  const { snapshot } = named;
  const instance = new Instance<Compiling>(compiler);
  const id = new TextEncoder().encode(cid);
  instance.put(snapshot, id);
  instance.exports.describe(snapshot.byteLength, id.byteLength);
  const report = instance.outputJson<Description | { error: string }>();
  const catalog = `${originOf(named)}, version ${named.version}`;
  // A person who has named the catalog knows it.
  const of = options.catalog === undefined ? ` (catalog: ${catalog})` : "";
  if ("error" in report) throw new Failure(`${report.error}${of}`);
  const { sections } = report;
  const lines = sections.flatMap(({ about, sentences }) => [
    `  ${styleText("bold", about)}`,
    ...sentences.map((sentence) => `    ${sentence}`),
  ]);
  const text = [`campaign ${styleText("bold", report.cid)}${of}`, ...lines].join("\n");
  print(options.json, { cid: report.cid, catalog, sections }, text);
}

export async function pullCommand(
  store: Store,
  name: string | undefined,
  { out, json }: StoreOptions & { out?: string },
): Promise<void> {
  const current = await readCurrent(store);
  const version = name ?? current.version;
  if (version === null) throw new Failure(`${current.problem ?? "no catalog is served"}; push a catalog first`);
  const { document } = await step("reading", () => readNamed(store, current, version));
  if (out === undefined) {
    process.stdout.write(document);
    return;
  }
  writeFileSync(out, document);
  print(json, { version, file: out, bytes: document.byteLength }, done(`wrote the source of ${version} to ${out}`));
}

export async function pruneCommand(
  store: Store,
  options: StoreOptions & { keep: number; dryRun?: boolean },
): Promise<void> {
  const { json, dryRun = false } = options;
  const { deleted, kept } = await prune(store, options, step);
  const lines = [
    ...kept.map(({ version, why }) => `  kept ${version}, ${why}`),
    ...deleted.map((version) => `  ${version} ${dryRun ? "would be deleted" : "deleted"}`),
    ...(deleted.length === 0 ? ["no version to delete"] : []),
  ];
  print(json, { deleted, kept, dryRun }, lines.join("\n"));
}
