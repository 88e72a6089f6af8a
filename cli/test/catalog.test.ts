//! Push, rollback, promote and prune with a KV in memory that can fail at any operation, and once as a command with
//! wrangler's local KV.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, expect, test, vi } from "vitest";
import { Failure } from "../../build/failure.mjs";
import { CatalogRefused } from "../../shared/catalog/compile.ts";
import { servedBefore } from "../../shared/catalog/listing.ts";
import { PART_BYTES, POINTER_KEY, sha256 } from "../../shared/catalog/pointer.ts";
import { keysOf } from "../../shared/catalog/signature.ts";
import { diffCommand } from "../catalog/diff.ts";
import { type Approve, type Modules, promote, rollback, type SecondUse, setSecond } from "../catalog/move.ts";
import { push } from "../catalog/push.ts";
import { listCommand, showCommand } from "../catalog/read.ts";
import { signerOf } from "../catalog/sign.ts";
import { sourceOfBytes } from "../catalog/source.ts";
import { isEqual, type MoveOptions } from "../catalog/store.ts";
import type { Compiled } from "../catalog/upload.ts";
import { listVersions, prune, readCurrent, readDocument, readParts } from "../catalog/versions.ts";
import { wranglerStore } from "../catalog/wrangler.ts";
import { pushCommand } from "../catalog/write.ts";
import { percent } from "../options.ts";
import { bytesOf as bytes, CATALOG, catalogText } from "./bidder.ts";
import { folderFor, toldBy } from "./edgebid.ts";
import { FakeStore, step } from "./fake-store.ts";

const folder = folderFor("catalog");

let store: FakeStore;
let minute: number;

beforeEach(() => {
  store = new FakeStore();
  minute = 0;
});

/** Replaces the compiler: a document is `<campaigns> <decisions> <comment>`, and its snapshot has no comment. */
function compile(document: Uint8Array): Compiled {
  const [campaigns = "", decisions] = new TextDecoder().decode(document).split(" ");
  if (decisions === undefined) throw new Error("refused");
  return { snapshot: bytes(`${campaigns} ${decisions}`), campaigns: Number(campaigns), zones: null };
}

/** Options for the next push, one minute later than the previous one. */
function options(more: Partial<MoveOptions> = {}): MoveOptions {
  return { now: new Date(Date.UTC(2026, 10, 21, 12, minute++)), step, ...more };
}

const modules: Modules = { open: (snapshot) => compile(snapshot), compile };
/** Cannot use any snapshot. */
const other: Modules = {
  ...modules,
  open: () => {
    throw new Failure("of another layout");
  },
};
const ten: SecondUse = { mode: "split", share: 10 };

const pushed = (text: string, more?: Partial<MoveOptions>) => push(store, bytes(text), compile, options(more));
/** Pushes one after the other, and returns the names of the versions. */
const pushedAll = async (...texts: string[]) => {
  const versions: string[] = [];
  for (const text of texts) versions.push((await pushed(text)).version);
  return versions;
};
/** Pushes the second version. */
const pushedSecond = (text: string) => push(store, bytes(text), compile, { ...options(), second: ten });
const back = (version?: string, more?: Partial<MoveOptions>) => rollback(store, version, modules, options(more));
const listed = async () => listVersions(store, await readCurrent(store));
const snapshotIn = (version = "") => store.values.get(`catalog/${version}/snapshot`)?.value ?? null;

test("the pointer follows pushes and rollbacks, and names the previous version", async () => {
  const first = await pushed("1 a", { note: "first" });
  expect(store.pointer()).toEqual({
    ...{ format: 1, version: first.version, parts: 1, campaigns: 1, previous: null, earlier: [] },
    ...{ pushed: "2026-11-21T12:00:00.000Z", note: "first" },
  });
  const second = await pushed("2 b");
  expect(second.previous).toBe(first.version);
  expect(await back()).toMatchObject({ version: first.version, previous: null, left: second.version, campaigns: 1 });
  expect(store.pointer()).toMatchObject({ version: first.version, previous: null, left: second.version });
  await expect(back()).rejects.toThrow(`no version was served before ${first.version} and not rolled back`);
  expect(store.pointer()).toMatchObject({ version: first.version });
  expect(await back(second.version.slice(0, 6))).toMatchObject({ version: second.version, previous: first.version });
  expect(store.pointer()).not.toHaveProperty("left");
  expect(await back(second.version)).toMatchObject({ changed: "nothing" });
});

/** The version that is served, and those to which a rollback goes back, one after the other. */
const history = async () => {
  const current = await readCurrent(store);
  return [current.version, ...servedBefore(current, await listed())];
};

test("what was rolled back is never offered again, whatever follows", async () => {
  const [a, b, c, d] = await pushedAll("1 a", "2 b", "3 c", "4 d");
  expect(await history()).toEqual([d, c, b, a]);
  await back();
  expect(await history()).toEqual([c, b, a]);
  await back(a);
  expect(await history()).toEqual([a]);
  const e = (await pushed("5 e")).version;
  expect(await history()).toEqual([e, a]);
  // It has its first date, which is before that of the version that it follows.
  await pushed("2 b");
  expect(await history()).toEqual([b, e, a]);
  await back();
  expect(await history()).toEqual([e, a]);
  expect(store.pointer()).toMatchObject({ left: b });
  // By its name, it is served again.
  await setSecond(store, c ?? "", ten, modules, options());
  await promote(store, modules, options());
  expect(await history()).toEqual([c, e, a]);
  await back(b);
  expect(await history()).toEqual([b, a]);
  store.values.delete(`catalog/${a}/document`);
  store.values.delete(`catalog/${a}/snapshot`);
  expect(await history()).toEqual([b]);
});

test("a push with a key writes the signature, and a later one needs the key too", async () => {
  const sign = async (snapshot: Uint8Array, document: Uint8Array) => `${snapshot.byteLength} ${document.byteLength}`;
  const first = await pushed("1 a", { sign });
  expect(store.pointer()).toMatchObject({ version: first.version, signature: "3 3" });
  await expect(pushed("2 b")).rejects.toThrow(/is signed, and this push is not, so nothing was changed: use --sign/);
  expect(store.pointer()).toMatchObject({ version: first.version });
  const second = await pushed("2 b", { sign });
  expect(await back()).toMatchObject({ version: first.version });
  expect(store.pointer()).toMatchObject({ signature: "3 3" });
  // Another source of the same snapshot has another signature.
  await pushed("1 a more", { sign });
  expect(store.pointer()).toMatchObject({ version: first.version, signature: "3 8" });
  await setSecond(store, second.version, ten, modules, options());
  expect(store.pointer()?.second).toMatchObject({ version: second.version, signature: "3 3" });
  const fourth = await pushed("4 d", { force: true });
  expect(store.pointer()).not.toHaveProperty("signature");
  await back(first.version);
  await expect(back(fourth.version)).rejects.toThrow(/is not signed, and the version that is/);
});

test("a key is made once, never overwritten, and its signatures are those that the bidder checks", async () => {
  const file = join(folder, "signing.pem");
  const made = () => toldBy(folder, "catalog", "key", file);
  const first = await made();
  const pem = readFileSync(file, "utf8");
  const again = await made();
  expect(again).toEqual({ ...first, new: false });
  expect(readFileSync(file, "utf8")).toBe(pem);
  expect(statSync(file).mode & 0o077).toBe(0);
  const [snapshot, document] = [bytes("1 a"), bytes("1 a note")];
  const keys = await keysOf(first.public);
  const signature = await signerOf(file)(snapshot, document);
  expect(await keys?.refusal("v", await sha256(snapshot), signature)).toBeNull();
  expect(await keys?.refusal("v", await sha256(bytes("1 b")), signature)).toMatch(/no key/);
  writeFileSync(file, "SECRET");
  expect(() => signerOf(file)).toThrow(expect.objectContaining({ message: expect.not.stringContaining("SECRET") }));
});

test("a version that is pushed again keeps its note and date, and a rollback has its own", async () => {
  const factsOf = async (name: string) => {
    const found = (await listed()).find(({ version }) => version === name);
    return found && { note: found.note, pushed: found.pushed, served: found.served };
  };
  const { version } = await pushed("1 a", { note: "first" });
  await pushed("2 b");
  await back(undefined, { note: "b lost bids" });
  const [first, third] = ["2026-11-21T12:00:00.000Z", "2026-11-21T12:02:00.000Z"];
  const served = { since: third, note: "b lost bids" };
  expect(await factsOf(version)).toEqual({ note: "first", pushed: first, served });
  await pushed("2 b");
  await pushed("1 a otherwise written");
  expect(await factsOf(version)).toMatchObject({ note: "first", pushed: first });
  await pushed("2 b");
  await pushed("1 a", { note: "again" });
  expect(await factsOf(version)).toMatchObject({ note: "again", pushed: "2026-11-21T12:06:00.000Z" });

  const second = await pushedSecond("3 c");
  await back(undefined, { note: "c lost bids" });
  expect(await factsOf(second.version)).toMatchObject({ served: undefined });
  expect(await factsOf(version)).toMatchObject({ served: { note: "c lost bids" } });
});

test.each([
  ["10%", 10],
  ["0.5 %", 0.5],
  ["0", 0],
  ["100", 100],
])("the share %s", (text, share) => {
  expect(percent(text)).toBe(share);
});

test.each(["0.5", "101", "101%", "-1", "", "%", "1e1"])("%j is not a share", (text) => {
  expect(() => percent(text)).toThrow("expected a share such as 10% or 0.5%");
});

test("a refused document writes nothing", async () => {
  await expect(pushed("refused")).rejects.toThrow("refused");
  expect(store.writes).toBe(0);
});

test("a push of the served version changes nothing but its source", async () => {
  await pushed("1 a");
  const { writes } = store;
  expect(await pushed("1 a")).toMatchObject({ changed: "nothing" });
  expect(store.writes).toBe(writes);
  const pointer = store.pointer();
  const { version, changed } = await pushed("1 a renamed");
  expect(changed).toBe("source");
  expect(store.pointer()).toEqual(pointer);
  const [only] = await listed();
  expect(only).toMatchObject({ version, current: true, campaigns: 1 });
  if (only) expect(await readDocument(store, only)).toEqual(bytes("1 a renamed"));
});

test("a push of the served version can change its note, and the pointer stays", async () => {
  await pushed("1 a", { note: "first" });
  const pointer = store.pointer();
  for (const [text, note, changed, noted] of [
    ["1 a", "second", "note", "second"],
    ["1 a renamed", "third", "source", "third"],
    ["1 a renamed", undefined, "nothing", "third"],
  ] as const) {
    expect(await pushed(text, { note })).toMatchObject({ changed });
    expect((await listed())[0]?.note).toBe(noted);
  }
  expect(store.pointer()).toEqual(pointer);
});

test("a push repairs a damaged version that is served, and writes the pointer so that isolates load it again", async () => {
  const { version } = await pushed("1 a");
  const pointer = store.pointer();
  store.values.set(`catalog/${version}/snapshot`, { value: bytes("damaged") });
  expect(await pushed("1 a")).toMatchObject({ changed: "catalog", previous: null });
  expect(store.pointer()).not.toEqual(pointer);
  expect(snapshotIn(version)).toEqual(bytes("1 a"));
});

test("if two people push at once, the second push fails and nothing is lost", async () => {
  await pushed("1 a");
  const other = store.pointer();
  let reads = 0;
  const moved = bytes(JSON.stringify({ ...other, version: "0123456789abcdef", note: "mine" }));
  store.before = (what, key) => {
    if (what === "get" && key === POINTER_KEY && ++reads === 2) store.values.set(POINTER_KEY, { value: moved });
  };
  await expect(pushed("2 b")).rejects.toThrow(/another person .* 0123456789abcdef \("mine"\); it stays there.*--force/);
  expect(store.values.get(POINTER_KEY)?.value).toEqual(moved);
  reads = 0;
  expect(await pushed("2 b", { force: true })).toMatchObject({ changed: "catalog" });
  expect(store.pointer()?.campaigns).toBe(2);
});

test("if two people move the pointer at once, the one whose pointer was overwritten gets a failure", async () => {
  const { version } = await pushed("1 a");
  await pushed("2 b");
  const theirs = bytes(JSON.stringify({ ...store.pointer(), version: "0123456789abcdef", note: "mine" }));
  const moves = [
    () => pushed("3 c"),
    () => pushed("4 d", { force: true }),
    () => pushedSecond("5 e"),
    () => back(version),
  ];
  for (const move of moves) {
    // The other person writes the pointer between this command's write and its check.
    store.after = (what, key) => {
      if (what === "put" && key === POINTER_KEY) store.values.set(POINTER_KEY, { value: theirs });
    };
    await expect(move()).rejects.toThrow(/another person .* to 0123456789abcdef \("mine"\); it stays there/);
    expect(store.values.get(POINTER_KEY)?.value).toEqual(theirs);
    store.after = () => {};
    await pushed("2 b", { force: true });
  }
});

test("a version that is pruned while it is pushed again is uploaded again", async () => {
  const { version } = await pushed("1 a");
  await pushed("2 b");
  await pushed("3 c");
  for (const document of ["1 a", "1 a otherwise written"]) {
    store.after = (what, key) => {
      if (what !== "put" || key !== POINTER_KEY) return;
      for (const name of [...store.values.keys()].filter((name) => name.includes(version))) store.values.delete(name);
    };
    expect(await pushed(document)).toMatchObject({ version });
    store.after = () => {};
    const entry = (await listed()).find((one) => one.current);
    if (entry) expect(await readDocument(store, entry)).toEqual(bytes(document));
    expect(snapshotIn(version)).toEqual(bytes("1 a"));
    await pushed("3 c");
  }
  store.after = (what, key) => {
    if (what === "put" && key === POINTER_KEY) store.values.delete(`catalog/${version}/document`);
  };
  await expect(back(version)).rejects.toThrow("was deleted while the pointer moved to it");
});

test.each(["before", "after"] as const)(
  "a push that is killed %s any operation leaves a complete version served",
  async (side) => {
    const { version } = await pushed("1 a");
    for (let steps = 0; ; steps++) {
      let left = steps;
      store[side] = () => {
        if (left-- === 0) throw new Error("killed");
      };
      const outcome = await pushed("2 b").catch(() => null);
      store[side] = () => {};
      const served = store.pointer();
      expect(snapshotIn(served?.version)).toEqual(bytes(served?.version === version ? "1 a" : "2 b"));
      if (outcome !== null) expect(store.pointer()).toMatchObject({ version: outcome.version, previous: version });
      // After the pointer has moved, the push only checks the result.
      if (outcome !== null || served?.version !== version) {
        expect(steps).toBeGreaterThan(5);
        return;
      }
    }
  },
);

test("a damaged upload is not served", async () => {
  await pushed("1 a");
  const pointer = store.pointer();
  store.after = (what, key) => {
    if (what === "put" && key.endsWith("/snapshot")) store.values.set(key, { value: bytes("2") });
  };
  await expect(pushed("2 b")).rejects.toThrow(/the upload of version \w+ is damaged/);
  expect(store.pointer()).toEqual(pointer);
});

test("a rollback refuses a version that cannot be served", async () => {
  await expect(back()).rejects.toThrow("no version is served; name one");
  const { version } = await pushed("1 a");
  await pushed("2 b");
  const pointer = store.pointer();
  await expect(back("ffff")).rejects.toThrow("no version ffff");
  await expect(rollback(store, version, other, options())).rejects.toThrow(/of another layout.* or use --force/s);
  store.values.set(`catalog/${version}/snapshot`, { value: bytes("1") });
  await expect(back()).rejects.toThrow("incomplete");
  store.values.delete(`catalog/${version}/snapshot`);
  await expect(back()).rejects.toThrow("incomplete");
  expect(store.pointer()).toEqual(pointer);
});

test("a version of another layout is served with --force, and a second version before it can always be removed", async () => {
  const old = await pushed("1 a");
  await pushed("2 b");
  const forced = () => rollback(store, old.version, other, options({ force: true }));
  const key = `catalog/${old.version}/document`;
  const document = store.values.get(key);
  for (const value of [undefined, new Uint8Array((4 << 20) + 1)]) {
    store.values.delete(key);
    if (value) store.values.set(key, { value });
    await expect(forced()).rejects.toThrow("of another layout");
  }
  store.values.set(key, document as NonNullable<typeof document>);
  expect(await forced()).toMatchObject({ version: old.version, campaigns: 1 });
  const second = await pushedSecond("3 c");
  const removed = await rollback(store, undefined, other, options());
  expect(removed).toMatchObject({ version: old.version, bytes: 3, dropped: second.version });
});

test("a version of another layout with a source that is refused now is not served, whatever the command", async () => {
  const old = await pushed("1 a");
  await pushed("2 b");
  const message = "expected another attribute";
  const refuses: Modules = {
    ...other,
    compile: () => {
      throw new CatalogRefused([{ path: "campaigns[0].old", rule: "unknown-key", message, severity: "error" }]);
    },
  };
  const force = options({ force: true });
  const why = /^of another layout; isolates would refuse .* pull .*\ncampaigns\[0\]\.old: expected another attribute$/s;
  await expect(rollback(store, old.version, refuses, force)).rejects.toThrow(why);
  await expect(setSecond(store, old.version, ten, refuses, force)).rejects.toThrow(why);
  await setSecond(store, old.version, ten, modules, options());
  const pointer = store.pointer();
  await expect(promote(store, refuses, force)).rejects.toThrow(why);
  expect(store.pointer()).toEqual(pointer);
  // A snapshot that can be opened is served without its source.
  expect(await promote(store, { ...modules, compile: refuses.compile }, force)).toMatchObject({ version: old.version });
});

test("a push keeps the plain document that was served, as a version to roll back to", async () => {
  store.values.set(POINTER_KEY, { value: bytes("1 a plain") });
  const { previous } = await pushed("2 b");
  expect(await back()).toMatchObject({ version: previous, campaigns: 1 });
});

test("a broken pointer is replaced only with --force", async () => {
  store.values.set(POINTER_KEY, { value: bytes(`{"format":2,"version":"x"}`) });
  await expect(pushed("1 a")).rejects.toThrow(/format 2.*deploy a newer bidder; nothing was changed; --force/);
  await expect(prune(store, { keep: 1 }, step)).rejects.toThrow(/format 2.*nothing was deleted/);
  // No bidder, however new, knows a pointer that was not written as one.
  store.values.set(POINTER_KEY, { value: bytes(`{"version":"x"}`) });
  await expect(pushed("1 a")).rejects.toThrow(/has no format, .*it is damaged: push again, or roll back; .*--force/);
  expect(await pushed("1 a", { force: true })).toMatchObject({ changed: "catalog", previous: null });
});

test("a snapshot and a document that are too large for one value are split, and read again completely", async () => {
  const document = new Uint8Array(2 * PART_BYTES + 5).fill(7);
  const snapshot = new Uint8Array(PART_BYTES + 1).fill(3);
  const { version } = await push(store, document, () => ({ snapshot, campaigns: 1, zones: null }), options());
  const keys = ["document/0", "document/1", "document/2", "snapshot/0", "snapshot/1"];
  expect([...store.values.keys()]).toEqual([...keys.map((key) => `catalog/${version}/${key}`), POINTER_KEY]);
  expect(store.pointer()?.parts).toBe(2);
  const [only] = await listed();
  if (only) expect(isEqual(await readDocument(store, only), document)).toBe(true);
  expect(await rollback(store, version, { ...modules, open: () => ({ campaigns: 1 }) }, options())).toMatchObject({
    bytes: PART_BYTES + 1,
  });
  // Another source of the same snapshot fits into one value.
  await push(store, bytes("short"), () => ({ snapshot, campaigns: 1, zones: null }), options());
  const [again] = await listed();
  if (again) expect(await readDocument(store, again)).toEqual(bytes("short"));
});

test.each([
  ["shorter", 2 * PART_BYTES + 5, 5],
  ["longer", 5, 2 * PART_BYTES + 5],
])(
  "a %s source of the served version replaces the other one only after the pointer has moved",
  async (_, before, after) => {
    const [old, now] = [new Uint8Array(before).fill(7), new Uint8Array(after).fill(8)];
    const again = (document: typeof old) =>
      push(store, document, () => ({ snapshot: bytes("same"), campaigns: 1, zones: null }), options());
    const { version, documents = 1 } = await again(old);
    const pointer = store.pointer();
    store.before = (what, key) => {
      if (what === "put" && key === POINTER_KEY) throw new Error("killed");
    };
    await expect(again(now)).rejects.toThrow("killed");
    expect(store.pointer()).toEqual(pointer);
    expect(isEqual(await readParts(store, version, "document", documents), old)).toBe(true);
    const source = async () => {
      const [only] = await listed();
      return only ? await readDocument(store, only) : null;
    };
    // Both sources are there, and one of them is read whole.
    expect([before, after]).toContain((await source())?.byteLength);

    store.before = (what) => {
      if (what === "delete") throw new Error("KV does not answer");
    };
    // The catalog is served, so the push has not failed.
    expect(await again(now)).toMatchObject({ changed: "catalog" });
    expect(store.pointer()).not.toEqual(pointer);
    store.before = () => {};
    expect(await again(now)).toMatchObject({ changed: "nothing" });
    expect(isEqual(await source(), now)).toBe(true);
    expect([...store.values.keys()].filter((key) => key.includes("/document"))).toHaveLength(after > 5 ? 3 : 1);
  },
);

test.each<[string, (note: string) => Promise<unknown>]>([
  ["push", (note) => pushed("9 z", { note })],
  ["rollback", (note) => back(undefined, { note })],
  ["promote", (note) => promote(store, modules, options({ note }))],
])("%s refuses a note that is too long for KV before it writes anything", async (_, move) => {
  await pushed("1 a", { note: "x".repeat(768) });
  await pushed("2 b");
  await pushedSecond("3 c");
  const [pointer, { writes }] = [store.pointer(), store];
  for (const note of ["x".repeat(5000), "x".repeat(769), "\n".repeat(385)]) {
    await expect(move(note)).rejects.toThrow(
      /the note is (1 byte|[\d,]+ bytes) too long, and nothing was changed; .*shorten it/,
    );
  }
  expect(store.pointer()).toEqual(pointer);
  expect(store.writes).toBe(writes);
});

test("a pointer that no isolate could read is not written", async () => {
  const { version } = await pushed("1 a");
  await pushed("2 b");
  const { writes } = store;
  const pointer = store.pointer();
  const use: SecondUse = { mode: "split", share: 101 };
  const why = "no isolate could read the new pointer, and the old one stays: the pointer's second has a share of 101";
  await expect(setSecond(store, version, use, modules, options())).rejects.toThrow(why);
  expect(store.pointer()).toEqual(pointer);
  expect(store.writes).toBe(writes);
});

test("a second version stays until a promotion, a rollback or a push", async () => {
  await pushed("1 a");
  const first = await pushed("2 b");
  const before = store.pointer();
  const second = await pushedSecond("3 c");
  expect(second).toMatchObject({ changed: "second", campaigns: 3, previous: before?.previous });
  const manifest = { version: second.version, parts: 1, campaigns: 3 };
  expect(store.pointer()).toEqual({ ...before, second: { ...manifest, ...ten } });
  const [, shown] = (await listed()).filter(({ current, beside }) => current || beside);
  expect(shown?.version).toBe(first.version);

  const half: SecondUse = { mode: "shadow", share: 50 };
  expect(await setSecond(store, second.version, half, modules, options())).toMatchObject({ changed: "second" });
  expect(store.pointer()?.second).toEqual({ ...manifest, ...half });
  expect(await back()).toMatchObject({ changed: "second", version: first.version, dropped: second.version });
  expect(store.pointer()).toEqual(before);

  await setSecond(store, second.version, ten, modules, options());
  expect(await promote(store, modules, options())).toMatchObject({ version: second.version, previous: first.version });
  expect(store.pointer()?.second).toBeUndefined();
  await setSecond(store, first.version, ten, modules, options());
  expect(await pushed("4 d")).toMatchObject({ changed: "catalog", dropped: first.version, previous: second.version });
  expect(store.pointer()?.second).toBeUndefined();
});

test.each(["split", "promote"])("%s: an approval is for what was compared", async (command) => {
  const [first = "", served = ""] = await pushedAll("1 a", "2 b");
  const second = (await pushedSecond("3 c")).version;
  const run = (approve: Approve) =>
    command === "split"
      ? setSecond(store, first, ten, modules, { ...options(), approve })
      : promote(store, modules, { ...options(), approve });
  const { writes } = store;
  const refuse: Approve = async (current, version) => {
    throw new Error(`${current.version} ${version}`);
  };
  await expect(run(refuse)).rejects.toThrow(`${served} ${command === "split" ? first : second}`);
  expect(store.writes).toBe(writes);
  // While a person reads the plan, another person pushes.
  await expect(run(async () => void (await pushed("4 d")))).rejects.toThrow("another person has moved the pointer");
  expect(store.pointer()).toMatchObject({ campaigns: 4 });
  expect(store.pointer()?.second).toBeUndefined();
});

test("diff, show and list show a second version", async () => {
  const priced = (max_cpm: string) => {
    const document = bytes(JSON.stringify({ campaigns: [{ cid: "acme", max_cpm }] }));
    const compiled = { snapshot: bytes(max_cpm), campaigns: 1, zones: null };
    return (more = {}) => push(store, document, () => compiled, options(more));
  };
  await priced("1.00")();
  const first = await priced("2.00")();
  const second = await priced("3.00")({ second: ten, note: "more" });
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    await diffCommand((work) => work(store), undefined, undefined, {});
    await showCommand(store, undefined, {});
    await showCommand(store, undefined, { json: true });
    await listCommand(store, {});
  } finally {
    write.mockRestore();
  }
  const [diff, show, json, list] = printed.map((text) => stripVTControlCharacters(text));
  const change = "campaign acme changed\n    max_cpm: 2.00 USD → 3.00 USD";
  expect(diff).toBe(`${first.version} → ${second.version}\n${change}\n`);
  expect(show).toContain("served since 2026-11-21 12:01:00 UTC\n");
  expect(show).toContain(`second version: ${second.version}, split 10 %\n`);
  expect(JSON.parse(json ?? "")).toMatchObject({ version: first.version, second: { version: second.version, ...ten } });
  expect(list?.split("\n")).toEqual([
    `◐ ${second.version}  2026-11-21 12:02:00 UTC  1 campaign, 0.0 KB  split 10 %  more`,
    `● ${first.version}  2026-11-21 12:01:00 UTC  1 campaign, 0.0 KB`,
    expect.stringMatching(/^ {2}[0-9a-f]{16} {2}2026-11-21 12:00:00 UTC/),
    "● served, ◐ second version",
    "",
  ]);
});

test("a command that replaces the second version says which one that was", async () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const priced = (price: string) => bytes(catalogText.replace('"max_cpm": "1.80"', `"max_cpm": "${price}"`));
  try {
    for (const [price, split] of [["1.80"], ["1.90", 10], ["2.00", 10]] as const)
      await pushCommand(store, sourceOfBytes("catalog.json", priced(price)), { local: true, ...(split && { split }) });
  } finally {
    write.mockRestore();
  }
  const replaced = printed.map((text) => text.includes(" is no longer the second version\n"));
  expect(replaced).toEqual([false, false, true]);
});

test("a second version needs another first version, and a promotion needs a second version", async () => {
  await expect(pushedSecond("1 a")).rejects.toThrow("push one first");
  expect(store.writes).toBe(0);
  const { version } = await pushed("1 a");
  await expect(setSecond(store, version, ten, modules, options())).rejects.toThrow("must be another one");
  await expect(promote(store, modules, options())).rejects.toThrow(/catalog push FILE --split 10% --local\n/);
});

test("prune keeps the newest versions, and those that the pointer names", async () => {
  const [a, b, c, d, e] = await pushedAll("1 a", "1 b", "1 c", "1 d", "1 e");
  await back(a);
  await back(b);
  await setSecond(store, d ?? "", ten, modules, options());
  const pruned = {
    deleted: [c],
    kept: [
      { version: e, why: "among the 1 pushed last" },
      { version: d, why: "is the second version" },
      { version: b, why: "is served" },
      { version: a, why: "is the previous version" },
    ],
  };
  const { size } = store.values;
  expect(await prune(store, { keep: 1, dryRun: true }, step)).toEqual(pruned);
  expect(store.values.size).toBe(size);
  expect(await prune(store, { keep: 1 }, step)).toEqual(pruned);
  expect((await listed()).map(({ version }) => version)).toEqual([e, d, b, a]);
  expect([...store.values.keys()].filter((key) => key.includes(c ?? ""))).toEqual([]);
});

test("prune keeps a version that is pushed again meanwhile, and fails if it has deleted it already", async () => {
  const [a = "", b = ""] = await pushedAll("1 a", "1 b", "1 c", "1 d");
  const name = (version: string) =>
    store.values.set(POINTER_KEY, { value: bytes(JSON.stringify({ ...store.pointer(), version })) });
  store.after = (what) => {
    if (what === "list") name(a);
  };
  expect(await prune(store, { keep: 1 }, step)).toMatchObject({ deleted: [b] });
  expect(await readCurrent(store)).toMatchObject({ version: a });
  store.after = () => {};

  await pushed("1 b");
  await pushed("1 d", { note: "newer" });
  await pushed("1 c", { note: "newest" });
  let isNamed = false;
  store.after = (what) => {
    if (what !== "delete" || isNamed) return;
    isNamed = true;
    name(a);
  };
  await expect(prune(store, { keep: 1 }, step)).rejects.toThrow(`${a} was pushed again while it was deleted`);
});

test("the command pushes to the local KV, and `wrangler kv` reads the same from it", async () => {
  const edgebid = (...args: string[]) => toldBy(folder, "catalog", ...args);
  const where = ["--local", "--persist-to", folder];
  const pushed = await edgebid("push", CATALOG, ...where, "--note", 'a "note"');
  expect(pushed).toMatchObject({ changed: "catalog", campaigns: 9, previous: null });

  const wrangler = wranglerStore(where);
  const current = await readCurrent(wrangler);
  expect(current.pointer).toMatchObject({ version: pushed.version, note: 'a "note"' });
  const [only] = await listVersions(wrangler, current);
  if (!only) throw new Error("wrangler lists no version");
  expect(only).toMatchObject({ version: pushed.version, note: 'a "note"', campaigns: 9, bytes: pushed.bytes });
  expect(Buffer.from(await readDocument(wrangler, only))).toEqual(readFileSync(CATALOG));
  await wrangler.put("catalog/unfinished/document", bytes("{}"));
  await wrangler.delete(["catalog/unfinished/document"]);
  expect(await wrangler.get("catalog/unfinished/document")).toBeNull();

  writeFileSync(join(folder, "bad.json"), catalogText.replaceAll('"seat"', '"seet"'));
  const refusal = await edgebid("push", "bad.json", ...where);
  expect(refusal.code).toBe(1);
  expect(refusal.findings.length).toBeGreaterThan(5);
  expect(await edgebid("show", ...where)).toMatchObject({ version: pushed.version, problem: null });
});
