//! Notices from the bid to the report, in the real runtime.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import type { Event } from "../../src/events/schema.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import type { Row } from "../../src/report/rows.ts";
import { simple, text } from "../support/fixtures.ts";
import { changed, clear, file, Isolate, json, NOTICE_KEYS } from "../support/isolate.ts";

const GOOGLE_KEYS = {
  encryption: "skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=",
  integrity: "arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=",
};
const request = text(simple);

interface Bid {
  id: string;
  price: number;
  nurl: string;
  burl: string;
  lurl: string;
  adm: string;
  cid: string;
}

// The work after an answer waits for the next flush of events.
vi.setConfig({ testTimeout: 30_000 });

let tests = 0;
let isolate: Isolate;
let events: Event[];
let vars: Env;

beforeEach(async () => {
  await clear();
  isolate = new Isolate();
  isolate.eventsOneIn = "0";
  events = [];
  const sendBatch = async (messages: { body: Uint8Array }[]) => {
    for (const { body } of messages) {
      for (const line of new TextDecoder().decode(body).split("\n").filter(Boolean)) events.push(JSON.parse(line));
    }
  };
  vars = {
    ...env,
    NOTICE_KEYS,
    EVENTS_ONE_IN: "0",
    EVENTS: { sendBatch },
    OPERATOR: "anybody",
  } as unknown as Env;
});

/** Pushes the example with these settings of its SSP, and without notice URLs of its campaigns. */
async function serve(settings: object = {}): Promise<void> {
  tests++;
  const document = changed(({ ssps, campaigns }) => {
    Object.assign(
      ssps.find(({ id }: { id: string }) => id === "demo"),
      settings,
    );
    // All tests of this file share one ledger.
    for (const campaign of campaigns) {
      campaign.cid += `-${tests}`;
      for (const key of ["nurl", "burl", "lurl"]) delete campaign[key];
    }
  });
  await isolate.serve(document, vars);
}

async function bid(more: object = {}): Promise<Bid> {
  const response = await isolate.post(json({ ...JSON.parse(request), ...more }), {}, vars);
  expect(response.status).toBe(200);
  const { seatbid, bidid }: { bidid: string; seatbid: { bid: Bid[] }[] } = await response.json();
  const [made] = seatbid[0]?.bid ?? [];
  if (made === undefined) throw new Error("no bid");
  expect(made.id).toBe(`${bidid}00`);
  return made;
}

/** Calls a notice as an exchange would, with these values of its macros. */
function call(url: string, values: Record<string, string> = {}, method = "GET", from = vars): Promise<Response> {
  const filled = url.replaceAll(/\$\{AUCTION_([A-Z_]+)\}/g, (macro, name: string) => values[name] ?? macro);
  return isolate.fetch(filled, { method }, from);
}

async function rows(): Promise<Row[]> {
  const response = await isolate.fetch("/report", {}, vars);
  expect(response.status).toBe(200);
  return ((await response.json()) as { rows: Row[] }).rows;
}

test("a bid that wins and bills is in the report to the nano, once", async () => {
  await serve();
  const { id, price, nurl, burl, cid } = await bid();
  expect((await call(nurl, { PRICE: "1.234567", CURRENCY: "USD", MIN_TO_WIN: "1.2" })).status).toBe(204);
  for (const method of ["GET", "POST", "GET"]) {
    expect((await call(burl, { PRICE: "1.234567", CURRENCY: "USD" }, method)).status).toBe(204);
  }
  const [row] = (await rows()).filter(({ campaign }) => campaign === cid);
  const spent = { spend: "0.001234567", spend_usd: "0.001234567" };
  expect(row).toMatchObject({ cur: "USD", bids: 1, wins: 1, billed: 1, ...spent });
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
  const { burl, adm, cid, price } = await bid();
  const pixel = /<img src="([^"]+[/]n[/]imp[^"]+)"/.exec(adm)?.[1] ?? "";
  const row = async () => (await rows()).find(({ campaign }) => campaign === cid);
  await Promise.all([call(burl, { PRICE: "1" }), call(burl, { PRICE: "1" })]);
  expect(await row()).toMatchObject({ billed: 1, spend: "0.001" });
  // Who shows the ad knows this URL, so its price is not believed.
  await call(pixel, { PRICE: "0.000001" });
  await call(burl, { PRICE: "1.1" });
  await call(burl, { PRICE: "1.05" });
  expect(await row()).toMatchObject({ billed: 1, assumed: 0, spend: "0.0011", differs: { raised: 1, lower: 1 } });
  await call(burl, { PRICE: `${price + 0.001}` });
  expect(await row()).toMatchObject({ billed: 1, spend: `${price / 1000}` });
});

test("a price that the markup tells books the bid, whatever it is", async () => {
  await serve({ billing: "impression" });
  const { adm, cid, price } = await bid();
  const pixel = /<img src="([^"]+[/]n[/]imp[^"]+)"/.exec(adm)?.[1] ?? "";
  for (const told of ["1.2", "1.3"]) expect((await call(pixel, { PRICE: told })).status).toBe(204);
  expect((await rows()).find(({ campaign }) => campaign === cid)).toMatchObject({
    ...{ billed: 1, assumed: 1, spend: `${price / 1000}`, differs: { "under-bid": 1 } },
  });
});

test("a loss is counted by its reason", async () => {
  await serve();
  const { lurl, cid } = await bid();
  await call(lurl, { LOSS: "102", MIN_TO_WIN: "3.5" });
  const [row] = (await rows()).filter(({ campaign }) => campaign === cid);
  expect(row).toMatchObject({ bids: 1, wins: 0, billed: 0, losses: { 102: 1 } });
  expect(events.at(-1)).toMatchObject({ type: "loss", outcome: "102", min_to_win_micros: 3_500_000, cur: "USD" });
});

test("a notice that books nothing is counted by why, and the operator can ask why", async () => {
  await serve();
  const { burl, cid } = await bid();
  expect((await call(burl, {})).status).toBe(204);
  const token = /\/n\/bill\/([^?]+)/.exec(burl)?.[1] ?? "";
  const forged = burl.replace(token, `${token.slice(0, 40)}${token[40] === "A" ? "B" : "A"}${token.slice(41)}`);
  expect((await call(forged, { PRICE: "1" })).status).toBe(204);
  const found = await rows();
  expect(found.find(({ campaign }) => campaign === cid)).toMatchObject({
    billed: 0,
    refused: { "price-unreplaced": 1 },
  });
  expect(found.find(({ campaign }) => campaign === "")).toMatchObject({ refused: { forged: 1 } });
  const why: { now: { outcome: string; cid: string }; ledger: { booked: unknown; refused: string } } = await (
    await call(`https://bidder.test/n/why/${token}?p=1`)
  ).json();
  expect(why.now).toMatchObject({ outcome: "bill", cid });
  expect(why.ledger).toEqual({ booked: null, refused: "price-unreplaced" });
  const stranger = { ...vars, OPERATOR: undefined } as unknown as Env;
  expect((await call(`https://bidder.test/n/why/${token}`, {}, "GET", stranger)).status).toBe(401);
});

test("the price of the bid is booked if the exchange replaces no macro and the catalog says so", async () => {
  await serve({ price_missing: "bid" });
  const { burl, price, cid } = await bid({ at: 1 });
  await call(burl);
  const [row] = (await rows()).filter(({ campaign }) => campaign === cid);
  expect(row).toMatchObject({ billed: 1, assumed: 1, spend: `${price / 1000}` });
});

test("503 with Retry-After if the ledger cannot book, and the notice books when it comes again", async () => {
  await serve();
  const { burl, cid } = await bid();
  const broken = {
    ...vars,
    LEDGER: { getByName: () => ({ book: async () => Promise.reject(new Error("the disk is full")) }) },
  } as unknown as Env;
  const response = await call(burl, { PRICE: "1" }, "GET", broken);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await call(burl, { PRICE: "1" })).status).toBe(204);
  expect((await rows()).find(({ campaign }) => campaign === cid)).toMatchObject({ billed: 1 });
});

test("a bill that is booked while the answer of the ledger is lost becomes an event", async () => {
  await serve();
  const { id, burl, cid } = await bid();
  let attempts = 0;
  const getByName = (name: string) => ({
    book: async (...args: Parameters<Ledger["book"]>) => {
      const booking = await env.LEDGER.getByName(name).book(...args);
      if (attempts++ === 0) throw new Error("Network connection lost.");
      return booking;
    },
  });
  const lossy = { ...vars, LEDGER: { getByName } } as unknown as Env;
  expect((await call(burl, { PRICE: "1" }, "GET", lossy)).status).toBe(204);
  expect(attempts).toBe(2);
  expect((await rows()).find(({ campaign }) => campaign === cid)).toMatchObject({ billed: 1 });
  expect(events.filter((event) => event.id === id && event.type === "bill")).toHaveLength(1);
});

test("503 while PRICE_KEYS lacks the keys of the price, and the same notice books once when it has them", async () => {
  await serve({ price_codec: "google" });
  const [imp] = JSON.parse(request).imp;
  const { burl, cid } = await bid({ imp: [{ ...imp, bidfloor: 0 }] });
  // An example of Google's: 1,900 micros.
  const values = { PRICE: "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA" };
  const without = { ...vars, PRICE_KEYS: JSON.stringify({ dmeo: GOOGLE_KEYS }) } as unknown as Env;
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await call(burl, values, "GET", without);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(isolate.notices.state(without, isolate.keeper.use(without, createExecutionContext())).errors).toEqual([
    expect.stringMatching(/^demo: price_codec google, and PRICE_KEYS has no keys for it/),
  ]);
  const mended = { ...vars, PRICE_KEYS: JSON.stringify({ demo: GOOGLE_KEYS }) } as unknown as Env;
  for (let attempt = 0; attempt < 2; attempt++) expect((await call(burl, values, "GET", mended)).status).toBe(204);
  expect(isolate.notices.state(mended, isolate.keeper.use(mended, createExecutionContext())).errors).toEqual([]);
  expect((await rows()).find(({ campaign }) => campaign === cid)).toMatchObject({
    billed: 1,
    spend: "0.0000019",
    refused: { "price-no-key": 2 },
  });
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-price-no-key": 2, "notice-duplicate": 1 });
});

test("204 for an encoded price without keys if a later call would not book either", async () => {
  await serve({ price_codec: "google", test: true });
  const { burl } = await bid();
  expect((await call(burl, { PRICE: "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA" })).status).toBe(204);
  expect(isolate.counters.toJSON()).toMatchObject({ "notice-test": 1 });
});

test("without keys there are no notices", async () => {
  await serve();
  const { burl } = await bid();
  const off = { ...vars, NOTICE_KEYS: "" } as unknown as Env;
  const response = await isolate.post(file(request), {}, off);
  expect(await response.text()).not.toContain("/n/");
  expect((await call(burl, { PRICE: "1" }, "GET", off)).status).toBe(404);
});

test.each(["GET /n/other/x", "GET /n/bill", "GET /n/", "PUT /n/bill/x"])("%s is no notice", async (line) => {
  await serve();
  await bid();
  const [method = "", path = ""] = line.split(" ");
  expect((await call(`https://bidder.test${path}`, {}, method)).status).toBe(method === "PUT" ? 405 : 404);
});
