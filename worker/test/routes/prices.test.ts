//! What is booked for bids whose price comes from several notices, in each order of the calls: `both`, prices of wins,
//! prices that no exchange fills, and encoded prices that a page shows again.

import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { Event } from "../../../shared/events/schema.ts";
import type { Total } from "../../../shared/ledger/rows.ts";
import { ledgerAt, shardOf } from "../../src/ledger/shards.ts";
import { example, NO_URLS } from "../support/catalogs.ts";
import { queueInto } from "../support/events.ts";
import { simple, text } from "../support/fixtures.ts";
import { type Bid, fresh, type Isolate, NOTICE_KEYS } from "../support/isolate.ts";

const KEYS = {
  encryption: "skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o",
  integrity: "arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo",
};
/** What an exchange writes that fills no macro. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the macro of OpenRTB
const UNFILLED = "${AUCTION_PRICE}";

let isolate: Isolate;
let events: Event[];
let tests = 0;
/** How many orders of calls were tried: each has encoded prices of its own. */
let books = 0;

beforeEach(async () => {
  isolate = await fresh();
  events = [];
  const PRICE_KEYS = JSON.stringify({ demo: KEYS });
  isolate.vars = { NOTICE_KEYS, PRICE_KEYS, EVENTS_ONE_IN: "0", EVENTS: queueInto(events), OPERATOR: "anybody" };
});

/** The price per thousand as Google encodes it. The same name gives the same text. */
function sealed(price: string, name: string): string {
  const hmac = (key: string, ...parts: Buffer[]) =>
    createHmac("sha1", Buffer.from(key, "base64url")).update(Buffer.concat(parts)).digest();
  const vector = Buffer.from(`${name}${books}`.padEnd(16, "."));
  const plain = Buffer.alloc(8);
  plain.writeBigUInt64BE(BigInt(Math.round(Number(price) * 1e6)));
  const mask = hmac(KEYS.encryption, vector);
  const masked = plain.map((byte, at) => byte ^ (mask[at] ?? 0));
  return Buffer.concat([vector, masked, hmac(KEYS.integrity, plain, vector).subarray(0, 4)]).toString("base64url");
}

/** A call: the notice, its price, and the bid that it is about. `bid` is the price of the bid. */
type Call = `${"win" | "bill" | "imp"} ${string}` | `${"win" | "bill" | "imp"} ${string} B`;

/** For each bid, in order: what one impression costs times 1,000, and whether the price is assumed. */
type Outcome = [price: string, assumed?: "assumed"][];

const BOTH = { billing: "both" };
const PAGE = { billing: "impression" };
const BID = { price_missing: "bid" };
const GOOGLE = { price_codec: "google" };

/** The settings of the SSP, `at` of the request, the calls, and what they book in whatever order they come. */
const TABLE: [settings: object, at: number, calls: Call[], Outcome][] = [
  // The price of the exchange's server counts, whatever the page says before or after it.
  [BOTH, 1, ["imp 0.4", "bill 0.5"], [["0.5"]]],
  [BOTH, 2, ["imp 0.4", "bill 0.5"], [["0.5"]]],
  [BOTH, 2, ["imp bid", "bill 0.5"], [["0.5"]]],
  [BOTH, 2, ["imp bid", "bill bid"], [["bid"]]],
  [BOTH, 2, ["imp bid", "bill 0.5", "bill 0.6"], [["0.6"]]],
  [{ ...BOTH, ...BID }, 2, [`imp ${UNFILLED}`, "bill 0.5"], [["0.5"]]],
  [{ ...BOTH, ...BID }, 2, [`imp ${UNFILLED}`, `bill ${UNFILLED}`], [["bid", "assumed"]]],
  [BOTH, 2, ["imp 0.4", "bill 0.5", "win 0.3"], [["0.5"]]],
  // So does the price of a win where only the page bills.
  [PAGE, 2, ["win 0.5", "imp 0.4"], [["0.5"]]],
  [PAGE, 1, ["win 0.5", "imp bid"], [["0.5"]]],
  [PAGE, 2, ["win 0.5", "win 0.6", "imp 0.4"], [["0.6"]]],
  [{ ...PAGE, ...BID }, 2, ["win 0.5", `imp ${UNFILLED}`], [["0.5"]]],
  [PAGE, 2, ["win 0.5"], []],
  [PAGE, 2, ["win 9000", "imp 0.4"], [["bid", "assumed"]]],
  [{ price: "bid", ...PAGE }, 1, ["win 0.5", "imp 0.4"], [["bid"]]],
  // An exchange that fills no macro is billed at the bid.
  ...[1, 2, 3].map((at): (typeof TABLE)[number] => {
    return [{ ...PAGE, ...BID }, at, [`win ${UNFILLED}`, `imp ${UNFILLED}`], [["bid", "assumed"]]];
  }),
  [{ ...BID }, 2, [`bill ${UNFILLED}`], [["bid", "assumed"]]],
  // An encoded price counts for one bid.
  [{ ...PAGE, ...GOOGLE }, 2, ["imp sealed:0.5:one"], [["0.5"]]],
  [{ ...PAGE, ...GOOGLE }, 2, ["imp sealed:0.5:one", "imp sealed:0.6:other B"], [["0.5"], ["0.6"]]],
  [{ ...PAGE, ...GOOGLE }, 2, ["win sealed:0.5:one", "imp sealed:0.4:other"], [["0.5"]]],
  // The prices of the server replace one that a page has shown again.
  [
    { ...BOTH, ...GOOGLE },
    2,
    ["imp sealed:0.5:one", "imp sealed:0.5:one B", "bill sealed:0.5:one", "bill sealed:0.7:other B"],
    [["0.5"], ["0.7"]],
  ],
];

test.each(TABLE)("%j, at %i: %j book %j in each order", { timeout: 120_000 }, async (settings, at, calls, outcome) => {
  await serve(settings);
  for (const order of permutations(calls)) {
    const { bids, row, told } = await book(at, order);
    const prices = outcome.map(([price], n) => (price === "bid" ? (bids[n]?.price ?? 0) : Number(price)));
    const spend = prices.reduce((sum, price) => sum + Math.round(price * 1e6), 0);
    const assumed = outcome.filter(([, word]) => word === "assumed").length;
    expect(row, order.join()).toEqual({ billed: outcome.length, assumed, nanos: spend });
    // The pacer, which reads only what is new, knows the same.
    expect(told, order.join()).toEqual({ count: outcome.length, nanos: spend });
    // The last event of a bill has the booked price.
    for (const [n, price] of prices.entries()) {
      const last = events.findLast(({ id, type }) => id === bids[n]?.id && type === "bill");
      expect(last?.price_micros, order.join()).toBe(Math.round(price * 1e6));
    }
  }
});

test("the page that shows an encoded price again gets the bid booked, whichever of its two calls comes first", async () => {
  const calls: Call[] = ["imp sealed:0.5:one", "imp sealed:0.5:one B"];
  await serve({ ...PAGE, ...GOOGLE });
  for (const order of permutations(calls)) {
    const { bids, row } = await book(2, order);
    expect(row).toEqual({ billed: 2, assumed: 1, nanos: Math.round((0.5 + (bids[0]?.price ?? 0)) * 1e6) });
  }
});

test("an encoded price that was shown once is none on another day either", async () => {
  const price = sealed("0.5", "kept");
  await serve({ ...PAGE, ...GOOGLE });
  const [one, other] = [await bid(2), await bid(2)];
  await send(one, "imp", price);
  // The same bytes in another spelling.
  await send(other, "imp", `${price.replaceAll("-", "+").replaceAll("_", "/")}=`);
  expect(await rowOf(one, other)).toMatchObject({ billed: 2, assumed: 1 });
});

test("a page's price is not believed while the ledger cannot say whose it is, and nothing is lost", async () => {
  await serve({ ...PAGE, ...GOOGLE });
  const made = await bid(2);
  const getByName = (name: string) => (name.startsWith("sealed") ? {} : env.LEDGER.getByName(name));
  await send(made, "imp", sealed("0.5", "lost"), { LEDGER: { getByName } });
  expect(await rowOf(made)).toEqual({ billed: 1, assumed: 1, nanos: Math.round(made.price * 1e6) });
});

test.each<[string, string]>([
  ["a form", "p=0.5&c=USD"],
  ["JSON", '{"p":0.5,"c":"USD"}'],
  ["a comma", "p=0,5"],
])("a price in the body of a POST is booked, once: %s", async (_, body) => {
  await serve();
  const made = await bid(2);
  for (let n = 0; n < 2; n++) {
    expect((await isolate.fetch(made.burl, { method: "POST", body })).status).toBe(204);
  }
  expect(await rowOf(made)).toEqual({ billed: 1, assumed: 0, nanos: 500_000 });
});

test("a body that cannot be read is sent again, and the notice with a price books", async () => {
  await serve();
  const made = await bid(2);
  expect((await isolate.fetch(made.burl, { method: "POST", body: "<price>0.5</price>" })).status).toBe(503);
  expect((await isolate.fetch(made.burl, { method: "POST", body: "p=0.5" })).status).toBe(204);
  expect(await rowOf(made)).toEqual({ billed: 1, assumed: 0, nanos: 500_000 });
});

/** Makes the calls, each twice, about new bids. What the report, and the pacer, know of them then. */
async function book(at: number, calls: Call[]) {
  books++;
  const bids = [await bid(at), await bid(at)];
  const shards = await Promise.all(bids.map(shardOfBid));
  const before = await Promise.all(shards.map((shard) => ledgerAt(env, shard).spent(null)));
  const known = await rowOf(...bids);
  for (const call of [...calls, ...calls]) {
    const [kind = "", price = "", second] = call.split(" ");
    const about = bids[second === undefined ? 0 : 1] as Bid;
    const [, worth, name] = /^sealed:(.*):(.*)$/.exec(price) ?? [];
    await send(about, kind, name === undefined ? price.replace("bid", `${about.price}`) : sealed(worth ?? "", name));
  }
  const rows = await Promise.all(shards.map((shard, n) => ledgerAt(env, shard).spent(before[n] ?? null)));
  const told = { count: 0, nanos: 0 };
  // Both bids may be in one shard, whose second answer repeats the first.
  for (const { rows: lines } of new Map(rows.map((batch, n) => [shards[n], batch])).values()) {
    for (const line of lines.split("\n").filter(Boolean)) {
      const [, , , count, nanos] = line.split(" ").map(Number);
      told.count += count ?? 0;
      told.nanos += nanos ?? 0;
    }
  }
  const { billed, assumed, nanos } = await rowOf(...bids);
  const row = { billed: billed - known.billed, assumed: assumed - known.assumed, nanos: nanos - known.nanos };
  return { bids, row, told };
}

async function serve(demo: object = {}): Promise<void> {
  await isolate.serve(example({ demo, spring: { ...NO_URLS, cid: `prices-${tests++}` } }));
}

async function bid(at: number): Promise<Bid> {
  const [imp] = JSON.parse(text(simple)).imp;
  const made = await isolate.bid({ at, imp: [{ ...imp, bidfloor: 0 }] });
  if (made === null) throw new Error("no bid");
  return made;
}

/** Sends a notice, which gets a 204. */
async function send({ nurl, burl, adm }: Bid, kind: string, PRICE: string, vars: object = {}): Promise<void> {
  const imp = /<img src="([^"]+[/]n[/]imp[^"]+)"/.exec(adm)?.[1] ?? "";
  const url = kind === "win" ? nurl : kind === "bill" ? burl : imp;
  const values = { PRICE: encodeURIComponent(PRICE), CURRENCY: "USD" };
  expect((await isolate.notice(url, values, "GET", vars)).status).toBe(204);
}

/** What the ledger has booked for the campaign of some bids. */
async function rowOf(...bids: Bid[]): Promise<{ billed: number; assumed: number; nanos: number }> {
  const shards = new Set(await Promise.all(bids.map(shardOfBid)));
  const query = { from: "2000-01-01", to: "2099-12-31", by: ["campaign"] } as const;
  const totals = await Promise.all(
    Array.from(shards, async (shard) => (await ledgerAt(env, shard).report(query)) ?? []),
  );
  const bills = totals.flat().filter(({ kind, campaign }) => kind === "bill" && campaign === bids[0]?.cid);
  const sum = (of: (total: Total) => number) => bills.reduce((all, total) => all + of(total), 0);
  return {
    billed: sum(({ count }) => count),
    assumed: sum(({ count, detail }) => (detail === "assumed" ? count : 0)),
    nanos: sum(({ nanos }) => Number(nanos)),
  };
}

/** The object of the ledger that books a bid. */
async function shardOfBid({ nurl }: Bid): Promise<string> {
  const why = nurl.replace("/n/win/", "/n/why/");
  const { now } = await (await isolate.fetch(why)).json<{ now: { quarter: number; shard: number } }>();
  return shardOf(now.quarter, now.shard);
}

function permutations<T>(all: T[]): T[][] {
  if (all.length < 2) return [all];
  return all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
