//! `POST /deals/:ssp`, the object behind it, and what the operator sees and decides.
//!
//! The deals are the scenarios at the end of the Deal Sync specification.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { KeptDeal } from "../../../shared/deals/deal.ts";
import { KEEP_OVER_DAYS, MAX_DEAL_VERSIONS, MAX_DEALS, MAX_DEALS_BYTES } from "../../../shared/limits.ts";
import { Deals } from "../../src/deals/deals.ts";
import { now, wait } from "../support/clock.ts";
import { catalogDocument } from "../support/fixtures.ts";
import { fresh, type Isolate, OPERATOR } from "../support/isolate.ts";
import { Twin } from "./twin.ts";

let isolate: Isolate;
/** A new origin for each test, because the object of an SSP outlives a test. */
let origin = "table.example";
let tests = 0;

beforeEach(async () => {
  isolate = await fresh(catalogDocument);
  origin = `ssp-${tests++}.example`;
});

/** Stands for the test's origin in tables, and for the end of time in messages. */
const [ORIGIN, AFTER_ALL] = ["origin-of-the-test.example", 1e15];
const RIGHT = { authorization: "Bearer let-me-in", "content-type": "application/json" };

function send(message: unknown, headers: Record<string, string> = RIGHT, ssp = "closed"): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return isolate.fetch(`/deals/${ssp}`, { method: "POST", headers, body });
}

/** What the operator sees of this test's deals. */
async function kept(): Promise<KeptDeal[]> {
  const { deals } = await (await isolate.fetch("/deals", OPERATOR)).json<{ deals: KeptDeal[] }>();
  return deals.filter((deal) => deal.origin.endsWith(origin));
}

function decide(more: object): Promise<Response> {
  const body = JSON.stringify({ ssp: "closed", origin, seat: "", ...more });
  return isolate.fetch("/deals", { ...OPERATOR, method: "POST", body });
}

/** A deal with these members. */
const deal = (more: object = {}) => ({ id: "d-1", origin, terms: { dealfloor: 5 }, ...more });

/** The scenarios of the specification: who owns, packages and sells, and what may change. */
const SCENARIOS = {
  "a publisher's own inventory and data": {
    ...{ auxdata: 3, pubcount: 1, dinventory: 1, seller: "publisher.example" },
    terms: { startdate: "2026-12-01T00:00:00Z", enddate: "2027-01-01T00:00:00Z", countries: ["USA"], dealfloor: 12.5 },
    inventory: { inclinventory: [1], sitedomains: ["news.example", "sport.example"] },
    curation: { curator: "publisher.example", curfeetype: 4 },
  },
  "a data company, for no fee": {
    ...{ auxdata: 1, pubcount: 2, dinventory: 2, seller: "saleshouse.example" },
    terms: { dealfloor: 3, pricetype: 1 },
    curation: { curator: "data.example", cdealid: "c-77", curfeetype: 4 },
  },
  "a curator for a CPM": {
    ...{ auxdata: 2, pubcount: 2, dinventory: 2, adtypes: [1, 2] },
    terms: { pricetype: 0, cur: "EUR" },
    curation: { curator: "curator.example", curfeetype: 3 },
  },
  "a curator for a part of the spend, with an aggregator": {
    ...{ auxdata: 4, pubcount: 1, dinventory: 2 },
    terms: { enddate: "", wanted: null },
    curation: { curator: "curator.example", curfeetype: 1 },
  },
  "a curator that the SSP pays": {
    ...{ auxdata: 2, pubcount: 2, dinventory: 2, wseat: ["Agency1"] },
    terms: { guar: 1, pricetype: 3, dealfloor: 8, units: 1_000_000, totalcost: 8000 },
    curation: { curator: "curator.example", curfeetype: 3 },
  },
};

describe("a message", () => {
  it.each(Object.entries(SCENARIOS))("%s is kept, and waits for the buyer", async (name, more) => {
    const response = await send(deal({ name, sellerstatus: 0, ...more }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ version: "1.0", id: "d-1", buyerstatus: [{ status: 0 }] });
    const [one, ...others] = await kept();
    expect(others).toEqual([]);
    expect(JSON.parse(one?.deal ?? "")).toMatchObject({ id: "d-1", name, auxdata: more.auxdata });
    expect(isolate.counters.toJSON()).toEqual({ "deal-new": 1 });
  });

  it("is one message however its JSON is written, and changes nothing when it comes again", async () => {
    await send(deal({ name: null, desc: "" }));
    const before = await kept();
    wait(1000);
    const again = await send(`{ "terms": {"dealfloor":5.0,"enddate":""}, "origin":"${origin}","id":"d-1" }`);
    expect(again.status).toBe(200);
    expect(await kept()).toEqual(before);
    expect(isolate.counters.toJSON()).toEqual({ "deal-new": 1, "deal-known": 1 });
  });

  it.each([
    ["no token", { "content-type": "application/json" }, "closed", 401],
    ["a wrong token", { ...RIGHT, authorization: "Bearer let-me-out" }, "closed", 401],
    ["an SSP without credentials", RIGHT, "demo", 404],
    ["an unknown SSP", RIGHT, "nobody", 404],
  ])("with %s changes nothing at all", async (_, headers, ssp, status) => {
    const methods = (["keep", "status", "decide"] as const).map((name) => vi.spyOn(Deals.prototype, name));
    const response = await send(deal(), headers, ssp);
    expect([response.status, await response.text()]).toEqual([status, ""]);
    for (const method of methods) expect(method).not.toHaveBeenCalled();
    expect(await kept()).toEqual([]);
  });

  it("has one method", async () => {
    expect((await isolate.fetch("/deals/closed", { headers: RIGHT })).status).toBe(405);
  });

  it.each<[string, unknown, number, RegExp]>([
    ["no JSON", "<html>", 400, /no JSON/],
    ["JSON that is no object", "[]", 400, /no object/],
    ["nothing", "", 400, /no JSON/],
    ["a deal without its terms", { id: "d", origin: ORIGIN, name: "x" }, 400, /^terms: missing$/],
    ["a deal without an origin", { id: "d", terms: {} }, 400, /^origin: missing$/],
    ["a number as id", deal({ id: 7 }), 400, /^id: 7; expected a text/],
    ["a state that does not exist", deal({ sellerstatus: 5 }), 400, /^sellerstatus: 5; expected a whole number/],
    ["both lists of seats", deal({ wseat: ["a"], bseat: ["b"] }), 400, /^bseat: besides wseat/],
    ["10,000 sites", deal({ inventory: { sitedomains: sites(10_000, "s") } }), 413, /too long/],
    ["5,000 short sites", deal({ inventory: { sitedomains: sites(5000, "") } }), 400, /5000 entries; expected.* 1000/],
    [
      "a year of five digits",
      terms({ startdate: "+12026-01-01T00:00:00Z" }),
      400,
      /^terms.startdate: .*expected an ISO/,
    ],
    ["a day that does not exist", terms({ enddate: "2026-02-31T00:00:00Z" }), 400, /^terms.enddate: .*expected an ISO/],
    ["an end before the start", terms({ startdate: "2026-12-02", enddate: "2026-12-01" }), 400, /not after startdate/],
    ["a negative floor", terms({ dealfloor: -1 }), 400, /^terms.dealfloor: -1; expected/],
    [
      "an endless floor",
      '{"id":"d","origin":"origin-of-the-test.example","terms":{"dealfloor":1e999}}',
      400,
      /^terms.dealfloor: null/,
    ],
    ["countries of two letters", terms({ countries: ["US"] }), 400, /^terms.countries\[0\]: "US"; expected.*three/],
    ["a time of update in another form", deal({ ext: { updated: "2026-11-28 10:00:00" } }), 400, /^ext.updated: .*ISO/],
    ["a kind of price that is no number", terms({ pricetype: "600" }), 400, /^terms.pricetype: "600"; expected/],
    [
      "a time of the far future",
      deal({ ext: { updated: "2098-01-01T00:00:00Z" } }),
      400,
      /^ext.updated: more than a day/,
    ],
    ["deep nesting", deal({ ext: JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) }), 400, /nested more than 10/],
    ["200 KB", deal({ desc: "x".repeat(200_000) }), 413, /too long/],
    ["2 MB", deal({ desc: "x".repeat(2_000_000) }), 413, /too long/],
  ])("with %s is refused", async (_, message, status, error) => {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    const response = await send(text.replaceAll(ORIGIN, origin));
    expect(response.status).toBe(status);
    expect((await response.json<{ error: string }>()).error).toMatch(error);
    expect(await kept()).toEqual([]);
  });

  it("lists the first problems only", async () => {
    const response = await send(deal({ terms: { countries: Array(500).fill("x") } }));
    const lines = (await response.json<{ error: string }>()).error.split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([11, "and 490 more"]);
  });

  it("that is too long is refused before it is read", async () => {
    const body = new ReadableStream({ type: "bytes" });
    const headers = { ...RIGHT, "content-length": "70000" };
    expect((await isolate.fetch("/deals/closed", { method: "POST", headers, body })).status).toBe(413);
  });

  it("of another type is refused", async () => {
    expect((await send(deal(), { ...RIGHT, "content-type": "application/x-protobuf" })).status).toBe(415);
  });

  it("gets a 503 if the object fails, so that the SSP sends it again", async () => {
    const failing = { DEALS: { getByName: () => ({ keep: () => Promise.reject(new Error("gone")) }) } };
    const init = { method: "POST", headers: RIGHT, body: JSON.stringify(deal()) };
    const response = await isolate.fetch("/deals/closed", init, failing);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});

const terms = (terms: object) => ({ id: "d", origin: ORIGIN, terms });
const sites = (count: number, more: string) => Array.from({ length: count }, (_, n) => `${more}${n}.a`);

it("a text that a terminal would obey is harmless, and domains are the same in any case", async () => {
  const name = "\u001b[2K\u202ecurator";
  await send(deal({ name, origin: origin.toUpperCase(), desc: `${"x".repeat(2000)}\n`, ext: { "a\u001b[1A": 1 } }));
  const [one] = await kept();
  expect(JSON.parse(one?.deal ?? "")).toMatchObject({ name: " [2K curator", origin, ext: { "a [1A": 1 } });
});

describe("a text that is not well-formed", () => {
  const HALVES = ["\ud800", "\udc00", "a\udbff", "\udfffa", "\udc00\ud800", "\ud800\ud800\udc00"];
  /** Each path of a text in a message, with the text in it. */
  const MESSAGES: Record<string, (half: string) => object> = {
    id: (half) => deal({ id: half }),
    name: (half) => deal({ name: half }),
    desc: (half) => deal({ desc: half }),
    wseat: (half) => deal({ wseat: ["a", half] }),
    cat: (half) => deal({ inventory: { cat: [half] } }),
    cdealid: (half) => deal({ curation: { cdealid: half } }),
    ext: (half) => deal({ ext: { note: [{ deep: half }] } }),
    more: (half) => deal({ terms: { dealfloor: 5, more: half } }),
    "a name of ext": (half) => deal({ ext: { [half]: 1 } }),
    "a name of the deal": (half) => deal({ [half]: 1 }),
    "a question": (half) => ({ id: half, origin }),
  };
  const DECISIONS = ["ssp", "origin", "id", "digest", "seat", "campaign", "reason"];

  it.each(Object.entries(MESSAGES))("as %s of a message is refused, and hides no deal", async (_, message) => {
    await send(deal({ id: "whole \ud83d\ude00" }));
    const before = await kept();
    for (const half of HALVES) {
      const response = await send(message(half));
      const { error } = await response.json<{ error: string }>();
      expect([half, response.status, error]).toEqual([half, 400, expect.stringContaining("half of a surrogate pair")]);
    }
    expect(await kept()).toEqual(before);
    expect(before).toMatchObject([{ id: "whole \ud83d\ude00" }]);
  });

  it.each(DECISIONS)("as %s of a decision is refused", async (name) => {
    await send(deal());
    const [one] = await kept();
    const decision = { id: "d-1", digest: one?.digest, status: 1, campaign: "acme" };
    for (const half of HALVES) expect((await decide({ ...decision, [name]: half })).status).toBe(400);
    expect((await kept())[0]?.decisions).toEqual([]);
    expect((await decide(decision)).status).toBe(200);
  });

  it("that an earlier build has stored hides no other deal", async () => {
    const object = env.DEALS.getByName(`halves ${origin}`);
    const message = { origin, deal: "{}", digest: "1", terms: "", rank: 0, over: AFTER_ALL };
    for (const id of ["\ud800", "d"]) await object.keep({ ...message, id });
    expect((await object.all()).map(({ id }) => id)).toContain("d");
    expect(await object.all()).toHaveLength(2);
  });
});

describe("the order of messages", () => {
  const floorOf = async () => JSON.parse((await kept())[0]?.deal ?? "{}").terms?.dealfloor;
  const at = (day: number, dealfloor: number, more: object = {}) =>
    deal({ terms: { dealfloor }, ext: { updated: `2026-11-0${day}T00:00:00Z` }, ...more });

  it("is that of `ext.updated`, whatever comes first", async () => {
    for (const message of [at(1, 1), at(3, 3), at(2, 2), at(1, 1)]) await send(message);
    expect(await floorOf()).toBe(3);
    expect(await kept()).toMatchObject([{ versions: 3, unordered: 0 }]);
  });

  it("ends with an archived deal, which cannot be active again", async () => {
    for (const message of [at(1, 1, { sellerstatus: 4 }), at(3, 3)]) await send(message);
    expect(await floorOf()).toBe(1);
  });

  it("is that of their first arrival if nothing else orders them, and says so", async () => {
    for (const dealfloor of [7, 8, 7]) await send(deal({ terms: { dealfloor } }));
    expect(await floorOf()).toBe(8);
    expect(await kept()).toMatchObject([{ versions: 2, unordered: 1 }]);
  });

  it("does not matter: the same messages in any order, some of them often, end as in a dull twin", async () => {
    let runs = 0;
    const message = fc.record({
      id: fc.constantFrom("a", "b"),
      day: fc.integer({ min: 1, max: 9 }),
      sellerstatus: fc.constantFrom(0, 1, 2, 3, 4),
    });
    const messages = fc.uniqueArray(message, { minLength: 1, maxLength: 8, selector: ({ id, day }) => `${id} ${day}` });
    const orders = messages
      .chain((all) => fc.array(fc.constantFrom(...all), { maxLength: 6 }).map((again) => [...all, ...again]))
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const own = `r${runs++}.${origin}`;
        const twin = new Twin();
        for (const { id, day, sellerstatus } of order) {
          const one = at(day, day, { id, sellerstatus, origin: own });
          expect((await send(one)).status).toBe(200);
          twin.take(one);
        }
        const seen = (await kept()).filter((one) => one.origin === own);
        expect(seen.map(({ id, deal, versions }) => ({ id, deal: JSON.parse(deal), versions }))).toEqual(twin.deals());
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});

describe("the room", () => {
  const stub = (name: string) => env.DEALS.getByName(`${name} ${origin}`);
  const message = (n: number, more: object = {}) => ({
    ...{ origin, id: `d${n}`, deal: "{}", digest: `${n}`, terms: "", rank: 0, over: AFTER_ALL },
    ...more,
  });

  it("of one deal is bounded", async () => {
    const object = stub("versions");
    const nth = (n: number, rank = 0) => object.keep(message(n, { id: "d", rank }));
    for (let n = 0; n < MAX_DEAL_VERSIONS; n++) expect(await nth(n, n === 0 ? 1 : 0)).toBe("new");
    await object.decide({ ...NOTHING, origin, id: "d", digest: "1" });
    expect(await nth(-1)).toBe("new");
    // The first message counts and the second was decided on, so the third is forgotten.
    const again = [];
    for (const n of [0, 1, -1, 3, 2]) again.push(await nth(n, n === 0 ? 1 : 0));
    expect(again).toEqual(["known", "known", "known", "known", "new"]);
    expect(await object.all()).toMatchObject([
      { digest: "0", versions: MAX_DEAL_VERSIONS, later: MAX_DEAL_VERSIONS - 1 },
    ]);
  });

  it("keeps a deal that was complete once and goes on, and one that its seller repeats", async () => {
    const object = stub("going on");
    const big = "x".repeat(MAX_DEALS_BYTES / 3);
    await object.keep(message(1, { deal: big, over: 0 }));
    await object.keep(message(1, { digest: "later" }));
    await object.keep(message(2, { deal: big, over: 0 }));
    await object.keep(message(3, { deal: big, over: 0 }));
    wait((KEEP_OVER_DAYS + 1) * 86_400_000);
    expect(await object.keep(message(2, { deal: big, over: 0 }))).toBe("known");
    expect(await object.keep(message(4))).toBe("new");
    expect((await object.all()).map(({ id }) => id)).toEqual(["d1", "d2", "d4"]);
  });

  it("of all is bounded, and long after deals are over, they make room", async () => {
    const object = stub("bytes");
    // Two bytes each.
    const big = "é".repeat(MAX_DEALS_BYTES / 4);
    await object.keep(message(1, { deal: big, over: now() }));
    await object.keep(message(2, { deal: big }));
    expect(await object.keep(message(3))).toBe("full");
    expect((await object.all()).map(({ id }) => id)).toEqual(["d1", "d2"]);
    wait((KEEP_OVER_DAYS + 1) * 86_400_000);
    expect(await object.keep(message(3))).toBe("new");
    expect((await object.all()).map(({ id }) => id)).toEqual(["d2", "d3"]);
  });

  it("has a number of messages too", async () => {
    const object = stub("number");
    const all = Array.from({ length: MAX_DEALS }, (_, n) => message(n));
    const kept = await Promise.all(all.map((one) => object.keep(one)));
    expect(new Set(kept)).toEqual(new Set(["new"]));
    expect(await object.keep(message(-1))).toBe("full");
  }, 120_000);

  it("that is full is a clear refusal", async () => {
    vi.spyOn(Deals.prototype, "keep").mockResolvedValue("full");
    const response = await send(deal());
    expect(response.status).toBe(409);
    expect((await response.json<{ error: string }>()).error).toContain(`${MAX_DEALS} messages are kept`);
  });
});

describe("the buyer", () => {
  const asked = async (question: object = { id: "d-1", origin }) => (await send(question)).json();
  const digest = async () => (await kept())[0]?.digest;

  it("answers with what was decided for each seat, until the terms change", async () => {
    await send(deal());
    await decide({ id: "d-1", digest: await digest(), status: 1, seat: "Agency1", campaign: "acme" });
    await decide({ id: "d-1", digest: await digest(), status: 1, seat: "Agency2", campaign: "other" });
    const both = [
      { buyerseatid: "Agency1", status: 1 },
      { buyerseatid: "Agency2", status: 1 },
    ];
    expect(await asked()).toEqual({ version: "1.0", id: "d-1", buyerstatus: both });
    // Another campaign of a seat changes nothing for the seat.
    await decide({ id: "d-1", digest: await digest(), status: 1, seat: "Agency1", campaign: "acme-2" });
    expect(await asked()).toMatchObject({ buyerstatus: both });
    expect((await kept())[0]?.decisions.map(({ campaign }) => campaign)).toEqual(["acme", "acme-2", "other"]);
    // A pause changes no terms.
    await send(deal({ sellerstatus: 1, name: "paused" }));
    expect(await asked()).toMatchObject({ buyerstatus: both });
    await send(deal({ terms: { dealfloor: 6 } }));
    expect(await asked()).toMatchObject({ buyerstatus: both.map((one) => ({ ...one, status: 0 })) });
    expect((await kept())[0]?.decisions[0]).toMatchObject({ campaign: "acme", deal: JSON.stringify(deal()) });
    await decide({ id: "d-1", digest: await digest(), status: 1, seat: "Agency1", campaign: "acme-2" });
    expect(await asked()).toMatchObject({ buyerstatus: [{ status: 1 }, { status: 0 }] });
    await decide({ id: "d-1", digest: await digest(), status: 2, reason: "too dear" });
    expect(await asked()).toMatchObject({ buyerstatus: [{ status: 2, ext: { reason: "too dear" } }] });
    await decide({ id: "d-1", digest: await digest(), status: 1, seat: "Agency1" });
    expect(await asked()).toMatchObject({ buyerstatus: [{ buyerseatid: "Agency1", status: 1 }] });
  });

  it("is asked by id alone if only one origin has it", async () => {
    expect((await send({ id: "only" })).status).toBe(404);
    await send(deal({ id: "only" }));
    expect(await asked({ id: "only", version: "1.0" })).toMatchObject({ id: "only" });
    await send(deal({ id: "only", origin: `other.${origin}` }));
    expect((await send({ id: "only" })).status).toBe(400);
  });

  it("decides on messages that were sent, and on nothing else", async () => {
    await send(deal());
    const known = { id: "d-1", digest: await digest(), status: 1 };
    const statuses = [
      { ...known, digest: "0" },
      { ...known, id: "d-2" },
      { ...known, ssp: "demo" },
      { ...known, ssp: "x" },
    ];
    for (const wrong of statuses) expect((await decide(wrong)).status).toBe(409);
    for (const wrong of [{}, { ...known, status: 3 }, { ...known, seat: 1 }])
      expect((await decide(wrong)).status).toBe(400);
    expect((await kept())[0]?.decisions).toEqual([]);
  });

  it("is the operator alone", async () => {
    const call = (init: RequestInit) => isolate.fetch("/deals", init);
    expect((await call({})).status).toBe(401);
    expect((await call({ headers: RIGHT })).status).toBe(401);
    expect((await call({ ...OPERATOR, method: "PUT" })).status).toBe(405);
  });
});

const NOTHING = { ssp: "s", origin: "a", id: "b", status: 1 as const, seat: "", digest: "", at: 0 };
it("objects without a message have no tables", async () => {
  const object = env.DEALS.getByName("untouched");
  expect([await object.all(), await object.status("x"), await object.decide(NOTHING)]).toEqual([[], null, false]);
  const tables = await runInDurableObject(object, (_, { storage }) =>
    storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray(),
  );
  expect(tables).toEqual([]);
});
