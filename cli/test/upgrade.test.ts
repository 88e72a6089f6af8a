//! A bidder of an older version that is upgraded: its pushed catalog serves, its ledger, budgets and caps hold, and its
//! notices are billed once. `cli/test/upgrade/record.ts` made the recordings, which start here with the code of today.
//!
//! Each recording also starts without its objects: then what they prevent must happen.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../shared/catalog/compile.ts";
import { POINTER_KEY, type Pointer, versionOf } from "../../shared/catalog/pointer.ts";
import { decimal, nanosOf } from "../../shared/report/decimal.ts";
import type { Row } from "../../shared/report/rows.ts";
import { DAY_MS } from "../../shared/time/days.ts";
import { now } from "../../worker/test/support/clock.ts";
import { compiler } from "../module.ts";
import { folderFor } from "./edgebid.ts";
import { fill, runningIn, storedIn } from "./upgrade/bidder.ts";
import { tokenOf } from "./upgrade/exchange.ts";
import { type BidRequest, type Recording, readRecording, recorded } from "./upgrade/recording.ts";
import type { Running } from "./upgrade/running.ts";
import type { Entry, Stored } from "./upgrade/stored.ts";

/** The new version starts so much later. */
const LATER_MS = 60_000;
/** The objects of the ledger hand over their totals after eight days. */
const MUCH_LATER_MS = 9 * DAY_MS;
/** Requests for a campaign that must not bid, and the most for one that must: it may leave out some. */
const REQUESTS = 100;
const MOST_REQUESTS = 10_000;

const home = folderFor("upgrade");

const COMPILED = /^this isolate had to compile the catalog: KV holds a catalog snapshot of another version/;

describe.each(recorded())("the recording of %s", (version) => {
  const recording = readRecording(version);
  const { expected } = recording;
  const offset = Date.parse(expected.until) + LATER_MS - now();
  let upgraded: Awaited<ReturnType<typeof started>>;

  beforeAll(async () => {
    upgraded = await started(recording, offset);
  });

  afterAll(() => upgraded.running.stop());

  test("the catalog serves, and is compiled only if its layout is another one", async () => {
    const { ok, catalog } = await upgraded.running.health();
    expect({ ok, failure: catalog.failure }).toEqual({ ok: true, failure: null });
    expect({ version: catalog.version, second: catalog.second?.version }).toEqual(expected.catalog);
    if (isOfThisLayout(recording)) expect(catalog.warning).toBeNull();
    else expect(catalog.warning).toMatch(COMPILED);
  });

  test("the report is the same, and so is what the ledger knows of each bid", async () => {
    const report = await upgraded.running.report(expected);
    expect(sorted(report).map((row, at) => picked(row, sorted(expected.report)[at]))).toEqual(sorted(expected.report));
    for (const [token, known] of Object.entries(expected.known)) {
      expect(await upgraded.running.known(token)).toEqual(known);
    }
  });

  test("the pacer knows what was spent, and what it has learned", async () => {
    const budgets = await upgraded.running.budgets();
    const of = ({ cid, order }: Record<string, unknown>) => String(cid ?? order);
    const byName = new Map(budgets.map((budget) => [of(budget), budget]));
    expect(budgets).toHaveLength(expected.budgets.length);
    for (const budget of expected.budgets) expect(byName.get(of(budget))).toMatchObject(budget);
    expect(Number(byName.get(expected.going.cid)?.["requests"])).toBeGreaterThan(0);
  });

  test("the same requests get the same bids", async () => {
    expect(await offersOf(upgraded.running, recording)).toEqual(expected.bids.map(({ offers }) => offers));
  });

  test("a budget that was spent stays spent", async () => {
    expect(await bids(upgraded.running, expected.going, MOST_REQUESTS)).toBe(true);
    for (const asked of expected.spent) expect(await bids(upgraded.running, asked, REQUESTS), asked.cid).toBe(false);
  });

  test("a person who has reached a cap sees no more, also if the last impression is billed by the new version", async () => {
    for (const asked of expected.capped) expect(await bids(upgraded.running, asked, REQUESTS), asked.cid).toBe(false);
    const { reaching } = expected;
    expect(await bids(upgraded.running, reaching, MOST_REQUESTS)).toBe(true);
    await upgraded.running.notice(reaching.path);
    await expect.poll(() => bids(upgraded.running, reaching, REQUESTS), { timeout: 10_000 }).toBe(false);
  });

  test("each notice is billed once, by the old or by the new version", async () => {
    for (let times = 0; times < 2; times++) {
      for (const path of [...expected.billed, ...expected.refused]) await upgraded.running.notice(path);
      for (const { path } of expected.coming) await upgraded.running.notice(path);
    }
    expect(spendIn(await upgraded.running.report(expected))).toEqual(spendAfter(recording));
    const isBooked = async (path: string) => (await upgraded.running.known(tokenOf(path))).booked !== null;
    for (const { path } of expected.coming) expect(await isBooked(path)).toBe(true);
    for (const path of expected.refused) expect(await isBooked(path)).toBe(false);
  });

  test("nothing failed", async () => {
    const logged = await upgraded.running.json<string[]>("/logged");
    expect(logged.filter((line) => !COMPILED.test(line))).toEqual([]);
  });

  test("without the ledger and the caps, and with another layout, the campaigns would bid", async () => {
    const objects = recording.objects.filter(({ of }) => of === "PACER");
    const { running, folder } = await started({ objects, kv: await ofOtherLayout(recording) }, offset);
    await using _ = running;
    const { catalog } = await running.health();
    expect(catalog).toMatchObject({ failure: null, warning: expect.stringMatching(COMPILED) });
    // The names of the versions are other ones, so the second version answers other requests.
    for (const offers of await offersOf(running, recording)) {
      expect(expected.bids.map(({ offers }) => offers)).toContainEqual(offers);
    }
    for (const asked of [...expected.spent, ...expected.capped]) {
      expect(await bids(running, asked, MOST_REQUESTS), asked.cid).toBe(true);
    }
    for (const { path } of expected.coming) await running.notice(path);

    // Old objects have the tables of the new ones that were made now.
    await Promise.all([running.stop(), upgraded.running.stop()]);
    const made = tablesIn(await storedIn(folder, offset));
    expect(Object.keys(made).sort()).toEqual(["FREQUENCY", "LEDGER", "PACER", "SUMMARY"]);
    expect(tablesIn(await storedIn(upgraded.folder, offset))).toEqual(made);
  });

  test("objects of the old version hand over their totals", async () => {
    await upgraded.running.stop();
    await using running = await runningIn(upgraded.folder, offset + MUCH_LATER_MS);
    await running.handOver(expected.to);
    expect(spendIn(await running.report(expected))).toEqual(spendAfter(recording));
    for (const { path } of expected.coming) expect((await running.known(tokenOf(path))).booked).toBeNull();
  });
});

/** The code of today with what an older version has stored, in a folder of its own. */
async function started(stored: Stored, offset: number) {
  const folder = mkdtempSync(join(home, "bidder-"));
  await fill(folder, stored, offset);
  return { folder, running: await runningIn(folder, offset) };
}

/** Whether any of so many requests, which have other ids each, gets a bid. */
async function bids(running: Running, { ssp, body }: BidRequest, requests: number): Promise<boolean> {
  for (let n = 0; n < requests; n++) {
    if ((await running.bid({ ssp, body: { ...body, id: `${body.id}-${n}` } })).length > 0) return true;
  }
  return false;
}

function offersOf(running: Running, { expected }: Recording) {
  const offers = expected.bids.map(async (asked) => {
    const made = await running.bid(asked);
    return made.map(({ impid, cid, crid, price }) => ({ impid, cid, crid, price }));
  });
  return Promise.all(offers);
}

const keyOf = ({ day, campaign, ssp, creative }: Pick<Row, "day" | "campaign" | "ssp" | "creative">) =>
  JSON.stringify([day, campaign, ssp, creative]);

function sorted(rows: Row[]): Row[] {
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The attributes that the recorded row has: a later version may tell more. */
function picked(row: Row, recorded: Row | undefined): Partial<Row> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => recorded && name in recorded));
}

/** What is billed, by day, campaign, SSP and creative. */
function spendIn(rows: Row[]): Record<string, string> {
  const billed = sorted(rows).filter(({ billed }) => billed > 0);
  return Object.fromEntries(billed.map((row) => [keyOf(row), `${row.billed}: ${row.spend}, ${row.spend_usd} USD`]));
}

/** The same when the notices have come that the recording left out. */
function spendAfter({ expected }: Recording): Record<string, string> {
  const sum = (...amounts: string[]) => decimal(amounts.reduce((sum, amount) => sum + (nanosOf(amount) ?? 0n), 0n));
  const rows = expected.report.map((row) => {
    const coming = expected.coming.filter(({ of }) => keyOf(of) === keyOf(row));
    return {
      ...{ ...row, billed: row.billed + coming.length },
      spend: sum(row.spend, ...coming.map(({ spend }) => spend)),
      spend_usd: sum(row.spend_usd, ...coming.map(({ spend_usd }) => spend_usd)),
    };
  });
  return spendIn(rows);
}

/** The columns of the tables of each binding's objects, each different set once. */
function tablesIn({ objects }: Stored): Record<string, string[]> {
  const bindings = Map.groupBy(objects, ({ of }) => of);
  const sets = (objects: Stored["objects"]) => [...new Set(objects.map(({ columns }) => JSON.stringify(columns)))];
  return Object.fromEntries([...bindings].map(([of, objects]) => [of, sets(objects)]));
}

function bytesOf(kv: Entry[], key: string): Uint8Array<ArrayBuffer> {
  const entry = kv.find((entry) => entry.key === key);
  if (entry === undefined) throw new Error(`the recording has no ${key}`);
  return new Uint8Array(entry.base64 ? Buffer.from(entry.base64, "base64") : Buffer.from(entry.text ?? ""));
}

/** Whether the compiler of today makes snapshots of the recorded layout: their first 16 bytes are the same. */
function isOfThisLayout({ kv, expected }: Recording): boolean {
  const { version } = expected.catalog;
  const { snapshot } = compile(bytesOf(kv, `catalog/${version}/document`), compiler);
  const head = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex", 0, 16);
  return head(snapshot) === head(bytesOf(kv, `catalog/${version}/snapshot`));
}

/** The same catalogs as another build would have compiled them: the fingerprint of the layout is another one. */
async function ofOtherLayout({ kv, expected }: Recording): Promise<Entry[]> {
  const pointer: Pointer = JSON.parse(String(Buffer.from(bytesOf(kv, POINTER_KEY))));
  const entries: Entry[] = [];
  for (const served of [pointer, pointer.second ?? pointer]) {
    const document = bytesOf(kv, `catalog/${served.version}/document`);
    const snapshot = bytesOf(kv, `catalog/${served.version}/snapshot`);
    snapshot.set(
      [...snapshot.subarray(8, 16)].map((byte) => byte ^ 0xff),
      8,
    );
    served.version = await versionOf(snapshot);
    entries.push(
      { key: `catalog/${served.version}/document`, text: new TextDecoder().decode(document) },
      { key: `catalog/${served.version}/snapshot`, base64: Buffer.from(snapshot).toString("base64") },
    );
  }
  expect(pointer.version).not.toBe(expected.catalog.version);
  return [...entries, { key: POINTER_KEY, text: JSON.stringify(pointer) }];
}
