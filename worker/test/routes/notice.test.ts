//! Notices from the bid to the report, in the real runtime.

import { env } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { beforeEach, expect, test } from "vitest";
import type { Event } from "../../../shared/events/schema.ts";
import { MAX_WAITING_NOTICES } from "../../../shared/limits.ts";
import type { Row } from "../../../shared/report/rows.ts";
import { dayAt } from "../../../shared/time/days.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { ledgerAt, shardsOf } from "../../src/ledger/shards.ts";
import { example, NO_URLS } from "../support/catalogs.ts";
import { now } from "../support/clock.ts";
import { queueInto } from "../support/events.ts";
import { simple, text } from "../support/fixtures.ts";
import { type Bid, fresh, Isolate, NOTICE_KEYS } from "../support/isolate.ts";

const GOOGLE_KEYS = {
  encryption: "skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=",
  integrity: "arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=",
};
/** 1,900 micros, an example of Google's. */
const GOOGLE_PRICE = "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA";

let tests = 0;
let isolate: Isolate;
let events: Event[];

beforeEach(async () => {
  isolate = await fresh();
  events = [];
  isolate.vars = { NOTICE_KEYS, EVENTS_ONE_IN: "0", EVENTS: queueInto(events), OPERATOR: "anybody" };
});

/** Serves the example with these settings of its SSP. Each test has a campaign of its own: all share one ledger. */
async function serve(demo: object = {}): Promise<void> {
  await isolate.serve(example({ demo, spring: { ...NO_URLS, cid: `spring-${tests++}` } }));
}

async function bid(more: object = {}): Promise<Bid> {
  const made = await isolate.bid(more);
  if (made === null) throw new Error("no bid");
  return made;
}

/** The report's row of a bid's campaign. */
async function rowOf({ cid }: { cid: string }): Promise<Row | undefined> {
  const response = await isolate.fetch("/report");
  expect(response.status).toBe(200);
  return (await response.json<{ rows: Row[] }>()).rows.find(({ campaign }) => campaign === cid);
}

const pixelIn = ({ adm }: Bid) => /<img src="([^"]+[/]n[/]imp[^"]+)"/.exec(adm)?.[1] ?? "";

/** Sends notices in turn, each of which gets a 204. */
async function send(url: string, ...prices: string[]): Promise<void> {
  for (const PRICE of prices) expect((await isolate.notice(url, { PRICE, CURRENCY: "USD" })).status).toBe(204);
}

async function expectLater(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
}

/** Escapes each character of the token, also the letters, digits, `-` and `_` that need none. */
const escaped = (url: string) =>
  url.replace(/[^/]+(?=\?)/, (token) => `%${Buffer.from(token).toString("hex").match(/../g)?.join("%")}`);

test.each<[string, (url: string) => string]>([
  ["escaped characters", escaped],
  ["a / at its end", (url) => url.replace("?", "/?")],
  ["both", (url) => escaped(url).replace("?", "/?")],
])("the notice of a bid whose token has %s is booked, once", async (_, changed) => {
  await serve();
  const made = await bid();
  expect(changed(made.burl)).not.toBe(made.burl);
  await send(changed(made.burl), "1.5", "1.5");
  await send(made.burl, "1.5");
  expect(await rowOf(made)).toMatchObject({ billed: 1, spend: "0.0015", refused: {} });
});

test("a bid that wins and bills is in the report to the nano, once", async () => {
  await serve();
  const made = await bid();
  const { id, price, nurl, burl, cid } = made;
  const values = { PRICE: "1.234567", CURRENCY: "USD", MIN_TO_WIN: "1.2" };
  expect((await isolate.notice(nurl, values)).status).toBe(204);
  for (const method of ["GET", "POST", "GET"]) expect((await isolate.notice(burl, values, method)).status).toBe(204);
  const spent = { spend: "0.001234567", spend_usd: "0.001234567" };
  expect(await rowOf(made)).toMatchObject({ cur: "USD", bids: 1, wins: 1, billed: 1, ...spent });
  expect(price).toBeGreaterThanOrEqual(1.234567);
  const ours = events.filter((event) => event.id === id);
  expect(ours.map(({ type }) => type)).toEqual(["bid", "win", "bill"]);
  const priced = { cid, ssp: "demo", price_micros: 1_234_567, cur: "USD" };
  expect(ours[1]).toMatchObject({ ...priced, min_to_win_micros: 1_200_000 });
  expect(ours[2]).toMatchObject({ ...priced, outcome: "bill" });
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-bill": 3, "notice-duplicate": 2 });
});

test("whichever notice comes first bills, and a higher price of the exchange raises it", async () => {
  await serve({ billing: "both" });
  const made = await bid();
  await Promise.all([send(made.burl, "1"), send(made.burl, "1")]);
  expect(await rowOf(made)).toMatchObject({ billed: 1, spend: "0.001" });
  // The page that shows the ad knows this URL, so its price is not believed.
  await send(pixelIn(made), "0.000001");
  await send(made.burl, "1.1", "1.05");
  const differs = { raised: 1, lower: 1 };
  expect(await rowOf(made)).toMatchObject({ billed: 1, assumed: 0, spend: "0.0011", differs });
  await send(made.burl, `${made.price + 0.001}`);
  expect(await rowOf(made)).toMatchObject({ billed: 1, spend: `${made.price / 1000}` });
});

test("a price that the markup tells books the bid, whatever it is", async () => {
  await serve({ billing: "impression" });
  const made = await bid();
  await send(pixelIn(made), "1.2", "1.3");
  const row = { billed: 1, assumed: 1, spend: `${made.price / 1000}`, differs: { "under-bid": 1 } };
  expect(await rowOf(made)).toMatchObject(row);
});

test("a loss is counted by its reason", async () => {
  await serve();
  const made = await bid();
  await isolate.notice(made.lurl, { LOSS: "102", MIN_TO_WIN: "3.5" });
  expect(await rowOf(made)).toMatchObject({ bids: 1, wins: 0, billed: 0, losses: { 102: 1 } });
  expect(events.at(-1)).toMatchObject({ type: "loss", outcome: "102", min_to_win_micros: 3_500_000, cur: "USD" });
});

test("a notice that books nothing is counted by why, and the operator can ask why", async () => {
  await serve();
  const made = await bid();
  const { burl, cid } = made;
  expect((await isolate.notice(burl)).status).toBe(204);
  const token = /\/n\/bill\/([^?]+)/.exec(burl)?.[1] ?? "";
  const forged = burl.replace(token, `${token.slice(0, 40)}${token[40] === "A" ? "B" : "A"}${token.slice(41)}`);
  await send(forged, "1");
  expect(await rowOf(made)).toMatchObject({ billed: 0, refused: { "price-unreplaced": 1 } });
  expect(await rowOf({ cid: "" })).toMatchObject({ refused: { forged: 1 } });
  const why = `/n/why/${token}?p=1`;
  expect(await (await isolate.fetch(why)).json()).toMatchObject({
    now: { outcome: "bill", cid },
    ledger: { booked: null, refused: "price-unreplaced" },
  });
  expect((await isolate.fetch(why, {}, { OPERATOR: undefined })).status).toBe(401);
});

test("the price of the bid is booked if the exchange replaces no macro and the catalog says so", async () => {
  await serve({ price_missing: "bid" });
  const made = await bid({ at: 1 });
  await isolate.notice(made.burl);
  expect(await rowOf(made)).toMatchObject({ billed: 1, assumed: 1, spend: `${made.price / 1000}` });
});

test("503 with Retry-After if the ledger cannot book, and the notice books when it comes again", async () => {
  await serve();
  const made = await bid();
  const LEDGER = { getByName: () => ({ book: async () => Promise.reject(new Error("the disk is full")) }) };
  await expectLater(await isolate.notice(made.burl, { PRICE: "1" }, "GET", { LEDGER }));
  await send(made.burl, "1");
  expect(await rowOf(made)).toMatchObject({ billed: 1 });
});

test("503 if the ledger cannot keep what a refused bill weighs, and it is kept once when the notice comes again", async () => {
  await serve();
  const made = await bid();
  let attempts = 0;
  const LEDGER = { getByName: () => ({ refuse: async () => Promise.reject(new Error(`${attempts++}`)) }) };
  await expectLater(await isolate.notice(made.burl, {}, "GET", { LEDGER }));
  expect(attempts).toBe(3);
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-later-failed": 1 });
  for (let n = 0; n < 2; n++) expect((await isolate.notice(made.burl)).status).toBe(204);
  const day = dayAt(now());
  const held = await Promise.all(shardsOf(day).map(async (shard) => (await ledgerAt(env, shard).spent(null)).rows));
  const { campaign } = (
    await (await isolate.fetch(made.burl.replace("/n/bill/", "/n/why/"))).json<{ now: { campaign: string } }>()
  ).now;
  const weights = held
    .join("")
    .split("\n")
    .filter((line) => line.startsWith(campaign));
  expect(weights).toEqual([expect.stringMatching(` 0 0 0 ${Math.round(made.price * 1_000_000)} USD$`)]);
});

test("a refused notice that weighs nothing gets its 204 although the ledger is away", async () => {
  await serve();
  const made = await bid();
  const LEDGER = { getByName: () => ({ refuse: async () => Promise.reject(new Error("away")) }) };
  expect((await isolate.notice(made.burl, { PRICE: "AUDIT" }, "GET", { LEDGER })).status).toBe(204);
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-price-audit": 1 });
});

test.each([
  ["", 0],
  [", and another notice has raised its price before the next attempt", 1],
])("a bill that is booked while the answer of the ledger is lost becomes an event%s", async (_, raise) => {
  await serve();
  const made = await bid();
  let attempts = 0;
  const getByName = (name: string) => ({
    book: async (...[bill, known]: Parameters<Ledger["book"]>) => {
      const ledger = env.LEDGER.getByName(name);
      const booking = await ledger.book(bill, known);
      if (attempts++ > 0) return booking;
      if (raise > 0) await ledger.book({ ...bill, nanos: bill.nanos + raise }, known);
      throw new Error("Network connection lost.");
    },
  });
  const lossy = { LEDGER: { getByName } };
  expect((await isolate.notice(made.burl, { PRICE: "1", CURRENCY: "USD" }, "GET", lossy)).status).toBe(204);
  expect(attempts).toBe(2);
  expect(await rowOf(made)).toMatchObject({ billed: 1 });
  expect(events.filter((event) => event.id === made.id && event.type === "bill")).toHaveLength(1);
});

test("a bill becomes an event although all answers of the ledger were lost, and the next notice finds it booked", async () => {
  await serve();
  const made = await bid();
  const getByName = (name: string) => ({
    book: async (...args: Parameters<Ledger["book"]>) => {
      await env.LEDGER.getByName(name).book(...args);
      throw new Error("Network connection lost.");
    },
  });
  await expectLater(await isolate.notice(made.burl, { PRICE: "1", CURRENCY: "USD" }, "GET", { LEDGER: { getByName } }));
  const told = () => events.filter((event) => event.id === made.id && event.type === "bill");
  expect(told()).toEqual([]);
  await send(made.burl, "1");
  expect(told()).toMatchObject([{ price_micros: 1_000_000 }]);
  expect(await rowOf(made)).toMatchObject({ billed: 1 });
});

test("a bill becomes an event although its answer was lost, and its bid has another price when the next notice comes", async () => {
  await serve({ billing: "both" });
  const made = await bid();
  const getByName = (name: string) => ({
    book: async (...args: Parameters<Ledger["book"]>) => {
      await env.LEDGER.getByName(name).book(...args);
      throw new Error("Network connection lost.");
    },
  });
  const lossy = { LEDGER: { getByName } };
  await isolate.notice(pixelIn(made), { PRICE: "1", CURRENCY: "USD" }, "GET", lossy);
  await expectLater(await isolate.notice(made.burl, { PRICE: "1.1", CURRENCY: "USD" }, "GET", lossy));
  const told = () => events.filter((event) => event.id === made.id && event.type === "bill");
  expect(told()).toEqual([]);
  // This price is lower than the booked one.
  await send(made.burl, "1");
  expect(told()).toMatchObject([{ price_micros: 1_100_000, outcome: "imp" }]);
});

test("503 while PRICE_KEYS lacks the keys of the price, and the same notice books once when it has them", async () => {
  await serve({ price_codec: "google" });
  const [imp] = JSON.parse(text(simple)).imp;
  const made = await bid({ imp: [{ ...imp, bidfloor: 0 }] });
  const errors = () => isolate.notices.state({ ...env, ...isolate.vars } as Bindings, isolate.bidder()).errors;
  const keysOf = (ssp: string) => {
    isolate.vars = { ...isolate.vars, PRICE_KEYS: JSON.stringify({ [ssp]: GOOGLE_KEYS }) };
  };
  keysOf("dmeo");
  for (let n = 0; n < 2; n++) await expectLater(await isolate.notice(made.burl, { PRICE: GOOGLE_PRICE }));
  expect(errors()).toEqual([expect.stringMatching(/^demo: price_codec google, and PRICE_KEYS has no keys for it/)]);
  keysOf("demo");
  await send(made.burl, GOOGLE_PRICE, GOOGLE_PRICE);
  expect(errors()).toEqual([]);
  expect(await rowOf(made)).toMatchObject({ billed: 1, spend: "0.0000019", refused: { "price-no-key": 2 } });
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-price-no-key": 2, "notice-duplicate": 1 });
});

/** The token of a bill with the layout 4, which no build has. An implementation of BLAKE3 that is not ours signed it. */
const NEWER =
  "QAgAAGr9k0AAAAABAAAABwiifge1Smamr2PfTIYB8aWl5BtnQnbTlgAAAAAbd0AHAAAAG3dAI44AA-gA0kPSQ5qbv_XIo9LGxrf2fXvx2Ec";

test("503 for a token that a newer build has signed, and 204 if its tag is of another kind or wrong", async () => {
  await serve();
  await bid();
  await expectLater(await isolate.fetch(`/n/bill/${NEWER}?p=1`));
  for (const other of [`/n/imp/${NEWER}`, `/n/bill/${NEWER.slice(0, -4)}AAAA`]) {
    expect((await isolate.fetch(`${other}?p=1`)).status).toBe(204);
  }
  expect(await rowOf({ cid: "" })).toMatchObject({ billed: 0, refused: { newer: 1 } });
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-newer": 1, "notice-forged": 2 });
});

test("204 for an encoded price without keys if a later call would not book either", async () => {
  await serve({ price_codec: "google", test: true });
  await send((await bid()).burl, GOOGLE_PRICE);
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-test": 1 });
});

test("503 at once if as many notices already wait for the first catalog as there is room for", async () => {
  const cold = new Isolate();
  let fail = () => {};
  const answer = new Promise((_, reject) => {
    fail = () => reject(new Error("KV is out"));
  });
  const CATALOG = { getWithMetadata: () => answer, get: () => answer };
  const notice = async () => (await cold.start(`/n/bill/${NEWER}?p=1`, {}, { ...isolate.vars, CATALOG })).response;
  const waiting = Array.from({ length: MAX_WAITING_NOTICES }, notice);
  const first = Promise.race(waiting.map((response) => response.then(() => "a waiting notice")));
  expect(await Promise.race([first, notice().then(({ status }) => status)])).toBe(503);
  fail();
  for (const response of await Promise.all(waiting)) expect(response.status).toBe(503);
});

test("without keys there are no notices", async () => {
  await serve();
  const { burl } = await bid();
  isolate.vars = { ...isolate.vars, NOTICE_KEYS: "" };
  expect(JSON.stringify(await bid())).not.toContain("/n/");
  expect((await isolate.notice(burl, { PRICE: "1" })).status).toBe(404);
});

test.each(["GET /n/other/x", "GET /n/bill", "GET /n/", "PUT /n/bill/x"])("%s is no notice", async (line) => {
  await serve();
  await bid();
  const [method = "", path = ""] = line.split(" ");
  expect((await isolate.fetch(path, { method })).status).toBe(method === "PUT" ? 405 : 404);
});
