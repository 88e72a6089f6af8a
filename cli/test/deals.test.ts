//! `edgebid deals`: what an SSP sends is listed, shown and accepted, then bid on and billed; requests are compared with
//! the terms.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Deal } from "../../shared/deals/deal.ts";
import { now } from "../../worker/test/support/clock.ts";
import { compiledAside } from "../catalog/compiling.ts";
import { sourceOf } from "../catalog/source.ts";
import type { Known } from "../deals/kept.ts";
import { type Taker, writtenOf } from "../deals/terms.ts";
import { OBJECTS } from "../deploy/configuration.ts";
import { type RunningScript, startScript } from "../workerd.ts";
import { bidsIn, NOTICE_KEY } from "./bidder.ts";
import { edgebidIn, folderFor } from "./edgebid.ts";
import { FakeStore, pushInto } from "./fake-store.ts";

const folder = folderFor("deals");
const store = new FakeStore();
const DAY_MS = 86_400_000;
const TOKEN = { authorization: "Bearer let-me-in", "content-type": "application/json" };
let bidder: RunningScript;
let minutes = 0;

const later = (days: number) => new Date(now() + days * DAY_MS).toISOString().replace(/\.\d+/, "");

/** A campaign that buys without a deal, until it takes one. */
const NEWS = {
  ...{ cid: "news", seat: "Agency1", adomain: ["shop.example"], max_cpm: "9" },
  ...{ target: { country: { include: ["USA", "CAN"] }, zone: "UTC" }, creatives: ["shoes", "film"] },
};
const CATALOG = {
  ...{ format: 1, privacy: { bid_unregistered: false }, rates: [{ cur: "EUR", usd: "1.1" }] },
  ssps: [
    { id: "closed", credentials: ["a3ee786b5707c27d42570785081ec17f5c7db9262a01366af362a1aa61a420b9"] },
    { id: "open" },
  ],
  creatives: [
    { crid: "shoes", banner: { w: 300, h: 250, adm: "<b>Shoes</b>" } },
    {
      crid: "film",
      video: {
        ...{ w: 640, h: 360, dur: 30, protocol: 3 },
        media: [{ url: "https://cdn.shop.example/30.mp4", mime: "video/mp4" }],
      },
    },
  ],
  campaigns: [NEWS],
};

beforeAll(async () => {
  writeCatalog();
  await pushFolder(false);
  const kv = { CATALOG: Object.fromEntries(store.values) };
  const vars = { NOTICE_KEYS: NOTICE_KEY, OPERATOR: "anybody", EVENTS_ONE_IN: "off", CATALOG_REFRESH_SECONDS: "1" };
  bidder = await startScript(new URL("../../worker/src/index.ts", import.meta.url), kv, {
    vars,
    durableObjects: OBJECTS,
  });
});

beforeEach(() => writeCatalog());

afterAll(() => bidder?.stop());

function writeCatalog(more: object = {}): void {
  rmSync(join(folder, "catalog"), { recursive: true, force: true });
  mkdirSync(join(folder, "catalog"));
  writeFileSync(join(folder, "catalog/all.json"), JSON.stringify({ ...CATALOG, ...more }, null, 2));
}

function edgebid(...args: string[]) {
  return edgebidIn(folder, { EDGEBID_URL: bidder.origin })(...args);
}

async function send(deal: object, status = 200): Promise<unknown> {
  const init = { method: "POST", headers: TOKEN, body: JSON.stringify(deal) };
  const response = await fetch(`${bidder.origin}/deals/closed`, init);
  expect(response.status, JSON.stringify(deal)).toBe(status);
  return response.json();
}

const written = () => JSON.parse(readFileSync(join(folder, "catalog/all.json"), "utf8")).campaigns[0];

/** Pushes the catalog's folder, and waits until the bidder serves it. */
async function pushFolder(isServed = true): Promise<void> {
  const { document } = sourceOf(join(folder, "catalog"));
  const { version } = await pushInto(store, JSON.parse(new TextDecoder().decode(document)), ++minutes * 60_000);
  if (!isServed) return;
  await bidder.put("CATALOG", Object.fromEntries(store.values));
  const served = async () => {
    const health = await (await fetch(`${bidder.origin}/healthz`)).json();
    expect(health).toMatchObject({ catalog: { version } });
  };
  await vi.waitFor(served, { timeout: 30_000, interval: 200 });
}

const request = (id: string, deal: object, more: object = {}) => ({
  ...{ id, cur: ["USD"], at: 1, device: { geo: { country: "USA" } } },
  imp: [{ id: "1", banner: { w: 300, h: 250 }, pmp: { private_auction: 1, deals: [deal] } }],
  site: { domain: "news.example", publisher: { id: "pub-1" }, cat: ["IAB12"] },
  ...more,
});

async function bidsOn(body: object) {
  const init = { method: "POST", headers: TOKEN, body: JSON.stringify(body) };
  const response = await fetch(`${bidder.origin}/bid/closed`, init);
  return response.status === 204 ? [] : bidsIn(await response.text());
}

/** After the scenarios at the end of the specification: who packages, sells, and what may change. */
const GUARANTEED = {
  ...{ id: "pg-1", origin: "ssp.example", seller: "publisher.example", name: "Front page", sellerstatus: 0 },
  ...{ wseat: ["Agency1"], adtypes: [1], auxdata: 3, pubcount: 1, dinventory: 1, created: "2026-11-01T00:00:00Z" },
  terms: {
    ...{ startdate: later(-1), enddate: later(30), countries: ["USA"], dealfloor: 8, cur: "USD" },
    ...{ guar: 1, pricetype: 3, units: 1_000_000, totalcost: 8000 },
  },
  inventory: { inclinventory: [1], sitedomains: ["news.example"], sellerids: ["pub-1"] },
  curation: { curator: "publisher.example", curfeetype: 4 },
};
const CURATED = {
  ...{ id: "curated-1", origin: "ssp.example", seller: "saleshouse.example", auxdata: 2, pubcount: 2, dinventory: 2 },
  terms: { dealfloor: 3, pricetype: 1, enddate: "" },
  curation: { curator: "curator.example", cdealid: "c-77", curfeetype: 3 },
};

/** The table of scenarios: who charges for curation, whose data it is, how many publishers, and what may change. */
const SCENARIOS: [curfeetype: number, auxdata: number, pubcount: number, dinventory: number, ...Scenario][] = [
  [4, 3, 1, 1, GUARANTEED, { guar: 1, at: 3, bidfloor: 8, bidfloorcur: "USD", wseat: ["Agency1"] }, 8],
  [4, 1, 2, 2, CURATED, { at: 1, bidfloor: 3, bidfloorcur: "USD" }, 9],
  [3, 2, 2, 2, { ...CURATED, adtypes: [1, 2], bseat: ["Agency9"] }, { at: 1 }, 9],
  [1, 4, 1, 2, { ...CURATED, terms: { dealfloor: 4, pricetype: 3 } }, { at: 3, bidfloor: 4, bidfloorcur: "USD" }, 4],
  [3, 2, 2, 2, { ...CURATED, terms: { pricetype: 0, countries: ["USA"] } }, {}, 9],
];
type Scenario = [deal: { seller: string; terms: object } & Record<string, unknown>, offer: object, price: number];

describe("from the seller's message to the report", () => {
  test.each(SCENARIOS)("fee %i, data %i, publishers %i, inventory %i", async (...scenario) => {
    const [curfeetype, auxdata, pubcount, dinventory, terms, offer, price] = scenario;
    const id = `flow-${minutes}`;
    const curation = { curator: "curator.example", cdealid: "c-77", curfeetype };
    const deal = { ...terms, id, auxdata, pubcount, dinventory, curation };
    const cid = `news-${id}`;
    writeCatalog({ campaigns: [{ ...NEWS, cid }] });
    await pushFolder();
    expect(await send(deal)).toEqual({ version: "1.0", id, buyerstatus: [{ status: 0 }] });
    expect((await edgebid("deals", "list"))[1]).toMatch(new RegExp(`^${id} +new +closed +${deal.seller}`, "m"));
    const asked = (n: string) => bidsOn(request(n, { id, ...offer }));
    expect((await asked("early")).filter((bid) => "dealid" in bid)).toEqual([]);

    const [code, out, err] = await edgebid("deals", "accept", id, "--campaign", cid, "--close");
    expect([code, err], out).toEqual([0, ""]);
    expect(await send({ id })).toEqual({ version: "1.0", id, buyerstatus: [{ buyerseatid: "Agency1", status: 1 }] });
    await pushFolder();
    // Pacing holds a campaign with a budget back on some requests.
    const served = async () => {
      const [bid] = await asked("billed");
      expect(bid).toBeDefined();
      return bid;
    };
    const bid = await vi.waitFor(served, { timeout: 60_000, interval: 500 });
    expect(bid).toMatchObject({ cid, crid: "shoes", dealid: id, price });
    expect(await bidsOn(request("without", { id: "another", ...offer }))).toEqual([]);

    const url = `${bid?.burl}`.replace(/\$\{AUCTION_PRICE\}/, `${price}`).replace(/\$\{AUCTION_CURRENCY\}/, "USD");
    expect((await fetch(url.replace(/^https?:\/\/[^/]+/, bidder.origin))).status).toBe(204);
    const [, report] = await edgebid("report", "--by", "campaign", "--json");
    expect(JSON.parse(report).rows).toContainEqual(
      expect.objectContaining({ campaign: cid, billed: 1, spend: `${price / 1000}` }),
    );

    const listed = (await edgebid("deals", "list"))[1];
    expect(listed).toMatch(new RegExp(`^${id} +accepted +closed .* ${cid}`, "m"));
    const before = JSON.parse((await edgebid("deals", "list", "--json"))[1]);
    await send(deal);
    expect(JSON.parse((await edgebid("deals", "list", "--json"))[1])).toEqual(before);
    await send({ ...deal, terms: { ...deal.terms, dealfloor: 10 } });
    expect((await edgebid("deals", "list"))[1]).toMatch(new RegExp(`^${id} +changed`, "m"));
    expect((await edgebid("deals", "show", id))[1]).toContain("since then, terms.dealfloor");
  });
});

describe("accept", () => {
  const accept = (id: string, ...options: string[]) =>
    edgebid("deals", "accept", id, "--campaign", "news", "--close", ...options);

  test("writes the terms, keeps what the campaign has, and names what a catalog cannot say", async () => {
    await send({ ...GUARANTEED, id: "pg-2", ext: { colour: "red" } });
    const [code, out] = await accept("pg-2");
    expect(code).toBe(0);
    expect(written()).toEqual({
      ...NEWS,
      open: false,
      ...{ ssps: ["closed"], deals: [{ id: "pg-2", max_cpm: "8" }], creatives: ["shoes"], budget: { total: "8000" } },
      ...{ start: GUARANTEED.terms.startdate, end: GUARANTEED.terms.enddate },
      target: {
        ...{ zone: "UTC", channel: ["site"], country: { include: ["USA"] }, publisher: { include: ["pub-1"] } },
        domain: { include: ["news.example"] },
      },
    });
    for (const note of [
      "terms.units 1000000: a catalog plans money",
      "terms.guar 1:",
      "so film is left out",
      "deal.ext: is not read",
    ])
      expect(out).toContain(note);
  });

  test("changes only the campaign in a file of YAML, and keeps the comments", async () => {
    const text = `# our catalog
campaigns:
  - cid: other # leave it
    seat: Agency1
    adomain: [shop.example]
    max_cpm: "2"
    creatives: [shoes]
  - cid: news
    # for the winter
    seat: Agency1
    adomain: [shop.example]
    max_cpm: "9"
    creatives: [shoes]
`;
    const { campaigns, ...rest } = CATALOG;
    writeFileSync(join(folder, "catalog/all.json"), JSON.stringify(rest));
    writeFileSync(join(folder, "catalog/campaigns.yaml"), text);
    await send({ ...CURATED, id: "yaml-1" });
    expect((await accept("yaml-1"))[0]).toBe(0);
    const [changed = "", news = ""] = readFileSync(join(folder, "catalog/campaigns.yaml"), "utf8").split(
      "  - cid: news\n",
    );
    expect(changed).toBe(text.split("  - cid: news\n")[0]);
    expect(news).toContain("# for the winter\n    seat: Agency1");
    expect(news).toMatch(/deals:\n +- yaml-1/);
    expect((await compiledAside(sourceOf(join(folder, "catalog")))).snapshot.byteLength).toBeGreaterThan(0);
  });

  test.each<[string, object, object, RegExp, string[]?]>([
    ["with another deal", CURATED, { deals: ["d-9"] }, /also buys under d-9/],
    ["of another SSP", CURATED, { ssps: ["open"] }, /buys from open only/],
    [
      "for other countries",
      GUARANTEED,
      { target: { country: { include: ["DEU"] } } },
      /takes DEU, the deal USA; nothing is left/,
    ],
    ["for another time", GUARANTEED, { end: "2026-01-01T00:00Z" }, /does not run while the deal does/],
    ["with other formats", { ...CURATED, adtypes: [3] }, {}, /takes audio, and no creative/],
    ["for a deal that is over", { ...CURATED, sellerstatus: 3 }, {}, /is over \(new, complete\)/],
    ["that is not there", CURATED, { cid: "news2" }, /no campaign news; did you mean news2/],
  ])("refuses a campaign %s, and changes nothing", async (_, deal, more, error) => {
    const id = `refused-${minutes++}`;
    await send({ ...deal, id });
    writeCatalog({ campaigns: [{ ...NEWS, ...more }] });
    const before = written();
    const [code, , err] = await accept(id);
    expect(code).toBe(2);
    expect(err).toMatch(error);
    expect(written()).toEqual(before);
    expect(await send({ id })).toMatchObject({ buyerstatus: [{ status: 0 }] });
  });

  test("closes a campaign only if told so, and takes new terms without that", async () => {
    await send({ ...CURATED, id: "close-1" });
    const plain = ["deals", "accept", "close-1", "--campaign", "news"];
    expect((await edgebid(...plain))[2]).toContain(
      "news also buys without a deal, which these terms would narrow; --close",
    );
    expect(written()).toEqual(NEWS);
    expect((await accept("close-1"))[0]).toBe(0);
    expect(written()).toMatchObject({ open: false, deals: ["close-1"] });
    await send({ ...CURATED, id: "close-1", terms: { countries: ["CAN"], enddate: later(20) } });
    expect((await edgebid(...plain))[0]).toBe(0);
    expect(written()).toMatchObject({ target: { country: { include: ["CAN"] } } });
  });

  test("replaces what earlier terms have written, and keeps what the buyer has", async () => {
    const of = (terms: object, domains: string[]) => ({
      ...CURATED,
      id: "longer-1",
      terms,
      inventory: { sitedomains: domains },
    });
    const template = { id: "t", target: { devicetype: { include: [2] } } };
    writeCatalog({ templates: [template], campaigns: [{ ...NEWS, template: "t" }] });
    await send(of({ enddate: later(20), countries: ["USA"] }, ["a.example"]));
    expect((await accept("longer-1"))[0]).toBe(0);
    const target = { ...NEWS.target, country: { include: ["USA"] }, domain: { include: ["a.example"] } };
    expect(written()).toMatchObject({ end: expect.any(String), target });
    await send(of({ countries: ["USA", "MEX"] }, ["a.example", "b.example"]));
    expect((await accept("longer-1"))[0]).toBe(0);
    const domain = { include: ["a.example", "b.example"] };
    const now = { ...NEWS, template: "t", ssps: ["closed"], deals: ["longer-1"], open: false };
    expect(written()).toEqual({ ...now, target: { zone: "UTC", country: { include: ["USA", "MEX"] }, domain } });
  });

  test("says so if the campaign is written and the seller is not told", async () => {
    await send({ ...CURATED, id: "untold-1" });
    const all = await (await fetch(`${bidder.origin}/deals`)).text();
    const server = createServer((call, answer) => answer.writeHead(call.method === "GET" ? 200 : 503).end(all));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const [code, , err] = await accept("untold-1", "--url", `http://127.0.0.1:${port}`);
    server.close();
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/all.json is written, and the seller is not told: .*accept it again/),
    ]);
    expect(written()).toMatchObject({ deals: ["untold-1"] });
    expect((await accept("untold-1"))[0]).toBe(0);
    expect(await send({ id: "untold-1" })).toMatchObject({ buyerstatus: [{ status: 1 }] });
  });

  test("changes nothing if the compiler refuses it", async () => {
    await send({ ...CURATED, id: "close-2" });
    writeCatalog({ ssps: [{ ...CATALOG.ssps[0], deals: ["agreed-1"] }] });
    const [code, , err] = await accept("close-2");
    expect([code, err]).toEqual([1, expect.stringContaining("close-2")]);
    expect(written()).toEqual(NEWS);
  });
});

test("reject tells the seller, and names campaigns that still buy", async () => {
  await send({ ...CURATED, id: "no-1" });
  expect((await edgebid("deals", "reject", "no-1", "--reason", "too dear"))[1]).toContain("the seller is told");
  const answer = { version: "1.0", id: "no-1", buyerstatus: [{ status: 2, ext: { reason: "too dear" } }] };
  expect(await send({ id: "no-1" })).toEqual(answer);
  expect((await edgebid("deals", "accept", "no-1", "--campaign", "news", "--close"))[0]).toBe(0);
  expect((await edgebid("deals", "reject", "no-1", "--reason", "no more"))[1]).toContain("news may still buy under it");
});

test("list marks what is paused, ending and over, and several origins have to be told apart", async () => {
  await send({ ...CURATED, id: "state-1", sellerstatus: 1 });
  await send({ ...CURATED, id: "state-2", terms: { enddate: later(3) } });
  await send({ ...CURATED, id: "state-3", terms: { enddate: later(-3) } });
  await send({ ...CURATED, id: "state-4", sellerstatus: 4 });
  const [, some] = await edgebid("deals", "list");
  expect(some).toMatch(/^state-1 +new, paused/m);
  expect(some).toMatch(/^state-2 +new, ending/m);
  expect(some).toMatch(/deals over: --all shows/);
  expect(some).not.toMatch(/state-[34]/);
  const [, all] = await edgebid("deals", "list", "--all");
  for (const line of [/^state-3 +new, ended/m, /^state-4 +new, archived/m]) expect(all).toMatch(line);
  await send({ ...CURATED, id: "state-1", origin: "other.example" });
  expect((await edgebid("deals", "show", "state-1"))[2]).toMatch(/several deals .*--origin/);
  expect((await edgebid("deals", "show", "state-1", "--origin", "other.example"))[0]).toBe(0);
  expect((await edgebid("deals", "show", "nothing"))[2]).toContain("no seller has sent the deal nothing");
});

describe("what the terms mean", () => {
  const known = (deal: object): Known => ({
    ...{ ssp: "closed", origin: "a.example", id: "d", digest: "", received: 0, versions: 1, unordered: 0, later: 0 },
    ...{ states: ["new"], decisions: [], deal: { id: "d", origin: "a.example", terms: {}, ...deal } as Deal },
  });
  const of = (deal: object, campaign: object = {}, more: Partial<Taker> = {}) =>
    writtenOf(known(deal), { campaign: { ...campaign }, creatives: [], ssp: {}, ...more });

  test.each<[string, object, object, object]>([
    ["nothing", {}, {}, {}],
    ["a floor as guidance", { terms: { dealfloor: 0.0000005 } }, { max_cpm: "1" }, {}],
    [
      "a fixed price in the campaign's currency",
      { terms: { dealfloor: 0.1, pricetype: 3, cur: "EUR" } },
      { max_cpm: 1, cur: "EUR" },
      { deals: [{ id: "d", max_cpm: "0.1" }] },
    ],
    [
      "a price of the buyer's own",
      { terms: { dealfloor: 2 } },
      { max_cpm: "3", deals: [{ id: "d", max_cpm: "4" }] },
      { deals: [{ id: "d", max_cpm: "4" }] },
    ],
    [
      "a part of its domain",
      { inventory: { sitedomains: ["a.example"] } },
      { target: { domain: { include: ["x.a.example", "b.example"], exclude: ["y.a.example"] } } },
      { target: { domain: { include: ["x.a.example"], exclude: ["y.a.example"] } } },
    ],
    [
      "categories and devices",
      { inventory: { cat: ["1"], cattax: 6, devicetype: [3] } },
      {},
      { target: { cat: { include: ["1"] }, cattax: 6, devicetype: { include: [3] } } },
    ],
    [
      "later start, earlier end",
      { terms: { startdate: "2026-12-01", enddate: "2026-12-31T12:00:00" } },
      { start: "2026-12-02T00:00+01:00" },
      { start: "2026-12-01T23:00:00Z", end: "2026-12-31T12:00:00Z" },
    ],
    [
      "the money of units",
      { terms: { guar: 1, units: 5000, dealfloor: 2, pricetype: 3 } },
      {},
      { deals: [{ id: "d", max_cpm: "2" }], budget: { total: "10" } },
    ],
  ])("%s", (_, deal, campaign, entry) => {
    expect(of(deal, campaign).entry).toEqual({ ssps: ["closed"], deals: ["d"], open: false, ...entry });
  });

  test.each<[object, object, RegExp]>([
    [{ terms: { dealfloor: 5, cur: "EUR" } }, { max_cpm: "4" }, /^terms.dealfloor 5 EUR: the campaign pays 4 USD/],
    [{ terms: { dealfloor: 5, cur: "EUR", pricetype: 3 } }, { max_cpm: "4" }, /^terms.dealfloor 5 EUR/],
    [{ terms: { dealfloor: 5 } }, { max_cpm: 4_000_000 }, /^terms.dealfloor 5 USD: the campaign pays 4 USD/],
    [{ terms: { enddate: "2026-12-01" } }, { flights: [] }, /keeps its flights/],
    [{ terms: { totalcost: 5 } }, {}, /^the terms have 5 USD in all; no budget is written$/],
    [
      { terms: { guar: 1, totalcost: 5 } },
      { budget: {} },
      /^the terms have 5 USD in all; no budget .* keeps its budget$/,
    ],
    [{ terms: { guar: 1 } }, {}, /^the terms have no total/],
    [{ terms: { pricetype: 501 } }, {}, /^terms.pricetype 501/],
    [{ terms: { discount: 1 } }, {}, /^terms.discount: is not read/],
    [{ inventory: { sitedomains: ["a.example"], appbundles: ["b"] } }, {}, /^sites and apps/],
    [{ inventory: { inclinventory: [1, 5] } }, {}, /^inventory.inclinventory 1, 5/],
    [{ inventory: { sitedomains: ["a.example"] } }, { target: { domain: { include_lists: ["l"] } } }, /has lists/],
    [{ inventory: { sitedomains: ["a.example"] }, dinventory: 2 }, {}, /^dinventory 2/],
    [
      { terms: { countries: ["DEU", "AUT"] } },
      { target: { country: { include: ["DEU"] } } },
      /takes DEU, the deal DEU, AUT/,
    ],
    [{ adtypes: [1, 2] }, {}, /^adtypes: the deal takes banner, video$/],
    [{ wseat: ["a"] }, { seat: "b" }, /^wseat: only a may bid; yours is b/],
    [{ bseat: ["b"] }, { seat: "b" }, /^bseat: the seat b/],
  ])("%j is never dropped silently", (deal, campaign, note) => {
    expect(of(deal, campaign).notes).toContainEqual(expect.stringMatching(note));
  });

  test("the origin is another one than the SSP", () => {
    const [note, ...others] = of({}, {}, { ssp: { domain: "b.example" } }).notes;
    expect([note, others]).toEqual(["origin: a.example, and the domain of closed is b.example", []]);
    expect(of({}, {}, { ssp: { domain: "a.example" } }).notes).toEqual([]);
  });

  test("a seat goes by the name that the SSP knows", () => {
    const ssp = { seats: [{ seat: "b", name: "4711" }] };
    expect(of({ wseat: ["4711"] }, { seat: "b" }, { ssp }).notes).toEqual([]);
  });
});

describe("check", () => {
  const check = async (id: string, lines: object[], ...options: string[]) => {
    writeFileSync(join(folder, "kept.ndjson"), lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return edgebid("deals", "check", id, "--recording", "kept.ndjson", "--catalog", "catalog", ...options);
  };
  const kept = (request: object, ssp = "closed") => ({ ssp, at: later(0), request });
  const offer = { bidfloor: 8, bidfloorcur: "USD" };

  test("names the requests that do not keep the terms, by term", async () => {
    await send({ ...GUARANTEED, id: "check-1" });
    const own = (more: object = {}, deal: object = {}) =>
      kept(request("r", { id: "check-1", ...offer, ...deal }, more));
    const imp = { id: "1", video: { mimes: ["video/mp4"] }, pmp: { deals: [{ id: "check-1", ...offer }] } };
    const lines = [
      ...[
        own(),
        kept(request("r", { id: "another" })),
        own({ device: { geo: { country: "FRA" } } }),
        own({ imp: [imp] }),
      ],
      ...[
        own({ site: { domain: "spoof.example", publisher: { id: "pub-1" } } }),
        own({}, { bidfloor: 9 }),
        own({ device: {} }),
      ],
      ...[
        own({ site: { page: "https://www.news.example/a", publisher: { id: "pub-2" } } }),
        kept(request("r", { id: "check-1" }), "open"),
      ],
    ];
    const [code, out] = await check("check-1", lines);
    expect(code, out).toBe(1);
    expect(out).toContain("check-1: 1 of 7 requests under the deal keep its terms");
    const line = (term: string, requests: number, locations: string) =>
      expect(out).toMatch(new RegExp(`^${term} +${requests} +${locations}`, "m"));
    line("country", 2, "kept.ndjson:3 \\(agreed USA; found FRA\\); kept.ndjson:7");
    line("format", 1, "kept.ndjson:4 \\(agreed banner; found video\\)");
    line("domain", 1, "kept.ndjson:5 \\(agreed news.example; found spoof.example\\)");
    line("floor", 1, "kept.ndjson:6 \\(agreed 8 USD; found 9 USD\\)");
    line("publisher", 1, "kept.ndjson:8 \\(agreed pub-1; found pub-2\\)");
    const [, json] = await check("check-1", lines, "--json");
    expect(JSON.parse(json)).toMatchObject({ requests: 8, under: 7, kept: 1 });
  });

  test("each kind of request has its list, if a deal has sites and apps", async () => {
    const inventory = { sitedomains: ["news.example"], appbundles: ["com.news"] };
    await send({ ...CURATED, id: "check-2", terms: {}, inventory });
    const app = (bundle: string) => kept(request("r", { id: "check-2" }, { site: undefined, app: { bundle } }));
    const [code, out] = await check("check-2", [
      kept(request("r", { id: "check-2" })),
      app("com.news"),
      app("com.fake"),
    ]);
    expect([code, out]).toEqual([1, expect.stringContaining("2 of 3 requests")]);
    expect(out).toMatch(/^bundle +1 +kept.ndjson:3/m);
  });

  test("all is fine, or there is nothing to check", async () => {
    await send({ ...CURATED, id: "check-3" });
    expect((await check("check-3", [kept(request("r", { id: "check-3", bidfloor: 3 }))]))[0]).toBe(0);
    const [code, out] = await check("check-3", [kept(request("r", { id: "another" }))]);
    expect([code, out]).toEqual([1, "check-3: none of 1 request of closed is under the deal\n"]);
  });
});
