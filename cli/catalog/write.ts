//! `edgebid catalog validate`, and the commands that move the pointer: `push`, `split`, `shadow`, `promote`, `rollback`.

import { CatalogRefused, type Finding } from "../../worker/src/catalog/compile.ts";
import { versionOf } from "../../worker/src/catalog/pointer.ts";
import { Bidder, SnapshotRefused } from "../../worker/src/wasm/bidder.ts";
import { kindOf } from "../input.ts";
import { module } from "../module.ts";
import type { MoveWords, PushWords, Where } from "./commands.ts";
import { compiledAside } from "./compiling.ts";
import { type Beside, type Moved, promote, putBeside, rollback } from "./move.ts";
import { besideText, done, findingsText, print, sizeText } from "./print.ts";
import { step } from "./progress.ts";
import { push } from "./push.ts";
import { type Source, sourceOf } from "./source.ts";
import { CatalogFailure, type Store } from "./store.ts";
import type { Compiled } from "./upload.ts";

export async function validateCommand(file: string, { json }: { json?: boolean }): Promise<void> {
  const { snapshot, campaigns, zones, notes } = await step("compiling", () => compiled(sourceOf(file)));
  const result = { file, version: await versionOf(snapshot), campaigns, bytes: snapshot.byteLength, zones };
  const size = sizeText(campaigns, snapshot.byteLength);
  const text = done(`${file} is sound: ${size}, version ${result.version}${zonesText(zones)}`);
  print(json, { ...result, findings: notes }, `${text}${findingsText(notes)}`);
}

export async function pushCommand(store: Store, source: Source, options: PushWords & Where): Promise<void> {
  const { document } = source;
  // Another document than this one can only be one that lies in the pointer's place.
  let findings: Finding[] = [];
  const compile = async (bytes: Uint8Array<ArrayBuffer>) => {
    if (bytes !== document)
      return compiled({ path: "the document in KV", document: bytes, told: (finding) => finding });
    const made = await compiled(source);
    findings = made.notes;
    return made;
  };
  const pushed = await push(store, document, compile, { ...moving(options), beside: besideOf(options) });
  const { version, campaigns, bytes, changed, zones = null } = pushed;
  const text = {
    nothing: `${version} is what is served already; nothing was changed`,
    source: `${version} is what is served already; the source kept with it is now this file${noteText(options)}`,
    note: `${version} is what is served already; nothing was changed but its note, now: ${options.note}`,
    second: `pushed ${version}: ${sizeText(campaigns, bytes)}\n${second(store, options, pushed)}`,
    catalog: `pushed ${version}: ${sizeText(campaigns, bytes)}\n${next(store, options, pushed)}`,
  }[changed];
  print(options.json, { ...pushed, findings }, `${done(`${text}${zonesText(zones)}`)}${findingsText(findings)}`);
}

export async function besideCommand(
  store: Store,
  name: string,
  beside: Beside,
  options: Where & MoveWords,
): Promise<void> {
  const moved = await putBeside(store, name, beside, open, moving(options));
  print(options.json, moved, done(second(store, options, moved).trim()));
}

export async function promoteCommand(store: Store, options: Where & MoveWords): Promise<void> {
  const moved = await promote(store, open, moving(options));
  const { version, campaigns, bytes } = moved;
  print(
    options.json,
    moved,
    done(`promoted ${version}: ${sizeText(campaigns, bytes)}\n${next(store, options, moved)}`),
  );
}

export async function rollbackCommand(
  store: Store,
  name: string | undefined,
  options: Where & MoveWords,
): Promise<void> {
  const moved = await rollback(store, name, open, moving(options));
  const { version, campaigns, bytes } = moved;
  const text = {
    nothing: `${version} is what is served already; nothing was changed`,
    source: "",
    note: "",
    second: `${version} serves alone: ${sizeText(campaigns, bytes)}`,
    catalog: `back on ${version}: ${sizeText(campaigns, bytes)}\n${next(store, options, moved)}`,
  }[moved.changed];
  print(options.json, moved, done(text));
}

/** The catalog in a snapshot. Throws {@link CatalogFailure} when this version of the bidder cannot use it. */
export function open(snapshot: Uint8Array): Bidder {
  try {
    return new Bidder(snapshot, module);
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    throw new CatalogFailure(`this is ${error.message}`);
  }
}

async function compiled(source: Source): Promise<Compiled & { notes: Finding[] }> {
  try {
    const made = await compiledAside(source);
    return { ...made, campaigns: open(made.snapshot).campaigns };
  } catch (error) {
    if (!(error instanceof CatalogRefused) || kindOf(source.document) !== "bid request") throw error;
    throw new CatalogFailure(`this looks like a bid request, not a catalog: npx edgebid validate ${source.path}`);
  }
}

function moving({ note, force }: MoveWords) {
  return { note, force, now: new Date(), step };
}

/** The note that a version has now. */
function noteText({ note }: MoveWords): string {
  return note === undefined ? "" : `; note: ${note}`;
}

function besideOf({ split, shadow }: PushWords): Beside | undefined {
  if (split !== undefined && shadow !== undefined) throw new CatalogFailure("either --split or --shadow, not both");
  if (split !== undefined) return { mode: "split", share: split };
  return shadow === undefined ? undefined : { mode: "shadow", share: shadow === true ? 100 : shadow };
}

function when({ local }: Where): string {
  return `within ${local ? "a second or two" : "about two minutes, at every location"} (GET /healthz tells)`;
}

function next({ where }: Store, options: Where, { previous, dropped }: Moved): string {
  const back = previous === null ? "" : `; back to ${previous}: npx edgebid catalog rollback ${where}`;
  const alone = dropped === null ? "" : `\n  ${dropped} no longer stands beside it`;
  return `  served ${when(options)}${back}${alone}`;
}

function second({ where }: Store, options: Where, { second }: Moved): string {
  const what = second ? `${besideText(second)} with ${second.version}` : "";
  return `  ${what} ${when(options)}
  serve it alone: npx edgebid catalog promote ${where}
  take it away: npx edgebid catalog rollback ${where}`;
}

function zonesText(zones: string | null): string {
  return zones ? `\n  time-zone data in this catalog ends ${zones.slice(0, 10)}; push it again before then` : "";
}
