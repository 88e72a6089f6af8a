//! `edgebid stop` and `edgebid resume` with a KV in memory, and once as commands with wrangler's local KV.

import { beforeEach, expect, test, vi } from "vitest";
import { MAX_POINTER_BYTES, POINTER_KEY, type Pointer } from "../../shared/catalog/pointer.ts";
import { MAX_STOPPED_BYTES } from "../../shared/catalog/stopped.ts";
import { didYouMean } from "../catalog/nearest.ts";
import { push } from "../catalog/push.ts";
import * as commands from "../catalog/stop.ts";
import type { MoveOptions } from "../catalog/store.ts";
import { resumeCommand } from "../catalog/write.ts";
import { bytesOf as bytes, CATALOG } from "./bidder.ts";
import { edgebidIn, folderFor } from "./edgebid.ts";
import { FakeStore, step } from "./fake-store.ts";

const folder = folderFor("stop");
const SINCE = "2026-11-21T12:00:00.000Z";

let store: FakeStore;

const options = (more: Partial<MoveOptions> = {}): MoveOptions => ({ now: new Date(SINCE), step, ...more });

/** Pushes a catalog with these campaigns. The snapshot is the document. */
function pushed(cids: string[], more: object = {}) {
  const document = bytes(JSON.stringify({ ssps: [], campaigns: cids.map((cid) => ({ cid })) }));
  const compiled = { snapshot: document, campaigns: cids.length, zones: null };
  return push(store, document, () => compiled, { ...options(), ...more });
}

const stop = (what: string[] | "all", more?: Partial<MoveOptions>) =>
  commands.stop(store, what, didYouMean, options(more));
const resume = (what: string[] | "all") => commands.resume(store, what, didYouMean, options());
const write = (pointer: object) => store.values.set(POINTER_KEY, { value: bytes(JSON.stringify(pointer)) });

beforeEach(async () => {
  store = new FakeStore();
  await pushed(["acme-spring", "velo"]);
});

test("changes the member `stopped` of the pointer, and nothing else", async () => {
  const pointer = { ...store.pointer(), later: { what: "a newer build writes" } } as unknown as Pointer;
  write(pointer);
  expect(await stop(["velo", "velo"], { note: "why" })).toEqual({
    stopped: { cids: ["velo"], since: SINCE, note: "why" },
    changed: true,
  });
  expect(store.pointer()).toEqual({ ...pointer, stopped: { cids: ["velo"], since: SINCE, note: "why" } });
  await stop(["acme-spring"]);
  await stop("all");
  // The reason of the first stop is not lost.
  const both = { all: true, cids: ["velo", "acme-spring"], since: SINCE, note: "why" };
  expect(store.pointer()).toEqual({ ...pointer, stopped: both });
  expect(await stop(["velo"])).toEqual({ stopped: both, changed: false });

  // Campaigns that were stopped by their id stay stopped when everything else is resumed.
  expect((await resume("all")).stopped).toEqual({ cids: ["velo", "acme-spring"], since: SINCE, note: "why" });
  expect((await resume(["velo"])).stopped).toEqual({ cids: ["acme-spring"], since: SINCE, note: "why" });
  await expect(resume(["velo"])).rejects.toThrow("velo is not stopped by its id; nothing was changed");
  await expect(resume(["acme-sprnig"])).rejects.toThrow("did you mean acme-spring?");
  expect((await resume("all")).stopped).toBeNull();
  expect(store.pointer()).toEqual(pointer);
  await expect(resume("all")).rejects.toThrow("nothing is stopped");
});

test("a campaign that no served catalog has is refused, with the nearest one", async () => {
  const { writes } = store;
  await expect(stop(["velo", "acme-sprin"])).rejects.toThrow(
    "no catalog that is served has the campaign acme-sprin; did you mean acme-spring?; nothing was changed; --force stops it anyway",
  );
  await expect(stop(["other"])).rejects.toThrow("has the campaign other; nothing was changed");
  expect(store.writes).toBe(writes);
  expect((await stop(["other"], { force: true })).stopped).toMatchObject({ cids: ["other"] });
  // The second version's campaigns count too.
  await pushed(["in-second"], { second: { mode: "split", share: 10 } });
  expect((await stop(["in-second"])).stopped).toMatchObject({ cids: ["other", "in-second"] });
});

test("a push keeps what is stopped, even what was stopped during the push, and says so", async () => {
  await stop(["velo"]);
  expect(await pushed(["velo"])).toMatchObject({ stopped: { cids: ["velo"] } });
  expect(await pushed(["velo"])).toMatchObject({ changed: "nothing", stopped: { cids: ["velo"] } });
  let gets = 0;
  store.before = (what, key) => {
    if (what === "get" && key === POINTER_KEY && ++gets === 2) write({ ...store.pointer(), stopped: { all: true } });
  };
  expect(await pushed(["acme-spring"], { force: true })).toMatchObject({ stopped: { all: true } });
  expect(store.pointer()).toMatchObject({ stopped: { all: true } });
});

test("a stop is made again if another person writes the pointer at the same time", async () => {
  const other = { ...store.pointer(), pushed: "2026-11-22T00:00:00.000Z" };
  let puts = 0;
  store.after = (what) => {
    if (what === "put" && ++puts === 1) write(other);
  };
  expect(await stop(["velo"])).toMatchObject({ changed: true });
  expect(store.pointer()).toEqual({ ...other, stopped: { cids: ["velo"], since: SINCE } });
  store.after = (what) => {
    if (what === "put") write(other);
  };
  await expect(stop("all")).rejects.toThrow("other people keep writing the pointer");
});

test("a stop leaves room in the pointer for a push", async () => {
  const long = (count: number) => Array.from({ length: count }, (_, at) => `${at}`.padStart(500, "c"));
  const { writes } = store;
  await expect(stop(long(100), { force: true })).rejects.toThrow(
    /^the ids of 100 stopped campaigns are [\d,]+ bytes too long together, and nothing was changed; pause these campaigns/,
  );
  expect(store.writes).toBe(writes);
  const most = long(97);
  await stop(most, { force: true });
  const { length } = JSON.stringify(store.pointer()?.stopped);
  expect(length).toBeGreaterThan(MAX_STOPPED_BYTES - 1000);
  expect(MAX_POINTER_BYTES - length).toBeGreaterThan(8 << 10);
  await pushed(["velo"], { note: '"'.repeat(384) });
  await pushed(["velo", "more"], { second: { mode: "split", share: 10 } });
  expect(store.pointer()).toMatchObject({ stopped: { cids: most } });
});

test("a refused pointer can still stop everything; a document cannot", async () => {
  write({ ...store.pointer(), format: 9 });
  expect((await stop("all")).stopped).toMatchObject({ all: true });
  await expect(pushed(["velo"])).rejects.toThrow("format 9");
  expect(await pushed(["velo"], { force: true })).toMatchObject({ stopped: { all: true } });
  store.values.set(POINTER_KEY, { value: bytes('{"ssps":[]}') });
  await expect(stop("all")).rejects.toThrow("KV holds no pointer that could stop something");
  store.values.delete(POINTER_KEY);
  await expect(stop("all")).rejects.toThrow("no catalog is served");
});

test("a resume is made again if a push that ended meanwhile has brought the stop back", async () => {
  await stop(["velo"]);
  const before = store.pointer() as Pointer;
  let [isWritten, isBack] = [false, false];
  store.after = (what) => {
    isWritten ||= what === "put";
    // The command has just seen that its resume was written.
    if (what !== "get" || !isWritten || isBack) return;
    isBack = true;
    write(before);
  };
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await resumeCommand(store, ["velo"], { local: true });
  stdout.mockRestore();
  expect([isBack, store.pointer()?.stopped]).toEqual([true, undefined]);
});

test("the commands stop, show and resume", async () => {
  const edgebid = async (...args: string[]) => {
    const [code, stdout, stderr] = await edgebidIn(folder)(...args, "--local", "--persist-to", folder);
    return [code, code ? stderr : stdout] as const;
  };
  await edgebid("catalog", "push", CATALOG);
  expect(await edgebid("stop")).toEqual([2, "edgebid: name campaigns by their cid, or use --all\n"]);
  expect((await edgebid("stop", "acme-sprin"))[1]).toContain("did you mean acme-spring?");
  const line = /■ stopped: acme-spring, since 20\d\d-.* UTC: wrong page\n/;
  for (const args of [
    ["stop", "acme-spring", "--note", "wrong page"],
    ["catalog", "list"],
    ["catalog", "show"],
    ["catalog", "push", CATALOG],
    ["catalog", "push", CATALOG, "--note", "again"],
  ]) {
    const [code, output] = await edgebid(...args);
    expect([code, output]).toEqual([0, expect.stringMatching(line)]);
  }
  // The hint of a stop lifts that stop alone, that of a push all that it lists.
  expect((await edgebid("stop", "velo-europe"))[1]).toContain("to resume: npx edgebid resume velo-europe --local");
  expect((await edgebid("catalog", "push", CATALOG))[1]).toContain("resume acme-spring velo-europe --local");
  await edgebid("resume", "velo-europe");
  expect((await edgebid("stop", "--all"))[1]).toContain("stopped: everything, and apart from that acme-spring");
  const [, json] = await edgebid("catalog", "list", "--json");
  expect(JSON.parse(json)).toMatchObject({ stopped: { all: true, cids: ["acme-spring"] } });
  expect((await edgebid("resume", "--all"))[1]).toMatch(
    /resumed everything that is not listed below.*\n■ stopped: acme/,
  );
  expect((await edgebid("resume", "acme-spring"))[1]).toMatch(/^✓ resumed acme-spring, within a second or two .*\n$/);
});
