//! `edgebid catalog validate`, `push` and `rollback`.

import { readFileSync } from "node:fs";
import { Bidder, SnapshotRefused } from "../../worker/src/bidder.ts";
import { compile } from "../../worker/src/compile.ts";
import { versionOf } from "../../worker/src/pointer.ts";
import { compiler, module } from "../module.ts";
import type { Where } from "./commands.ts";
import { done, print, sizeText } from "./print.ts";
import { step } from "./progress.ts";
import { type Compiled, push, rollback } from "./push.ts";
import { CatalogFailure, type Store } from "./store.ts";

interface MoveWords {
  note?: string;
  force?: boolean;
}

export async function validateCommand(file: string, { json }: { json?: boolean }): Promise<void> {
  const { snapshot, campaigns } = await step("compiling", () => compiled(read(file)));
  const result = { file, version: await versionOf(snapshot), campaigns, bytes: snapshot.byteLength };
  const size = sizeText(campaigns, snapshot.byteLength);
  print(json, { ...result, findings: [] }, done(`${file} is sound: ${size}, version ${result.version}`));
}

export async function pushCommand(store: Store, file: string, options: Where & MoveWords): Promise<void> {
  const { note, force } = options;
  const pushed = await push(store, read(file), compiled, { note, force, now: new Date(), step });
  const { version, campaigns, bytes, changed } = pushed;
  const text = {
    nothing: `${version} is what is served already; nothing was changed`,
    source: `${version} is what is served already; the source kept with it is now this file`,
    catalog: `pushed ${version}: ${sizeText(campaigns, bytes)}\n${next(options, pushed.previous)}`,
  }[changed];
  print(options.json, pushed, done(text));
}

export async function rollbackCommand(
  store: Store,
  name: string | undefined,
  options: Where & MoveWords,
): Promise<void> {
  const { note, force } = options;
  const moved = await rollback(store, name, open, { note, force, now: new Date(), step });
  const { version, campaigns, bytes } = moved;
  const text =
    moved.changed === "nothing"
      ? `${version} is what is served already; nothing was changed`
      : `back on ${version}: ${sizeText(campaigns, bytes)}\n${next(options, moved.previous)}`;
  print(options.json, moved, done(text));
}

/** The catalog in a snapshot. Throws {@link CatalogFailure} when this version of the bidder cannot use it. */
export function open(snapshot: Uint8Array): { campaigns: number } {
  try {
    return new Bidder(snapshot, module);
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    throw new CatalogFailure(
      `this is ${error.message}; \`edgebid catalog pull VERSION --out FILE\` gets its source, which can be pushed`,
    );
  }
}

function compiled(document: Uint8Array): Compiled {
  const snapshot = compile(document, compiler);
  return { snapshot, campaigns: open(snapshot).campaigns };
}

function read(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(file === "-" ? 0 : file));
}

function next({ local, env, persistTo }: Where, previous: string | null): string {
  const flags = local ? `--local${persistTo ? ` --persist-to ${persistTo}` : ""}` : env ? `--env ${env}` : "--remote";
  const when = local ? "a second or two" : "about two minutes, at every location";
  const back = previous === null ? "" : `; back to ${previous}: npx edgebid catalog rollback ${flags}`;
  return `  served within ${when} (GET /healthz tells)${back}`;
}
