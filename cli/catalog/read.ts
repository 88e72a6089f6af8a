//! `edgebid catalog list`, `show`, `diff`, `pull` and `prune`.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Where } from "./commands.ts";
import { diff } from "./diff.ts";
import { changeText, done, print, versionText } from "./print.ts";
import { step } from "./progress.ts";
import { prune } from "./prune.ts";
import { CatalogFailure, type Store } from "./store.ts";
import { type Current, findVersion, listVersions, partsOf, readCurrent, readDocument, readParts } from "./versions.ts";
import { open } from "./write.ts";

export async function listCommand(store: Store, { json }: Where): Promise<void> {
  const current = await step("reading the pointer", () => readCurrent(store));
  const versions = await step("listing the versions", () => listVersions(store, current));
  const isPlain = isDocument(current);
  const lines = isPlain
    ? ["● a document under the key itself, compiled by each isolate; push it to give it a version"]
    : [];
  lines.push(...versions.map(versionText));
  const shown = versions.map(({ keys, ...version }) => version);
  print(
    json,
    { current: current.version, plain: isPlain, versions: shown },
    lines.join("\n") || "nothing was pushed yet",
  );
}

export async function showCommand(store: Store, name: string | undefined, { json }: Where): Promise<void> {
  const current = await readCurrent(store);
  if (name === undefined && current.pointer === null) {
    const plain = isDocument(current);
    const what = plain
      ? "a document under the key itself, compiled by each isolate"
      : (current.problem ?? "nothing is served");
    print(json, { version: current.version, plain, problem: current.problem }, what);
    return;
  }
  const versions = await step("listing the versions", () => listVersions(store, current));
  const { keys, ...version } = findVersion(versions, name ?? current.version ?? "");
  const parts = partsOf({ keys, ...version }, "snapshot");
  const snapshot = await step("reading", () => readParts(store, version.version, "snapshot", parts));
  const problem = snapshot === null ? "its snapshot is not in KV" : problemOf(snapshot);
  const { previous = null } = version.current ? (current.pointer ?? {}) : {};
  const text = [
    versionText({ keys, ...version }),
    ...(version.current ? [`  served since ${current.pointer?.pushed}, before it ${previous ?? "nothing"}`] : []),
    ...(problem === null ? [] : [`  cannot be served: ${problem}`]),
  ];
  print(json, { ...version, plain: false, previous, problem }, text.join("\n"));
}

/** `withStore` opens KV, which two files do not need. */
export async function diffCommand(
  withStore: (work: (store: Store) => Promise<void>) => Promise<void>,
  old: string | undefined,
  now: string | undefined,
  { json }: Where,
): Promise<void> {
  const compare = (before: Uint8Array, after: Uint8Array) => {
    const changes = diff(parse(before), parse(after));
    print(json, changes, changes.map(changeText).join("\n") || "no difference");
  };
  if (old !== undefined && now !== undefined && existsSync(old) && existsSync(now)) {
    compare(readFileSync(old), readFileSync(now));
    return;
  }
  await withStore(async (store) => {
    const current = await readCurrent(store);
    const source = async (name: string | null | undefined): Promise<Uint8Array> => {
      if (typeof name === "string" && existsSync(name)) return readFileSync(name);
      if (name === current.version && current.stored && isDocument(current)) return current.stored;
      if (!name) throw new CatalogFailure("there is no version to compare with; `edgebid catalog list` shows all");
      return readDocument(store, findVersion(await listVersions(store, current), name));
    };
    if (old === undefined) compare(await source(current.pointer?.previous), await source(current.version));
    else if (now === undefined) compare(await source(current.version), await source(old));
    else compare(await source(old), await source(now));
  });
}

export async function pullCommand(
  store: Store,
  name: string | undefined,
  { out, json }: Where & { out?: string },
): Promise<void> {
  const current = await readCurrent(store);
  const version = name ?? current.version;
  if (version === null) throw new CatalogFailure(`${current.problem ?? "nothing is served"}; push a catalog first`);
  const document =
    name === undefined && current.stored && isDocument(current)
      ? current.stored
      : await step("reading", async () =>
          readDocument(store, findVersion(await listVersions(store, current), version)),
        );
  if (out === undefined) {
    process.stdout.write(document);
    return;
  }
  writeFileSync(out, document);
  print(json, { version, file: out, bytes: document.byteLength }, done(`${out} is the source of ${version}`));
}

export async function pruneCommand(store: Store, { keep, json }: Where & { keep: number }): Promise<void> {
  const deleted = await prune(store, keep, step);
  const text = deleted.length === 0 ? "nothing to delete" : done(`deleted ${deleted.join(", ")}`);
  print(json, { deleted }, text);
}

/** Whether a document lies where the pointer belongs. */
function isDocument({ stored, pointer, problem }: Current): boolean {
  return stored !== null && pointer === null && problem === null;
}

function problemOf(snapshot: Uint8Array): string | null {
  try {
    open(snapshot);
    return null;
  } catch (error) {
    if (!(error instanceof CatalogFailure)) throw error;
    return error.message;
  }
}

function parse(document: Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(document));
  } catch (error) {
    throw new CatalogFailure(`not a catalog document: ${error instanceof Error ? error.message : error}`);
  }
}
