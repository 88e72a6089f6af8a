//! `edgebid catalog list`, `show`, `diff`, `pull` and `prune`: the commands that do not move the pointer.

import { existsSync, writeFileSync } from "node:fs";
import { CatalogRefused } from "../../worker/src/catalog/compile.ts";
import { type Current, isDocument } from "../../worker/src/catalog/listing.ts";
import { type Change, diff, KEYS } from "../../worker/src/operator/diff.ts";
import { Failure } from "../failure.mjs";
import type { Served } from "../serve.mjs";
import { compiledAside } from "./compiling.ts";
import { pullHint } from "./move.ts";
import type { StoreOptions } from "./open.ts";
import {
  changeText,
  countText,
  done,
  marksText,
  print,
  servedText,
  stoppedText,
  useText,
  versionText,
} from "./print.ts";
import { step } from "./progress.ts";
import { prune } from "./prune.ts";
import { type Source, sourceOf } from "./source.ts";
import type { Store } from "./store.ts";
import { findVersion, listVersions, readCurrent, readNamed, readSnapshot } from "./versions.ts";
import { open } from "./write.ts";

export async function listCommand(store: Store, { json }: StoreOptions): Promise<void> {
  const current = await step("reading the pointer", () => readCurrent(store));
  const versions = await step("listing the versions", () => listVersions(store, current));
  const isPlain = isDocument(current);
  const lines = isPlain
    ? ["● a plain document is served, which each isolate compiles; push it to give it a version"]
    : [];
  for (const version of versions) {
    lines.push(versionText(version));
    const { served, pushed, note } = version;
    // After a rollback, a promotion or a second push, the pointer's time and note differ from the version's.
    if (served && (served.since !== pushed || served.note !== note)) lines.push(`  ${servedText(served)}`);
  }
  lines.push(...marksText(versions), ...stoppedText(current.stopped));
  const shown = versions.map(({ keys, ...version }) => version);
  print(
    json,
    { current: current.version, plain: isPlain, stopped: current.stopped ?? null, versions: shown },
    lines.join("\n") || "no catalog was pushed yet",
  );
}

export async function showCommand(store: Store, name: string | undefined, { json }: StoreOptions): Promise<void> {
  const current = await readCurrent(store);
  if (name === undefined && current.pointer === null) {
    const plain = isDocument(current);
    const what = plain
      ? "a plain document is served, which each isolate compiles"
      : (current.problem ?? "no catalog is served");
    print(json, { version: current.version, plain, problem: current.problem }, what);
    return;
  }
  const version = await versionNamed(store, current, name ?? current.version ?? "");
  const { served, previous, second, stopped, problem } = version;
  const text = [
    versionText(version),
    ...(served ? [`  ${servedText(served)}`, `  previous version: ${previous ?? "none"}`] : []),
    ...(second ? [`  second version: ${second.version}, ${useText(second)}`] : []),
    ...stoppedText(stopped).map((line) => `  ${line}`),
    ...(problem === null
      ? []
      : [`  cannot be served: ${problem}; get its source: ${pullHint(version.version, store.where)}`]),
  ];
  print(json, version, text.join("\n"));
}

/** What is known of a version, also whether it can be served. */
async function versionNamed(store: Store, current: Current, name: string) {
  const versions = await step("listing the versions", () => listVersions(store, current));
  const found = findVersion(versions, name, store);
  const { problem, ssps } = inspect(await step("reading", () => readSnapshot(store, found)));
  const { keys, ...version } = found;
  const { previous = null, second = null } = version.current ? (current.pointer ?? {}) : {};
  return {
    ...version,
    plain: false,
    ssps,
    previous,
    second,
    stopped: version.current ? (current.stopped ?? null) : null,
    problem,
  };
}

/** The version that is served, and what is wrong with it. */
export async function servedVersion(store: Store): Promise<Omit<Served, "isOwn">> {
  const current = await readCurrent(store);
  return current.pointer ? versionNamed(store, current, current.pointer.version) : current;
}

/** One of the two catalogs that are compared. */
interface Side {
  name: string;
  document: Uint8Array;
}

/** Compares two catalogs. `inStore` opens KV, which is not needed to compare two files. */
export async function diffCommand(
  inStore: (work: (store: Store) => Promise<void>) => Promise<void>,
  old: string | undefined,
  now: string | undefined,
  options: StoreOptions,
): Promise<void> {
  const [oldSource, newSource] = [old, now].map(sourceOrVersion) as [Source | null, Source | null];
  if (old !== undefined && oldSource && now !== undefined && newSource) {
    await compare({ name: old, ...oldSource }, { name: now, ...newSource }, newSource, options);
    return;
  }
  await inStore(async (store) => {
    const current = await readCurrent(store);
    const side = async (name: string | null | undefined, source: Source | null): Promise<Side> => {
      if (name && source) return { name, ...source };
      if (!name)
        throw new Failure(
          current.version === null
            ? `the KV of ${store.where} holds no catalog; push one, or give --persist-to if \`npm start\` has it`
            : `there is no version to compare with; name one of this list: npx edgebid catalog list ${store.where}`,
        );
      return readNamed(store, current, name);
    };
    const { pointer, version } = current;
    if (old !== undefined && now !== undefined) {
      await compare(await side(old, oldSource), await side(now, newSource), newSource, options);
    } else if (old !== undefined) {
      await compare(await side(version, null), await side(old, oldSource), oldSource, options);
    } else if (pointer?.second) {
      await compare(await side(version, null), await side(pointer.second.version, null), null, options);
    } else {
      await compare(await side(pointer?.previous, null), await side(version, null), null, options);
    }
  });
}

/** The catalog in a file or folder; null if the name can only be that of a version. */
export function sourceOrVersion(name: string | undefined): Source | null {
  if (name === undefined || (!existsSync(name) && /^[0-9a-f]{1,16}$/i.test(name))) return null;
  return sourceOf(name);
}

/** Compares two catalogs. If the new one is a `source`, also checks whether a push would refuse it. */
async function compare(old: Side, now: Side, source: Source | null, { json }: StoreOptions): Promise<void> {
  const after = parse(now);
  const changes = diff(parse(old), after).map((change) => ({
    ...change,
    at: source && placeOf(change, after, source),
  }));
  const errors = source ? await step("compiling", () => errorsOf(source)) : 0;
  const heading = `${old.name} → ${now.name}`;
  const text = [heading, ...(changes.length > 0 ? changes.map(changeText) : ["no differences"])].join("\n");
  print(json, { old: old.name, new: now.name, errors, changes }, text);
  if (errors > 0 && !json) {
    const what = `a push would refuse ${now.name}, with ${countText(errors, "error")}`;
    process.stderr.write(`edgebid: ${what}: npx edgebid catalog validate ${now.name}\n`);
  }
}

/** The file and line of what was added or changed; null in JSON, which has no lines that people look up. */
function placeOf({ list, id, change }: Change, document: Record<string, unknown>, source: Source): string | null {
  if (change === "removed") return null;
  if (list === "settings") return source.placeOf(id);
  const key = KEYS[list];
  const entries = Array.isArray(document[list]) ? document[list] : [];
  return source.placeOf(`${list}[${entries.findIndex((entry) => String(entry[key]) === id)}]`);
}

/** The number of errors in the source. With any error a push would refuse it. */
async function errorsOf(source: Source): Promise<number> {
  try {
    await compiledAside(source);
    return 0;
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    return error.findings.filter(({ severity }) => severity === "error").length;
  }
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
  const { deleted, kept } = await prune(store, options, step);
  const what = options.dryRun ? "would be deleted" : "deleted";
  const lines = [
    ...kept.map(({ version, why }) => `  kept ${version}, ${why}`),
    ...deleted.map((version) => `  ${version} ${what}`),
    ...(deleted.length === 0 ? ["no version to delete"] : []),
  ];
  print(options.json, { deleted, kept, dryRun: options.dryRun ?? false }, lines.join("\n"));
}

/** The SSPs of the catalog in a snapshot, or the reason why the snapshot cannot be served. */
function inspect(snapshot: Uint8Array | null): { problem: string | null; ssps: string[] } {
  if (snapshot === null) return { problem: "its snapshot is not in KV", ssps: [] };
  try {
    return { problem: null, ssps: open(snapshot).ssps };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { problem: error.message, ssps: [] };
  }
}

function parse({ name, document }: Side): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(document));
  } catch (error) {
    throw new Failure(`${name} is not a catalog document: ${error instanceof Error ? error.message : error}`);
  }
}
