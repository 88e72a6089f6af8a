//! `edgebid forecast`: what it counts, checked against plain decisions, and what it says of bad recordings.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { compile } from "../../shared/catalog/compile.ts";
import { peopleIn } from "../../tools/forecast/interval.ts";
import { shareWon } from "../../tools/forecast/market.ts";
import { documentsFor } from "../../tools/forecast/variants.ts";
import { unit } from "../../tools/traffic/draw.ts";
import { generate } from "../../tools/traffic/generate.ts";
import { Random } from "../../tools/traffic/random.ts";
import { reachIn } from "../../worker/inspect/views/catalog/reach.ts";
import { bytesOf } from "../catalog/store.ts";
import { compiler } from "../module.ts";
import { CATALOG, catalogText } from "./bidder.ts";
import { edgebidIn, folderFor, toldBy } from "./edgebid.ts";
import { served } from "./free-port.ts";

const folder = folderFor("forecast");
const edgebid = edgebidIn(folder);
const catalog = JSON.parse(catalogText);
const NOWHERE = ["--url", "http://127.0.0.1:1"];
const START = Date.UTC(2026, 10, 18);

const requests = generate(5, { catalog });
const bodies = Array.from({ length: 3000 }, () => requests.next().value);
/** The requests as kept by `edgebid tail`, one every ten seconds. */
const kept = bodies.map((body, n) => {
  const at = new Date(START + n * 10_000).toISOString();
  return `{"ssp":"demo","at":"${at}","request":${body}}\n`;
});
write("kept.ndjson", kept.join(""));

function write(name: string, text: string | Uint8Array): void {
  writeFileSync(join(folder, name), text);
}

function forecast(cid: string, ...more: string[]) {
  return toldBy(folder, "forecast", cid, "--catalog", CATALOG, ...NOWHERE, ...more);
}

it("counts the requests on which the campaign alone bids, projected to the days", async () => {
  const alone = {
    ...catalog,
    campaigns: catalog.campaigns.filter(({ cid }: { cid: string }) => cid === "playco-install"),
  };
  write("alone.json", JSON.stringify(alone));
  const { catalogs } = await toldBy(folder, "replay", "kept.ndjson", "--catalog", "alone.json");
  const told = await forecast("playco-install", "--recording", "kept.ndjson", "--one-in", "10", "--days", "2");
  expect(told.code).toBe(0);
  const times = (2 * 86_400 * 10) / (3000 * 10);
  expect(told.matches.count).toBeCloseTo(catalogs[0].requests_with_bids * times, 6);
  expect(told.requests.count).toBeCloseTo(3000 * times, 6);
  expect(told.matches.low).toBeLessThan(told.matches.count);
});

it("budgets, caps, flights, pauses, shading and templates hide no match", async () => {
  const [{ cid, seat, ...rest }] = catalog.campaigns;
  const held = {
    ...{ paused: true, end: "2020-01-01T00:00Z", budget: { daily: "0.01" }, learn_shading: true, caps: [] },
    ...{ shading: { typical: "0.01", steepness: 4 }, pacing: "asap", deals: null },
  };
  const lists = [{ id: "few", values: ["few.example"] }];
  const bids = [{ when: { domain: { include_lists: ["few"] } }, times: "1.000001" }];
  const templates = [{ id: "t", bids, seat, caps: [{ n: 1, per: "lifetime" }] }];
  write(
    "held.json",
    JSON.stringify({ ...catalog, lists, templates, campaigns: [{ cid, ...rest, ...held, template: "t" }] }),
  );
  const own = await forecast(cid, "--recording", "kept.ndjson", "--catalog", "held.json");
  const free = await forecast(cid, "--recording", "kept.ndjson");
  expect([own.matches, own.attributes, own.capped]).toEqual([free.matches, free.attributes, null]);
});

it("what comes back in other sizes needs no approval", async () => {
  const [campaign] = catalog.campaigns;
  const [{ crid }] = catalog.creatives;
  const ssps = [{ id: "demo", needs_approval: true }];
  const approvals = [{ ssp: "demo", crid, state: "approved" }];
  write(
    "approved.json",
    JSON.stringify({ ...catalog, ssps, approvals, campaigns: [{ ...campaign, creatives: [crid] }] }),
  );
  const free = await forecast("acme-spring", "--recording", "kept.ndjson");
  const told = await forecast("acme-spring", "--recording", "kept.ndjson", "--catalog", "approved.json");
  const size = ({ attributes }: typeof told) =>
    attributes.find(({ without }: { without: string }) => without === "size");
  expect(told.matches.count).toBeLessThan(free.matches.count);
  expect(told.matches.count + size(told).count).toBe(free.matches.count + size(free).count);
});

it("a line may say how many requests it stands for", async () => {
  write("tenth.ndjson", kept.map((line) => line.replace('"request"', '"one_in":10,"request"')).join(""));
  const [tenth, told] = await Promise.all([
    forecast("acme-spring", "--recording", "tenth.ndjson"),
    forecast("acme-spring", "--recording", "kept.ndjson", "--one-in", "10"),
  ]);
  expect({ ...tenth, recording: null }).toEqual({ ...told, recording: null });
});

it("what comes back without an attribute is what the campaign without it bids on", async () => {
  for (const name of ["channel", "devicetype"]) {
    const changed = JSON.parse(catalogText);
    changed.campaigns = changed.campaigns.filter(({ cid }: { cid: string }) => cid === "playco-install");
    delete changed.campaigns[0].target[name];
    write("changed.json", JSON.stringify(changed));
    const { catalogs } = await toldBy(folder, "replay", "kept.ndjson", "--catalog", "changed.json");
    const told = await forecast("playco-install", "--recording", "kept.ndjson", "--days", "1");
    const row = told.attributes.find(({ without }: { without: string }) => without === name);
    expect(told.matches.count + row.count).toBeCloseTo((catalogs[0].requests_with_bids * 86_400) / 30_000, 6);
  }
});

const CATALOGS = readdirSync(join(ROOT, "fixtures/catalogs")).filter((name) => name.endsWith(".json"));

it("each campaign of the fixtures is a valid catalog without each of its attributes", () => {
  let count = 0;
  for (const name of CATALOGS) {
    const document = JSON.parse(readFileSync(join(ROOT, "fixtures/catalogs", name), "utf8"));
    for (const { cid } of document.campaigns ?? []) {
      const { whole, base, any, without } = documentsFor(document, cid);
      for (const [what, one] of [["whole", whole], ["base", base], ["any", any], ...without] as const) {
        expect(() => compile(bytesOf(JSON.stringify(one)), compiler), `${name} ${cid} ${what}`).not.toThrow();
        count++;
      }
    }
  }
  expect(count).toBeGreaterThan(500);
});

it("an unknown campaign is refused with the nearest name, and no recording is needed for that", async () => {
  const [code, , stderr] = await edgebid("forecast", "acme-sprong", "--catalog", CATALOG, ...NOWHERE);
  expect([code, stderr]).toEqual([2, "edgebid: the catalog has no campaign acme-sprong; did you mean acme-spring?\n"]);
});

const from = (ssp: string) => kept.map((line) => line.replace('"ssp":"demo"', `"ssp":"${ssp}"`)).slice(0, 5);

it.each([
  ["empty.ndjson", "", "empty.ndjson has no request for this catalog: it is empty"],
  ["others.ndjson", from("other").join(""), "others.ndjson:1: the catalog has no SSP other; it has demo,"],
  ["broken.ndjson", "{\n\n{}\n", "broken.ndjson:3: "],
  [
    "cut.ndjson.gz",
    gzipSync(kept.join("")).subarray(0, 200_000),
    /cut.ndjson.gz breaks off after line \d+: unexpected end/,
  ],
  ["mixed.ndjson", kept.slice(0, 500).join("") + bodies[0], "mixed.ndjson:501: no time (at), unlike the lines before"],
  [
    "weights.ndjson",
    kept[0] + kept.slice(1, 20).join("").replace('"request"', '"one_in":3,"request"'),
    "weights.ndjson:2: one request in 3, unlike",
  ],
  ["short.ndjson", kept.slice(0, 20).join(""), "too short for intervals"],
])("%s ends with 1 and says where", async (name, text, expected) => {
  write(name, text);
  const [code, stdout, stderr] = await edgebid(
    ...["forecast", "acme-spring", "--recording", name, "--catalog", CATALOG, ...NOWHERE],
  );
  expect(stdout + stderr).toMatch(expected);
  expect(code).toBe(name === "mixed.ndjson" ? 0 : 1);
});

/** One campaign that bids on each of these requests, twice a day and person; a person is their `buyeruid`. */
function ofPeople(people: string[], caps: object[] = [{ n: 2, per: "day" }]): void {
  const [campaign] = catalog.campaigns;
  write("capped.json", JSON.stringify({ ...catalog, campaigns: [{ ...campaign, caps }] }));
  const request = JSON.parse(readFileSync(join(ROOT, "fixtures/bid/simple-banner.json"), "utf8"));
  const lines = people.map((buyeruid, n) => {
    const at = new Date(START + (n * 43_200_000) / people.length).toISOString();
    return JSON.stringify({ ssp: "demo", at, request: { ...request, id: `r${n}`, user: { buyeruid } } });
  });
  write("people.ndjson", lines.join("\n"));
}

it("frequency caps leave each person as many requests as they allow", async () => {
  // Person n comes n times, in turns.
  // Our ids have 22 characters of base64.
  const id = (n: number) => `person-${n}`.padEnd(22, "A");
  const people = Array.from({ length: 40 }, (_, n) => Array<string>(n).fill(id(n))).flat();
  ofPeople(people.sort((a, b) => (a + people.indexOf(a)).localeCompare(b)));
  const told = await forecast("acme-spring", "--catalog", "capped.json", "--recording", "people.ndjson");
  expect(told.matches.count).toBeCloseTo(2 * people.length, -1);
  // Half a day is projected to a day: 38 people come twice or more, one comes once.
  expect(told.capped.count / told.matches.count).toBeCloseTo((1 + 38 * 2) / people.length, 6);
  expect(told.people.known).toBe(1);
  expect(told.people.count).toBeGreaterThanOrEqual(39);
});

it("people: a part of their requests tells how many they are", () => {
  const random = new Random(4);
  const [all, part] = [new Map<string, { requests: number }>(), new Map<string, { requests: number }>()];
  const came = (people: typeof all, key: string) => {
    const person = people.get(key) ?? { requests: 0 };
    people.set(key, { requests: person.requests + 1 });
  };
  for (let person = 0; person < 4000; person++) {
    const key = random.hex(32);
    // Some come often, most rarely.
    for (let n = Math.floor(1 / (0.03 + unit(random))); n > 0; n--) {
      came(all, key);
      if (random.below(2) === 0) came(part, key);
    }
  }
  const { count, low, high } = peopleIn(part, 2);
  expect(Math.abs(count / all.size - 1)).toBeLessThan(0.05);
  expect([low, high].map(Number)).toEqual([expect.any(Number), expect.any(Number)]);
  expect(low).toBeLessThan(count);
  // A part of the recording is known exactly on average.
  expect(Math.abs(peopleIn(all, 0.5).count / part.size - 1)).toBeLessThan(0.02);
});

it("the share won follows the prices of the media type, then those of the SSP, then the win rate", () => {
  const prices = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  const known = [
    { ssp: "demo", media: "all", notices: 500, prices },
    { ssp: "demo", media: "video", notices: 500, prices: prices.map((price) => 10 * price) },
  ];
  const wins = [{ ssp: "south", of: "all" as const, bids: 200, wins: 50, cpm: 1 }];
  const market = { wins, prices: known, problem: null };
  expect(shareWon(market, "demo", "banner", 0.5)).toBeCloseTo(0.5);
  expect(shareWon(market, "demo", "banner", 0.05)).toBeCloseTo(0.05);
  expect(shareWon(market, "demo", "banner", 99)).toBeCloseTo(0.9);
  expect(shareWon(market, "demo", "video", 2.5)).toBeCloseTo(0.25);
  expect(shareWon(market, "south", "video", 2.5)).toBe(0.25);
  expect(shareWon(market, "east", "video", 2.5)).toBeNull();
});

it("spend is what the wins cost, and the budget bounds it", async () => {
  const wins = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenths) => tenths * 100_000);
  const spots = [
    { ssp: "south", place: "00000002", notices: 700, wins },
    { ssp: "south", place: "00000012", notices: 700 },
  ];
  const server = await served((request, response) => {
    const row = {
      campaign: "acme-spring",
      ssp: "demo",
      cur: "USD",
      bids: 400,
      wins: 100,
      billed: 100,
      spend_usd: "0.2",
    };
    const body = request.url?.startsWith("/shading")
      ? { frozen: false, places: spots }
      : { from: "", to: "", by: [], rows: [row] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const asked = async (budget: object) => {
    const [campaign] = catalog.campaigns;
    write("paid.json", JSON.stringify({ ...catalog, campaigns: [{ ...campaign, ...budget }] }));
    const url = ["--url", server.origin];
    return forecast("acme-spring", "--catalog", "paid.json", "--recording", "kept.ndjson", "--one-in", "100", ...url);
  };
  const free = await asked({});
  expect(free.market.wins).toEqual([{ ssp: "demo", of: "campaign", bids: 400, wins: 100, cpm: 2 }]);
  expect(free.market.prices).toEqual([
    { ssp: "south", media: "video", notices: 700, prices: wins.map((micros) => micros / 1e6) },
  ]);
  const [, shown] = await edgebid("forecast", "acme-spring", "--catalog", CATALOG, "--url", server.origin);
  expect(shown).toMatch(/south, video +0.10 +0.30 +0.50 +0.70 +0.90\n/);
  expect(free.spend.wins).toBeGreaterThan(free.bids.count / 4 - 1);
  expect(free.spend.expected).toBeCloseTo(free.spend.most / 4, 6);
  const { hash } = new URL(free.picture);
  const { days, matches, back } = reachIn(new URLSearchParams(hash.split("?")[1]).get("reach") ?? "") ?? {};
  expect([days, matches]).toEqual([1, Math.round(free.matches.count)]);
  expect(new Map(back).get("max_cpm")).toBe(
    Math.round(free.attributes.find(({ without }: { without: string }) => without === "max_cpm").count),
  );
  expect(free.spend).toMatchObject({ cur: "USD", budget: null, share: 1 });
  const bound = await asked({ budget: { daily: "5.00", total: 900_000_000 } });
  expect(bound.spend).toMatchObject({ budget: 5, bounded: 5, expected: free.spend.expected });
  expect(bound.spend.share).toBeCloseTo(5 / free.spend.expected, 6);
  await server.stop();
});

it("without a recording, it tells what the bidder knows, and without a bidder too, nothing", async () => {
  const [code, , stderr] = await edgebid("forecast", "acme-spring", "--catalog", CATALOG, ...NOWHERE);
  expect([code, stderr]).toEqual([3, expect.stringContaining("http://127.0.0.1:1: bad port; without a recording")]);
});
