//! `edgebid catalog validate`, and the commands that write the pointer: `push`, `split`, `shadow`, `promote`,
//! `rollback`, `stop` and `resume`. Prints the results; the work is in `move.ts`, `push.ts` and `stop.ts`.

import { setTimeout } from "node:timers/promises";
import { EXIT, Failure } from "../../build/failure.mjs";
import { CatalogRefused, type Finding } from "../../shared/catalog/compile.ts";
import type { Current } from "../../shared/catalog/listing.ts";
import { versionOf } from "../../shared/catalog/pointer.ts";
import { type Plan, planOf } from "../../shared/compare/plan.ts";
import { resumeHint } from "../../shared/compare/text.ts";
import { dayAt } from "../../shared/time/days.ts";
import { zoneData } from "../../shared/time/zones.ts";
import { Bidder, SnapshotRefused } from "../../shared/wasm/bidder.ts";
import { missedBy } from "../../tools/shape/check.ts";
import { kindOf, parsedJson } from "../input.ts";
import { module } from "../module.ts";
import { type ApproveOptions, approve, showPlan } from "./approve.ts";
import { compiledAside } from "./compiling.ts";
import { oldListFindings, oldSupplyFindings, oldZonesFindings, timeFindings } from "./ended.ts";
import { type Approve, type Modules, type Moved, promote, rollback, type SecondUse, setSecond } from "./move.ts";
import { didYouMean } from "./nearest.ts";
import type { PointerOptions, PushOptions, StoreOptions } from "./open.ts";
import { done, findingsText, print, sizeText, stoppedText, useText } from "./print.ts";
import { step } from "./progress.ts";
import { push, servedDocument } from "./push.ts";
import { signerOf } from "./sign.ts";
import { type Source, sourceOf, sourceOfBytes } from "./source.ts";
import { resume, stop, type What } from "./stop.ts";
import type { Store } from "./store.ts";
import type { Compiled } from "./upload.ts";
import { readCurrent, readNamed } from "./versions.ts";

/** A push writes the pointer at most this many milliseconds after its last read of the pointer. */
const PUSH_ENDS_MS = 5000;

const modules: Modules = { open, compile: (document) => compiled(sourceOfBytes("its source", document)) };

type Options = StoreOptions & PointerOptions;

/** The options of a command that moves the pointer after an approval. */
type MoveCommand = Options & ApproveOptions;

export async function validateCommand(file: string, { json }: { json?: boolean }): Promise<void> {
  const { snapshot, campaigns, zones, notes } = await step("compiling", () => compiled(sourceOf(file)));
  const result = { file, version: await versionOf(snapshot), campaigns, bytes: snapshot.byteLength, zones };
  const text = done(`${file} is valid: ${sizeText(result)}, version ${result.version}${zonesText(zones)}`);
  print(json, { ...result, findings: notes }, `${text}${findingsText(notes)}`);
}

/** A pushed version, with the results of its compilation. */
interface Pushed extends Moved {
  ssps: string[];
  findings: Finding[];
}

/** Pushes a source. `approve` throws to stop the push. */
export async function pushSource(
  store: Store,
  source: Source,
  options: PushOptions,
  approve?: (plan: Plan) => Promise<void>,
): Promise<Pushed> {
  const { document } = source;
  let told: Pick<Pushed, "ssps" | "findings"> = { ssps: [], findings: [] };
  let snapshot = new Uint8Array();
  // Any other document is a plain document, stored under the key of the pointer.
  const compile = async (bytes: Uint8Array<ArrayBuffer>) => {
    if (bytes !== document) return compiled(sourceOfBytes("the document in KV", bytes));
    const made = await compiled(source);
    told = { ssps: open(made.snapshot).ssps, findings: made.notes };
    snapshot = made.snapshot;
    return made;
  };
  const sign = options.sign === undefined ? undefined : signerOf(options.sign);
  const approved =
    approve && (async (current: Current) => approve(await planTo(store, current, source, snapshot, options)));
  const second = secondOf(options);
  const pushed = await push(store, document, compile, { ...moving(options), sign, second, approve: approved });
  return { ...pushed, ...told };
}

/** The plan from what is served to a document, with the warnings about published shapes. */
async function planTo(
  store: Store,
  current: Current,
  { document, path }: Source,
  snapshot: Uint8Array,
  { shapes }: PushOptions,
): Promise<Plan> {
  const served = await step("reading what is served", () => servedDocument(store, current));
  const plan = planOf(served && parsedJson(served), parsedJson(document), Date.now());
  const missed = shapes === undefined ? [] : missedBy(shapes, snapshot, path, Date.now());
  return { ...plan, warnings: [...plan.warnings, ...missed] };
}

export async function pushCommand(store: Store, source: Source, options: PushOptions & StoreOptions): Promise<void> {
  if (options.dryRun) return showPush(store, source, options);
  let plan: Plan | null = null;
  const pushed = await pushSource(store, source, options, async (made) => {
    plan = made;
    await approve(made, options);
  });
  const { version, changed, zones = null, findings } = pushed;
  const { note } = options;
  const size = `pushed ${version}: ${sizeText(pushed)}`;
  const text = {
    nothing: `${version} is already served; nothing was changed`,
    source: `${version} is already served; this file is now its source${note === undefined ? "" : `; note: ${note}`}`,
    note: `${version} is already served; only its note was changed, to: ${note}`,
    second: `${size}\n${secondText(store, options, pushed)}`,
    catalog: `${size}\n${servedText(store, options, pushed)}`,
  }[changed];
  const shown = `${done(`${text}${zonesText(zones)}`)}${stillText(store, pushed)}${findingsText(findings)}`;
  print(options.json, { ...pushed, plan }, shown);
}

/** Shows the plan of a push, and the notes about its catalog, without a push. */
async function showPush(store: Store, source: Source, options: PushOptions & StoreOptions): Promise<void> {
  const { notes, ...made } = await step("compiling", () => compiled(source));
  const version = await versionOf(made.snapshot);
  const current = await step("reading the pointer", () => readCurrent(store));
  const plan = current.stored && (await planTo(store, current, source, made.snapshot, options));
  if (plan !== null) showPlan(plan, "this push would change");
  const text = done(
    `nothing was pushed; this would be ${version}: ${sizeText({ ...made, bytes: made.snapshot.byteLength })}`,
  );
  print(options.json, { version, plan, findings: notes }, `${text}${findingsText(notes)}`);
}

export function splitCommand(store: Store, name: string, share: number, options: MoveCommand): Promise<void> {
  return secondCommand(store, name, { mode: "split", share }, options);
}

export function shadowCommand(store: Store, name: string, share: number, options: MoveCommand): Promise<void> {
  return secondCommand(store, name, { mode: "shadow", share }, options);
}

async function secondCommand(store: Store, name: string, use: SecondUse, options: MoveCommand): Promise<void> {
  // A shadow answers nothing, so it needs no approval.
  const approval = use.mode === "split" ? { approve: approving(store, options) } : {};
  const moved = await setSecond(store, name, use, modules, { ...moving(options), ...approval });
  printMoved(store, options, moved, secondText(store, options, moved).trim());
}

export async function promoteCommand(store: Store, options: MoveCommand): Promise<void> {
  const moved = await promote(store, modules, { ...moving(options), approve: approving(store, options) });
  const text = `promoted ${moved.version}: ${sizeText(moved)}\n${servedText(store, options, moved)}`;
  printMoved(store, options, moved, text);
}

export async function rollbackCommand(store: Store, name: string | undefined, options: Options): Promise<void> {
  const moved = await rollback(store, name, modules, moving(options));
  const { version, changed, left } = moved;
  const text =
    changed === "nothing"
      ? `${version} is already served; nothing was changed`
      : changed === "second"
        ? `${version} is the only version again: ${sizeText(moved)}`
        : `${left ? "back on" : "serving"} ${version}: ${sizeText(moved)}\n${servedText(store, options, moved)}`;
  printMoved(store, options, moved, text);
  // A rollback is urgent, so the plan comes after it.
  const from = left ?? moved.previous;
  const plan = changed === "catalog" && from ? await planBetween(store, from, version) : null;
  if (plan !== null) showPlan(plan, "this has changed");
}

/** Shows what a version changes in comparison with what is served, and asks as a push does. */
function approving(store: Store, options: MoveCommand): Approve {
  return async (current, version) => {
    const plan = current.version && (await planBetween(store, current.version, version, current));
    // Without a source, the changes are unknown, and the plan warns of that.
    await approve(plan || planOf(null, null, Date.now()), options);
  };
}

/** The plan from one version to another; null if one of them cannot be read. `known`: the pointer, if it was read. */
function planBetween(store: Store, from: string, to: string, known?: Current): Promise<Plan | null> {
  return step("comparing", async () => {
    try {
      const current = known ?? (await readCurrent(store));
      const [before, after] = [await readNamed(store, current, from), await readNamed(store, current, to)];
      return planOf(parsedJson(before.document), parsedJson(after.document), Date.now());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return null;
    }
  });
}

export async function stopCommand(store: Store, what: What, options: Options): Promise<void> {
  const { changed } = await stop(store, what, didYouMean, moving(options));
  // If a push read the pointer just before the stop, it overwrites the stop. So check again when such a push is done.
  if (changed) await pushesEnd(options);
  const { stopped } = await stop(store, what, didYouMean, moving({ ...options, force: true }));
  const name = nameOf(what);
  const text = changed ? `stopped ${name}, ${when(options)}` : `${name} was stopped already; nothing was changed`;
  // Only what was stopped now: other campaigns may be stopped for another reason.
  const own = what === "all" ? { all: true as const } : { cids: what };
  printMoved(store, options, { stopped, changed }, text, own);
}

export async function resumeCommand(store: Store, what: What, options: Options): Promise<void> {
  const before = await stoppedIn(store);
  let { stopped } = await resume(store, what, didYouMean, moving({}));
  await pushesEnd(options);
  // If a push read the pointer just before, it has brought the stop back.
  if ((await stoppedIn(store)) === before) ({ stopped } = await resume(store, what, didYouMean, moving({})));
  const text = `resumed ${nameOf(what)}${stopped ? " that is not listed below" : ""}, ${when(options)}`;
  printMoved(store, options, { stopped, changed: true }, text);
}

async function pushesEnd({ local }: StoreOptions): Promise<void> {
  if (!local) await step("waiting for pushes to end", () => setTimeout(PUSH_ENDS_MS));
}

async function stoppedIn(store: Store): Promise<string> {
  return JSON.stringify((await readCurrent(store)).stopped ?? null);
}

/** Prints the result of a command, and what is still stopped. */
function printMoved(
  store: Store,
  { json }: Options,
  moved: { stopped: Moved["stopped"]; changed: unknown },
  text: string,
  lifted = moved.stopped,
): void {
  print(json, moved, `${done(text)}${stillText(store, moved, lifted)}`);
}

function nameOf(what: What): string {
  return what === "all" ? "everything" : what.join(", ");
}

/** A bidder with the catalog in a snapshot. Throws {@link Failure} if this bidder cannot use it. */
export function open(snapshot: Uint8Array): Bidder {
  try {
    return new Bidder(snapshot, module);
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    throw new Failure(`this is ${error.message}`);
  }
}

/** Why this bidder cannot use a snapshot; null if it can. */
export function problemOf(snapshot: Uint8Array): string | null {
  try {
    open(snapshot);
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message;
  }
}

async function compiled(source: Source): Promise<Compiled & { notes: Finding[] }> {
  try {
    const made = await compiledAside(source);
    const now = Date.now();
    const past = [
      ...timeFindings(parsedJson(source.document), now),
      ...oldSupplyFindings(made.supply, now),
      ...oldZonesFindings(made.zones, now),
    ];
    const notes = [...made.notes, ...past.map(source.located), ...oldListFindings(source.path, now)];
    return { ...made, campaigns: open(made.snapshot).campaigns, notes };
  } catch (error) {
    if (!(error instanceof CatalogRefused) || kindOf(source.document) !== "bid request") throw error;
    const hint = `npx edgebid validate ${source.path}`;
    throw new Failure(`this looks like a bid request, not a catalog: ${hint}`, EXIT.found);
  }
}

function moving({ note, force }: PointerOptions) {
  return { note, force, now: new Date(), step };
}

function secondOf({ split, shadow }: PushOptions): SecondUse | undefined {
  if (split !== undefined && shadow !== undefined) throw new Failure("use either --split or --shadow, not both");
  if (split !== undefined) return { mode: "split", share: split };
  return shadow === undefined ? undefined : { mode: "shadow", share: shadow === true ? 100 : shadow };
}

function when({ local }: StoreOptions): string {
  return `within ${local ? "a second or two" : "about two minutes, at every location"} (GET /healthz shows it)`;
}

function servedText({ where }: Store, options: StoreOptions, { previous, left, dropped }: Moved): string {
  const further = left === null ? "" : " further";
  const back = previous === null ? "" : `; to go back${further}: npx edgebid catalog rollback ${previous} ${where}`;
  return `  served ${when(options)}${back}${droppedText(dropped)}`;
}

function secondText({ where }: Store, options: StoreOptions, { second, dropped }: Moved): string {
  const what = second ? `${useText(second)} with ${second.version}` : "";
  const since = `--from ${dayAt(Date.now())} --by version`;
  const judge = second?.mode === "split" ? `\n  to judge it: npx edgebid report ${since}` : "";
  return `  ${what} ${when(options)}${droppedText(dropped)}${judge}
  to make it the only version: npx edgebid catalog promote ${where}
  to remove it: npx edgebid catalog rollback ${where}`;
}

function droppedText(dropped: string | null): string {
  return dropped === null ? "" : `\n  ${dropped} is no longer the second version`;
}

/** What is still stopped after a command, on lines of its own, and the command that lifts `lifted`. */
function stillText({ where }: Store, { stopped }: Pick<Moved, "stopped">, lifted = stopped): string {
  if (!stopped || !lifted) return "";
  return `\n${stoppedText(stopped).join("\n")}\n  to resume: ${resumeHint(lifted, where)}`;
}

function zonesText(zones: string | null): string {
  const { version } = zoneData();
  return zones
    ? `\n  time-zone data ${version} in this catalog ends ${zones.slice(0, 10)}; push it again before then`
    : "";
}
