//! `edgebid stop` and `edgebid resume`: change the stop in the pointer, and nothing else.
//!
//! They compile, upload and check no version, so that a stop works even if a push would fail.

import { EXIT, Failure } from "../../build/failure.mjs";
import type { Current } from "../../shared/catalog/listing.ts";
import { MAX_POINTER_BYTES, POINTER_KEY } from "../../shared/catalog/pointer.ts";
import { MAX_STOPPED_BYTES, type Stopped, withStopped } from "../../shared/catalog/stopped.ts";
import { countText } from "../../shared/compare/text.ts";
import { checkNote } from "./move.ts";
import type { MoveOptions, Store } from "./store.ts";
import { readCurrent, readParts } from "./versions.ts";

/** The campaigns that a command names, or everything. */
export type What = string[] | "all";

/**
 * `; did you mean …?` with the most similar of the known names, or an empty text: `nearest.ts`. A parameter, because a test
 * runs these commands in workerd, which cannot load that file's module.
 */
type DidYouMean = (name: string, known: string[]) => string;

/** The result of a command. */
export interface Stopping {
  /** What is stopped now; null if nothing is stopped. */
  stopped: Stopped | null;
  changed: boolean;
}

/** How often a command tries again if another person writes the pointer at the same time. */
const ATTEMPTS = 5;

/**
 * Stops campaigns or everything, in addition to what is stopped already. With `force`, the catalog may lack the
 * campaigns.
 */
export async function stop(store: Store, what: What, didYouMean: DidYouMean, options: MoveOptions): Promise<Stopping> {
  const { note, force, step } = options;
  checkNote(note);
  const named = what === "all" ? [] : what;
  const broken = named.find((cid) => cid.includes("\n"));
  if (broken !== undefined) throw new Failure(`${JSON.stringify(broken)} has a line break; pause it in the catalog`);
  let isChecked = what === "all" || force;
  return change(store, options, async (current) => {
    if (!isChecked) await step("looking the campaigns up", () => checkCids(store, current, named, didYouMean));
    isChecked = true;
    return withMore(current.stopped, what === "all", named, options);
  });
}

/** The present stop with these campaigns, or everything, added. Throws {@link Failure} if the list is too long. */
function withMore(
  stopped: Stopped | null = null,
  everything: boolean,
  named: string[],
  { note, now }: MoveOptions,
): Stopped | null {
  const { all = false, cids = [], ...before } = stopped ?? {};
  const together = [...new Set([...cids, ...named])];
  const isNew = everything ? !all : together.length > cids.length;
  if (!isNew && note === undefined) return stopped;
  const [since, said] = [isNew ? now.toISOString() : before.since, note || before.note];
  const more: Stopped = {
    ...((everything || all) && { all: true }),
    ...(together.length > 0 && { cids: together }),
    ...{ ...(since && { since }), ...(said && { note: said }) },
  };
  const over = new TextEncoder().encode(JSON.stringify(more)).byteLength - MAX_STOPPED_BYTES;
  if (over <= 0) return more;
  throw new Failure(
    `the ids of ${countText(together.length, "stopped campaign")} are ${countText(over, "byte")} too long together, and nothing ` +
      "was changed; pause these campaigns in the catalog and push it, or stop everything with --all",
  );
}

/**
 * Resumes stopped campaigns. `all` undoes a stop of everything; campaigns that were stopped by their id then stay
 * stopped. If not everything was stopped, `all` resumes all of these campaigns.
 */
export async function resume(
  store: Store,
  what: What,
  didYouMean: DidYouMean,
  options: MoveOptions,
): Promise<Stopping> {
  return change(store, options, async ({ stopped }) => {
    if (!stopped) throw new Failure("nothing is stopped, and nothing was changed");
    const { all, cids = [], ...rest } = stopped;
    if (what === "all") return all && cids.length > 0 ? { ...rest, cids } : null;
    const unknown = what.find((cid) => !cids.includes(cid));
    if (unknown !== undefined) {
      const hint = all ? "; everything is: resume --all" : didYouMean(unknown, cids);
      throw new Failure(`${unknown} is not stopped by its id${hint}; nothing was changed`);
    }
    const left = cids.filter((cid) => !what.includes(cid));
    if (!all && left.length === 0) return null;
    return { ...rest, ...(all && { all }), ...(left.length > 0 && { cids: left }) };
  });
}

/**
 * Changes the stop in the pointer, and reads the pointer again. If another person has written it at the same time,
 * repeats the change on the new pointer.
 */
async function change(
  store: Store,
  { step }: MoveOptions,
  next: (current: Current) => Promise<Stopped | null>,
): Promise<Stopping> {
  const isSame = ({ stopped = null }: Current, other: Stopped | null) =>
    JSON.stringify(stopped) === JSON.stringify(other);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const current = await step("reading the pointer", () => readCurrent(store));
    const { stored } = current;
    if (stored === null || withStopped(stored, null) === null) {
      const what = stored ? "KV holds no pointer that could stop something" : "no catalog is served";
      throw new Failure(`${what}, and nothing was changed; push a catalog first`);
    }
    const stopped = await next(current);
    if (isSame(current, stopped)) return { stopped, changed: false };
    const value = withStopped(stored, stopped);
    if (value === null || value.byteLength > MAX_POINTER_BYTES) {
      throw new Failure(`the pointer would have more than ${MAX_POINTER_BYTES} bytes, and nothing was changed`);
    }
    await step("writing the pointer", () => store.put(POINTER_KEY, value));
    if (isSame(await step("checking the pointer", () => readCurrent(store)), stopped))
      return { stopped, changed: true };
  }
  throw new Failure(
    `other people keep writing the pointer; see what is stopped with \`npx edgebid catalog list ${store.where}\`, then try again`,
    EXIT.found,
  );
}

/** Throws unless the version that is served, or the second one, has each of these campaigns. */
async function checkCids(store: Store, { pointer }: Current, cids: string[], didYouMean: DidYouMean): Promise<void> {
  const known = new Set<string>();
  for (const { version, documents = 1 } of [pointer, pointer?.second].filter((manifest) => manifest != null)) {
    const document = await readParts(store, version, "document", documents);
    if (document === null) {
      throw new Failure(
        `the source of version ${version} is not in KV, so the campaigns cannot be looked up; --force stops them without that`,
        EXIT.found,
      );
    }
    const { campaigns = [] }: { campaigns?: { cid: string }[] } = JSON.parse(new TextDecoder().decode(document));
    for (const { cid } of campaigns) known.add(cid);
  }
  const unknown = cids.find((cid) => !known.has(cid));
  if (unknown === undefined) return;
  throw new Failure(
    `no catalog that is served has the campaign ${unknown}${didYouMean(unknown, [...known])}; nothing was changed; --force stops it anyway`,
  );
}
