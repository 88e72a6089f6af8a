//! What an operator stops: an isolate sees it with its next look at the pointer, and nothing but a resume lifts it.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { rollback, setSecond } from "../../../cli/catalog/move.ts";
import * as commands from "../../../cli/catalog/stop.ts";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { POINTER_KEY } from "../../src/catalog/pointer.ts";
import { Bidder } from "../../src/wasm/bidder.ts";
import { catalogDocument, text } from "../support/fixtures.ts";
import { clear, file, Isolate, later, options, pushed, store } from "../support/isolate.ts";

const cheap = catalogDocument;
const dear = file(text(cheap).replace('"max_cpm": "1.80"', '"max_cpm": "1.90"'));
const open = (snapshot: Uint8Array) => new Bidder(snapshot, module);

/** The campaign that bids on the simple request, and the only one that does. */
const CID = "acme-spring";

let isolate: Isolate;

beforeEach(async () => {
  later();
  vi.spyOn(console, "error").mockImplementation(() => {});
  isolate = new Isolate();
  await clear();
  await pushed(cheap);
  await isolate.refresh();
});

const stop = (cids: string[] | "all", note?: string) => commands.stop(store, cids, () => null, { ...options(), note });
const resume = (cids: string[] | "all") => commands.resume(store, cids, () => null, options());

/** Writes members of the pointer, without any check. */
async function patch(members: object): Promise<void> {
  const pointer = await env.CATALOG.get<object>(POINTER_KEY, "json");
  await env.CATALOG.put(POINTER_KEY, JSON.stringify({ ...pointer, ...members }));
}

it("stops a campaign with the next refresh, in the same instance, and resumes it", async () => {
  const bidder = isolate.keeper.use(env, { waitUntil: () => {} });
  expect((await isolate.bid())?.price).toBe(1.8);
  await stop([CID], "wrong page");
  expect(await isolate.bid()).not.toBeNull();
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
  expect(isolate.keeper.state()).toMatchObject({
    failure: null,
    stopped: { cids: [CID], note: "wrong page", campaigns: 1, since: expect.any(String) },
  });
  await resume([CID]);
  await isolate.refresh();
  expect((await isolate.bid())?.price).toBe(1.8);
  expect(isolate.keeper.state().stopped).toBeNull();
  expect(isolate.keeper.use(env, { waitUntil: () => {} })).toBe(bidder);
});

it("stops everything: each request gets a 204, which counts as stopped", async () => {
  await stop("all");
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
  expect(isolate.counters.toJSON()).toMatchObject({ stopped: 1 });
  await resume("all");
  await isolate.refresh();
  expect(await isolate.bid()).not.toBeNull();
});

it.each([
  ["a push", () => pushed(dear)],
  ["a push with --force", () => pushed(dear, store, { force: true })],
  ["a push of a second version", () => pushed(dear, store, { second: { mode: "split", share: 100 } })],
  ["the same push", () => pushed(cheap)],
  ["a rollback", async () => rollback(store, await pushed(dear), open, options())],
])("%s keeps what is stopped", async (_, move) => {
  await stop([CID]);
  await move();
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
  // A new isolate too.
  const other = new Isolate();
  await other.refresh();
  expect(await other.bid()).toBeNull();
  await resume([CID]);
  await isolate.refresh();
  expect(await isolate.bid()).not.toBeNull();
});

it.each(["split", "shadow"] as const)("a %s decides without the stopped campaign", async (mode) => {
  const version = await pushed(dear);
  await rollback(store, undefined, open, options());
  await setSecond(store, version, { mode, share: 100 }, open, options());
  await isolate.refresh();
  expect((await isolate.bid())?.price).toBe(mode === "split" ? 1.9 : 1.8);
  await stop([CID]);
  await isolate.refresh();
  const different = () => isolate.counters.toJSON()["shadow-different"] ?? 0;
  const before = different();
  expect(await isolate.bid()).toBeNull();
  expect(different()).toBe(before);
});

it("a new instance after a trap or in place of a grown one stops the same", async () => {
  await stop([CID]);
  await isolate.refresh();
  const bidder = isolate.keeper.use(env, { waitUntil: () => {} });
  bidder?.replace();
  expect(bidder?.stopped).toBe(1);
  expect(await isolate.bid()).toBeNull();
  await stop("all");
  await isolate.refresh();
  bidder?.replace();
  await resume("all");
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
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
  await patch({ stopped });
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
  expect(isolate.keeper.state().stopped).toMatchObject({ all: true, note: expect.stringContaining("cannot read") });
  // A push does not hide it.
  await pushed(dear);
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
  await resume("all");
  await isolate.refresh();
  expect((await isolate.bid())?.price).toBe(1.9);
});

it("a pointer that is refused still stops, and resumes", async () => {
  await patch({ version: "ffffffffffffffff", stopped: { cids: [CID] } });
  await isolate.refresh();
  expect(isolate.keeper.state().failure).not.toBeNull();
  expect(await isolate.bid()).toBeNull();
  await patch({ format: 9, stopped: undefined });
  await isolate.refresh();
  expect(await isolate.bid()).not.toBeNull();
  await stop("all");
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
});

it.each(["{", "7", "{}", "[]"])("what is stopped stays stopped while KV holds %s", async (garbage) => {
  await stop([CID]);
  await isolate.refresh();
  await env.CATALOG.put(POINTER_KEY, garbage);
  await isolate.refresh();
  expect(await isolate.bid()).toBeNull();
  await pushed(cheap);
  await isolate.refresh();
  expect(await isolate.bid()).not.toBeNull();
});
