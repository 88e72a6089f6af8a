//! What an operator stops: an isolate sees it with its next look at the pointer, and nothing but a resume lifts it.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import * as commands from "../../../cli/catalog/stop.ts";
import { POINTER_KEY } from "../../../shared/catalog/pointer.ts";
import { cheap, dear } from "../support/catalogs.ts";
import { fresh, Isolate } from "../support/isolate.ts";
import { options, patched, pushed, rolledBack, setSecond, store } from "../support/kv.ts";

/** The campaign that bids on the simple request, and the only one that does. */
const CID = "acme-spring";

let isolate: Isolate;

beforeEach(async () => {
  isolate = await fresh(cheap);
});

/** Changes the pointer, takes that up, and tells the price of the next bid; 0 if there is none. */
async function after(change: Promise<unknown>): Promise<number> {
  await change;
  return isolate.next();
}

const stop = (cids: string[] | "all", note?: string) => commands.stop(store, cids, () => "", { ...options(), note });
const resume = (cids: string[] | "all") => commands.resume(store, cids, () => "", options());

it("stops a campaign with the next refresh, in the same instance, and resumes it", async () => {
  const bidder = isolate.bidder();
  await stop([CID], "wrong page");
  expect(await isolate.price()).toBe(1.8);
  expect(await after(Promise.resolve())).toBe(0);
  expect(isolate.keeper.state()).toMatchObject({
    failure: null,
    stopped: { cids: [CID], note: "wrong page", campaigns: 1, since: expect.any(String) },
  });
  expect(await after(resume([CID]))).toBe(1.8);
  expect(isolate.keeper.state().stopped).toBeNull();
  expect(isolate.bidder()).toBe(bidder);
});

it("stops everything: each request gets a 204, which counts as stopped", async () => {
  expect(await after(stop("all"))).toBe(0);
  expect(isolate.counters.toJSON()).toMatchObject({ stopped: 1 });
  expect(await after(resume("all"))).toBe(1.8);
});

it.each([
  ["a push", () => pushed(dear)],
  ["a push with --force", () => pushed(dear, { force: true })],
  ["a push of a second version", () => pushed(dear, { second: { mode: "split", share: 100 } })],
  ["the same push", () => pushed(cheap)],
  ["a rollback", () => pushed(dear).then(rolledBack)],
])("%s keeps what is stopped", async (_, move) => {
  await stop([CID]);
  expect(await after(move())).toBe(0);
  // A new isolate too.
  expect(await new Isolate().next()).toBe(0);
  expect(await after(resume([CID]))).toBeGreaterThan(0);
});

it.each(["split", "shadow"] as const)("a %s decides without the stopped campaign", async (mode) => {
  const version = await pushed(dear);
  await rolledBack();
  const set = setSecond(version, { mode, share: 100 });
  expect(await after(set)).toBe(mode === "split" ? 1.9 : 1.8);
  const different = () => isolate.counters.toJSON()["shadow-different"] ?? 0;
  const before = different();
  expect(await after(stop([CID]))).toBe(0);
  expect(different()).toBe(before);
});

it("a new instance after a trap or in place of a grown one stops the same", async () => {
  await after(stop([CID]));
  const bidder = isolate.bidder();
  bidder?.replace();
  expect(bidder?.stopped).toBe(1);
  expect(await isolate.bid()).toBeNull();
  await after(stop("all"));
  bidder?.replace();
  expect(await after(resume("all"))).toBe(0);
});

it.each([
  ["a text", "all"],
  ["a list", [CID]],
  ["empty", {}],
  ["an empty list", { cids: [] }],
  ["no list", { cids: CID }],
  ["a number as an id", { cids: [CID, 7] }],
  ["an id of two lines", { cids: ["a\nb"] }],
  ["a wrong value", { all: "yes" }],
  ["an unknown member", { cids: ["velo"], ssps: ["demo"] }],
])("a stop that cannot be read stops everything: %s", async (_, stopped) => {
  expect(await after(patched({ stopped }))).toBe(0);
  expect(isolate.keeper.state().stopped).toMatchObject({ all: true, note: expect.stringContaining("cannot read") });
  // A push does not hide it.
  expect(await after(pushed(dear))).toBe(0);
  expect(await after(resume("all"))).toBe(1.9);
});

it("a pointer that is refused still stops, and resumes", async () => {
  expect(await after(patched({ version: "ffffffffffffffff", stopped: { cids: [CID] } }))).toBe(0);
  expect(isolate.keeper.state().failure).not.toBeNull();
  expect(await after(patched({ format: 9, stopped: undefined }))).toBe(1.8);
  expect(await after(stop("all"))).toBe(0);
});

it.each(["{", "7", "{}", "[]"])("what is stopped stays stopped while KV holds %s", async (garbage) => {
  await after(stop([CID]));
  expect(await after(env.CATALOG.put(POINTER_KEY, garbage))).toBe(0);
  expect(await after(pushed(cheap))).toBe(1.8);
});
