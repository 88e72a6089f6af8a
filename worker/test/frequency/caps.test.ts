//! Frequency caps from the bid request to the notice, in the real runtime with real objects; and with objects that are
//! silent or fail.

import { env } from "cloudflare:test";
import { beforeEach, expect, it, vi } from "vitest";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { smallCatalog, smallRequest } from "../support/catalogs.ts";
import { at } from "../support/clock.ts";
import { type Bid, bidsIn, fresh, type Isolate, NOTICE_KEYS } from "../support/isolate.ts";

const NEW_KEY = "another-key-of-the-tests-another-key";

/** The most that an object has, in milliseconds. */
const DEADLINE_MS = 25;
const { setTimeout } = globalThis;

let isolate: Isolate;
let people = 0;
/** A person that no test had before. All tests of this file share the objects. */
let person: string;

beforeEach(async () => {
  isolate = await fresh();
  isolate.vars = { NOTICE_KEYS, OPERATOR: "anybody" };
  person = `person-${people++}`;
  at("2094-03-14T12:00");
  // On a busy machine, an object that is neither silent nor broken may need longer.
  const patient = (work: () => void, ms = 0) => setTimeout(work, ms === DEADLINE_MS ? 60_000 : ms);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(patient as typeof setTimeout);
});

/** Serves a campaign with two impressions a day, and a cheaper one without a cap. */
async function serve({ capped = {}, free = {}, ssp = {}, creative = {}, document = {} } = {}): Promise<void> {
  const campaigns = [
    { cid: "capped", max_cpm: "3", caps: [{ n: 2, per: "day" }], ...capped },
    { cid: "free", ...free },
  ];
  const creatives = [{ crid: "b", ...creative, banner: { w: 300, h: 250, adm: "<p>" } }];
  await isolate.serve(smallCatalog(campaigns, { ssps: [{ id: "demo", ...ssp }], creatives, ...document }));
}

/** What a request of the person has besides. No `buyeruid`: nobody knows the person. */
interface More {
  buyeruid?: string | null;
  [attribute: string]: unknown;
}

function body({ buyeruid = person, ...more }: More = {}) {
  return smallRequest({ user: buyeruid === null ? {} : { buyeruid }, ...more });
}

/** The bid on a request of the person, after all work behind the answer. */
async function bid(more: More = {}, vars: object = {}): Promise<Bid> {
  const [made] = await bidsIn<Bid>(await isolate.post(body(more), {}, vars));
  if (made === undefined) throw new Error("no bid");
  return made;
}

/** The campaigns that bid on this many requests in turn. */
async function cids(count: number, ...args: Parameters<typeof bid>): Promise<string> {
  const found: string[] = [];
  for (let n = 0; n < count; n++) found.push((await bid(...args)).cid);
  return found.join(" ");
}

const PAID = { PRICE: "1", CURRENCY: "USD" };

/** Sends the notice that bills, as an exchange would. */
async function bill({ burl }: Bid): Promise<void> {
  expect((await isolate.notice(burl, PAID)).status).toBe(204);
}

/** Books, and loses the answer. */
function forgetful(ledger: { book: Ledger["book"] }) {
  return async (...args: Parameters<Ledger["book"]>) => {
    await ledger.book(...args);
    throw new Error("Network connection lost.");
  };
}

it("the third impression of a person is not bid, another person's is", async () => {
  await serve();
  expect(await cids(3)).toBe("capped capped capped");
  for (const made of [await bid(), await bid()]) await bill(made);
  expect(await cids(2)).toBe("free free");
  expect(await cids(1, { buyeruid: "another" })).toBe("capped");
  expect(await cids(1, { buyeruid: null })).toBe("capped");
});

it("an SSP that wants `nbr` gets it when all bids are capped", async () => {
  await serve({ ssp: { nbr: true }, free: { target: { country: { include: ["FRA"] } } } });
  const france = { device: { geo: { country: "FRA" } } };
  expect(await cids(1, france)).toBe("capped");
  for (const made of [await bid(), await bid()]) await bill(made);
  const response = await isolate.post(body());
  expect([response.status, await response.json()]).toEqual([200, { id: "r", nbr: 9 }]);
  expect(isolate.counters.toJSON()).toMatchObject({ frequency: 1 });
});

it("a bill that comes twice counts once", async () => {
  await serve();
  const made = await bid();
  await bill(made);
  isolate.repeats.has = () => false;
  await bill(made);
  expect(await cids(1)).toBe("capped");
});

it("a bill that the ledger knows already counts, if nobody has told so: seed 17 of the simulator", async () => {
  await serve({ capped: { caps: [{ n: 1, per: "day" }] } });
  const made = await bid();
  // The answer of the ledger is lost three times, and the exchange sends the bill again.
  const ledger = { getByName: (name: string) => ({ book: forgetful(env.LEDGER.getByName(name)) }) };
  await isolate.notice(made.burl, PAID, "GET", { LEDGER: ledger });
  expect((await bid()).cid).toBe("capped");
  await bill(made);
  expect((await bid()).cid).toBe("free");
});

const ON_BID = { capped: { cap_on: "bid" } };

it("caps that count bids refuse the third bid, also of one request", async () => {
  await serve(ON_BID);
  expect(await cids(3)).toBe("capped capped free");
  const imp = [1, 2, 3, 4, 5].map((n) => ({ id: `${n}`, banner: { w: 300, h: 250 } }));
  const made = await bidsIn(await isolate.post(body({ imp, buyeruid: "of five" })));
  expect(made.map(({ cid }) => cid).sort()).toEqual(["capped", "capped", "free", "free", "free"]);
  expect(await cids(1, { buyeruid: "of five" })).toBe("free");
});

it("a creative's cap counts in all campaigns together", async () => {
  await serve({ capped: { caps: [], cap_on: "bid" }, creative: { caps: [{ n: 1, per: "hour" }] } });
  expect(await cids(1)).toBe("capped");
  expect((await isolate.post(body())).status).toBe(204);
});

it("a test auction counts nothing", async () => {
  await serve(ON_BID);
  expect(await cids(3, { test: 1 })).toBe("capped capped capped");
  expect(await cids(1)).toBe("capped");
});

it("without consent, nothing is asked and nothing is stored", async () => {
  const getByName = vi.fn();
  await serve(ON_BID);
  for (const more of [{ device: { lmt: 1 } }, { regs: { coppa: 1 } }, { regs: { us_privacy: "1YYN" } }]) {
    expect(await cids(3, more, { FREQUENCY: { getByName } })).toBe("capped capped capped");
  }
  expect(getByName).not.toHaveBeenCalled();
});

it("without keys, a campaign with caps bids only for unknown people", async () => {
  await serve();
  expect(await cids(1, {}, { NOTICE_KEYS: "" })).toBe("free");
  expect(await cids(1, { buyeruid: null }, { NOTICE_KEYS: "" })).toBe("capped");
});

it("counts stay when a key is replaced", async () => {
  await serve(ON_BID);
  await bid();
  expect(await cids(2, {}, { NOTICE_KEYS: `${NEW_KEY},${NOTICE_KEYS}` })).toBe("capped free");
  expect(await cids(1, {}, { NOTICE_KEYS: NEW_KEY })).toBe("capped");
});

it("requests that wait at once keep their own origins", async () => {
  await serve();
  const hosts = ["one.example", "two.example", "three.example"];
  const origins = hosts.map(async (host) => {
    const init = { method: "POST", body: body({ buyeruid: `person of ${host}` }) };
    const [made] = await bidsIn<Bid>(await isolate.fetch(`https://${host}/bid/demo`, init));
    return [made?.cid, new URL(made?.burl ?? "").host];
  });
  expect(await Promise.all(origins)).toEqual(hosts.map((host) => ["capped", host]));
});

it("no campaign with a cap is shown while the object is silent, and the answer comes all the same", async () => {
  await serve();
  vi.mocked(globalThis.setTimeout).mockRestore();
  const FREQUENCY = { getByName: () => ({ left: () => new Promise(() => {}) }) };
  expect(new Set((await cids(50, {}, { FREQUENCY })).split(" "))).toEqual(new Set(["free"]));
  expect(isolate.counters.toJSON()).toMatchObject({ "caps-asked": 50, "caps-late": 50, bid: 50 });
});

it("no campaign with a cap is shown if the object fails or there is no time to ask", async () => {
  await serve();
  const left = vi.fn(async () => Promise.reject(new Error("broken")));
  const FREQUENCY = { getByName: () => ({ left }) };
  expect(await cids(1, {}, { FREQUENCY })).toBe("free");
  expect(await cids(1, { tmax: 30 }, { FREQUENCY })).toBe("free");
  expect(left).toHaveBeenCalledOnce();
  expect(isolate.counters.toJSON()).toMatchObject({ "caps-asked": 1, "caps-failed": 1, "caps-late": 1 });
});

it("the report counts the bids that were sent, and no others", async () => {
  await serve();
  const bidder = isolate.bidder();
  isolate.tally.watch = () => {};
  expect(await cids(1)).toBe("capped");
  expect(await cids(1, { tmax: 30 })).toBe("free");
  const rows: { bids?: { cid: string; count: number }[] }[] = bidder?.takeTally() ?? [];
  const counts = rows.flatMap(({ bids = [] }) => bids.map(({ cid, count }) => `${cid} ${count}`));
  expect(counts.sort()).toEqual(["capped 1", "free 1"]);
});

/** Asks to forget a person. */
const forget = (query: unknown) => isolate.fetch("/forget", { method: "POST", body: JSON.stringify(query) });

it("forgets a person by an id of any kind", async () => {
  await serve(ON_BID);
  expect(await cids(3)).toBe("capped capped free");
  expect(await (await forget({ id: person, kind: "ifa" })).json()).toEqual({ rows: 0, kinds: ["ifa"], ssps: [] });
  expect(await cids(1)).toBe("free");
  const kinds = ["buyeruid", "ifa", "user", "household"];
  expect(await (await forget({ id: person })).json()).toEqual({ rows: 1, kinds, ssps: ["demo"] });
  expect(await cids(1)).toBe("capped");
});

it("counts a television without an id by the address of its household, and forgets it", async () => {
  await serve({ ...ON_BID, document: { cap_person: "household" } });
  const tv = (address: object) => ({ buyeruid: null, device: { devicetype: 3, ...address } });
  expect(await cids(1, tv({ ipv6: "2001:db8:7:7::1" }))).toBe("capped");
  expect(await cids(2, tv({ ipv6: "2001:db8:7:7:8::2" }))).toBe("capped free");
  expect(await cids(1, tv({ ipv6: "2001:db8:7:8::1" }))).toBe("capped");
  expect(await cids(3, tv({ ipv6: "2001:db8:7:7::1", lmt: 1 }))).toBe("capped capped capped");
  const answer = await forget({ id: "2001:db8:7:7::9", kind: "household" });
  expect(await answer.json()).toEqual({ rows: 1, kinds: ["household"], ssps: [] });
  expect(await cids(1, tv({ ipv6: "2001:db8:7:7::1" }))).toBe("capped");
});

it("forgets the user of an SSP that has left the catalog", async () => {
  await serve(ON_BID);
  expect(await cids(3, { user: { id: person } })).toBe("capped capped free");
  await serve({ ssp: { id: "another" } });
  const answer = async (query: object) => (await forget({ id: person, ...query })).json();
  expect(await answer({ kind: "user" })).toEqual({ rows: 0, kinds: ["user"], ssps: ["another"] });
  expect(await answer({ kind: "user", source: "demo" })).toEqual({ rows: 1, kinds: ["user"], ssps: ["demo"] });
  const kinds = ["buyeruid", "ifa", "eid", "user", "household"];
  expect(await answer({ source: "demo" })).toEqual({ rows: 0, kinds, ssps: ["another", "demo"] });
});

it("finds nobody with keys that cannot be used, and says so", async () => {
  await serve();
  isolate.vars = { ...isolate.vars, NOTICE_KEYS: "   " };
  const response = await forget({ id: person });
  expect([response.status, await response.json()]).toEqual([503, { error: expect.stringContaining("NOTICE_KEYS") }]);
});

it.each([
  {},
  { id: "" },
  { id: 7 },
  [],
  { id: "a", kind: "b" },
  { id: "a", kind: "eid" },
  { id: "a\nb" },
  { id: "\ud800" },
])("refuses to forget %j", async (query) => {
  await serve();
  expect((await forget(query)).status).toBe(400);
});
