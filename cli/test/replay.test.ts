//! Replay: it decides as the bidder does on each request alone; it finds exactly the requests that a change of a
//! campaign touches, by the answers of a bidder for each; and it reads wild files without failing.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Campaign, type Document, generate } from "../../bench/catalogs/generate.ts";
import { mix } from "../../bench/requests/mix.ts";
import { decimal, nanosOf } from "../../shared/report/decimal.ts";
import { generate as traffic } from "../../tools/traffic/generate.ts";
import { ReplayedCatalog } from "../replay/catalog.ts";
import { inputsOf } from "../replay/inputs.ts";
import { replayed } from "../replay/replay.ts";
import type { Result } from "../replay/result.ts";
import { MAX_LINE_BYTES, type Settings } from "../replay/run.ts";
import { bidderOf, bidsIn, catalogText, nanosOf as priceOf, requestText, snapshotOf } from "./bidder.ts";
import { folderFor } from "./edgebid.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const SETTINGS: Settings = { ssp: "demo", now: NOW, started: 0, examples: 1e6 };
const EXAMPLE = JSON.parse(catalogText);

/** The mix, one request per line as in a file. */
const requests = mix().map((text) => text.replaceAll("\n", " "));

/** A request on which the example catalog bids. */
const good = JSON.stringify(JSON.parse(requestText));

const folder = folderFor("replay");
let files = 0;

function replayedCatalog(document: object, name = "catalog"): ReplayedCatalog {
  return new ReplayedCatalog({ name, version: "0000000000000000", snapshot: snapshotOf(document) });
}

/** A new file in the folder. */
function file(contents: string | Uint8Array, end = ".ndjson"): string {
  const path = join(folder, `${files++}${end}`);
  writeFileSync(path, contents);
  return path;
}

function replay(path: string, catalogs: object[], settings: Partial<Settings> = {}): Promise<Result> {
  const named = catalogs.map((document, at) => replayedCatalog(document, `catalog ${at}`));
  return replayed(named, inputsOf([path]), { ...SETTINGS, ...settings });
}

describe.each([
  ["the example", EXAMPLE],
  ["1,000 campaigns", generate(1000)],
])("replay of the mix: %s", (_, document) => {
  it("decides as the bidder does on each request alone", async () => {
    const bidder = bidderOf(document);
    const ssp = bidder.ssp("demo") ?? -1;
    const counts: Record<string, number> = {};
    const campaigns: Record<string, { bids: number; spend: string }> = {};
    let imps = 0;
    for (const request of requests) {
      const { count, body } = bidder.decide({ body: new TextEncoder().encode(request), ssp, now: NOW, seed: [7, 7] });
      counts[count] = (counts[count] ?? 0) + 1;
      if (count !== "bad-request") imps += JSON.parse(request).imp?.length ?? 0;
      if (JSON.parse(request).test === 1) continue;
      if (body === null) continue;
      const answer = new TextDecoder().decode(body);
      for (const bid of bidsIn(answer)) {
        const name = `${bid.cid} ${JSON.parse(answer).cur}`;
        const { bids, spend } = campaigns[name] ?? { bids: 0, spend: "0" };
        campaigns[name] = { bids: bids + 1, spend: decimal((nanosOf(spend) ?? 0n) + priceOf(bid)) };
      }
    }
    const result = await replay(file(requests.join("\n")), [document]);
    const [found] = result.catalogs;
    const { bid, "bad-request": bad = 0, ...noBids } = counts;
    expect(found?.requests_with_bids).toBe(bid);
    expect(bid).toBeGreaterThan(100);
    expect(found?.no_bids).toEqual(noBids);
    expect(result.bad.count).toBe(bad);
    expect(result.requests).toBe(requests.length);
    expect(result.imps).toBe(imps);
    const rows = found?.campaigns.map(({ cid, cur, bids, spend }) => [`${cid} ${cur}`, { bids, spend }]);
    expect(Object.fromEntries(rows ?? [])).toEqual(campaigns);
  });
});

/** The response without the ids of bids, which have seeds of their own. */
function content(body: Uint8Array | null): string | undefined {
  return body ? new TextDecoder().decode(body).replace(/"(id|bidid)":"[0-9a-f]{18}"/g, "") : undefined;
}

describe("a changed campaign shows exactly the requests that it touches", () => {
  const document = generate(100);
  const lines = [...requests, ...take(traffic(8, { catalog: document as never, quirks: false }), 300)];

  /** The locations of the requests to which a bidder gives other answers. */
  function touched(changed: Document): number[] {
    const bidders = [document, changed].map((one) => bidderOf(one));
    return lines.flatMap((line, at) => {
      const [a, b] = bidders.map((bidder) => {
        const { body } = bidder.decide({
          body: new TextEncoder().encode(line),
          ssp: bidder.ssp("demo") ?? -1,
          now: NOW,
          seed: [7, 7],
        });
        return content(body);
      });
      return a === b ? [] : [at + 1];
    });
  }

  const crids = document.creatives.map(({ crid }) => crid);
  const changes: [name: string, change: (campaign: Campaign) => Campaign | null][] = [
    ["removed", () => null],
    ["pays twice as much", (campaign) => ({ ...campaign, max_cpm: (2 * Number(campaign.max_cpm)).toFixed(2) })],
    ["another country", (campaign) => ({ ...campaign, target: { country: { include: ["ISL"] } } })],
    ["another creative", (campaign) => ({ ...campaign, creatives: crids.slice(0, 3) })],
    ["only under a deal", (campaign) => ({ ...campaign, open: false, deals: ["deal-0001", "deal-0002"] })],
  ];

  it.each(changes)("%s", async (_, change) => {
    const path = file(lines.join("\n"));
    const winners = (await replay(path, [document])).catalogs[0]?.campaigns ?? [];
    let found = 0;
    for (const cid of [winners[2]?.cid, winners[8]?.cid]) {
      const campaigns = document.campaigns.flatMap((campaign) =>
        campaign.cid === cid ? (change(campaign) ?? []) : campaign,
      );
      const changed = { ...document, campaigns };
      const { differences } = await replay(path, [document, changed]);
      const examples = differences?.examples.filter(({ kind }) => kind !== "reason") ?? [];
      const shown = [...new Set(examples.map(({ line }) => line))].sort((a, b) => a - b);
      expect(shown, cid).toEqual(touched(changed));
      expect(differences?.requests).toBe(shown.length);
      found += shown.length;
    }
    expect(found).toBeGreaterThan(5);
  });
});

describe("what differs, and why", () => {
  const campaigns = (change: (campaign: Campaign) => Campaign | null) => ({
    ...EXAMPLE,
    campaigns: EXAMPLE.campaigns.flatMap((campaign: Campaign) =>
      campaign.cid === "acme-spring" ? (change(campaign) ?? []) : campaign,
    ),
  });

  it.each<[string, (campaign: Campaign) => Campaign | null, object]>([
    ["paused", (campaign) => ({ ...campaign, paused: true }), { kind: "lost", why: "paused" }],
    ["removed", () => null, { kind: "lost", why: "not in the catalog" }],
    ["cheaper", (campaign) => ({ ...campaign, max_cpm: "1.70" }), { kind: "price", why: undefined }],
  ])("%s", async (_, change, expected) => {
    const { differences } = await replay(file(`${good}\n`), [EXAMPLE, campaigns(change)]);
    const [example] = differences?.examples ?? [];
    expect({ kind: example?.kind, why: example?.b.why?.reason }).toEqual(expected);
    const at = "2026-11-18T12:00:00.000Z";
    expect(example).toMatchObject({ line: 1, request: JSON.parse(good).id, ssp: "demo", at });
    expect(differences?.campaigns[0]?.cid).toBe("acme-spring");
  });

  it("the same catalog twice shows nothing, and the same bytes each time", async () => {
    const path = file(requests.join("\n"));
    const first = await replay(path, [EXAMPLE, EXAMPLE]);
    expect(first.differences).toEqual({ requests: 0, kinds: {}, campaigns: [], examples: [] });
    expect(JSON.stringify(await replay(path, [EXAMPLE, EXAMPLE]))).toBe(JSON.stringify(first));
  });
});

describe("wild inputs", () => {
  it("bad lines are counted and told, with their locations", async () => {
    const long = `{"id":"${"x".repeat(MAX_LINE_BYTES)}"}`;
    const kept = ['{"ssp":5,"request":{}}', '{"at":"soon","request":{}}'];
    const path = file(["", good, "{not json", "  ", long, "[]", ...kept, good].join("\r\n"));
    const result = await replay(path, [EXAMPLE]);
    expect(result.requests).toBe(7);
    expect(result.bad.count).toBe(5);
    expect(result.bad.first.map(({ line }) => line)).toEqual([3, 5, 6, 7, 8]);
    expect(result.bad.first.map(({ why }) => why)[1]).toBe("longer than 1 MiB");
    expect(result.bad.first.every(({ why }) => why.length > 0)).toBe(true);
  });

  it("gzip that breaks off is told, and what came before counts", async () => {
    const whole = gzipSync(`${good}\n`.repeat(4000));
    const result = await replay(file(whole.subarray(0, whole.byteLength - 20), ".ndjson.gz"), [EXAMPLE]);
    expect(result.problems).toHaveLength(1);
    expect(result.requests).toBeGreaterThan(100);
    expect(result.requests).toBeLessThanOrEqual(4000);
    expect(result.bad.count).toBe(0);
    expect((await replay(file(whole, ".gz"), [EXAMPLE])).requests).toBe(4000);
    expect((await replay(file(Buffer.from("\x1f\x8bno gzip at all", "latin1"), ".gz"), [EXAMPLE])).requests).toBe(0);
  });

  it("a folder has requests over several lines, and files of lines", async () => {
    const path = join(folder, "many");
    mkdirSync(path);
    const files = { "a.json": JSON.stringify(JSON.parse(good), null, 2), "b.ndjson": `${good}\n${good}\n` };
    const more = { "c.json": `${good}\n${good}`, "d.jsonl.gz": gzipSync(good), "notes.txt": "not a request" };
    for (const [name, text] of Object.entries({ ...files, ...more })) writeFileSync(join(path, name), text);
    const result = await replay(path, [EXAMPLE]);
    expect([result.requests, result.bad.count]).toEqual([6, 0]);
  });

  it("requests that tail has kept have their own SSP and time", async () => {
    const start = "2026-11-18T13:00Z";
    const hours = { ...EXAMPLE, campaigns: EXAMPLE.campaigns.map((one: Campaign) => ({ ...one, start })) };
    const kept = (ssp: string, at: string) => `{"ssp":"${ssp}", "at":"${at}", "request": ${good} }`;
    const [early, late] = ["2026-11-18T12:59:59Z", "2026-11-18T13:00:00Z"];
    const path = file([kept("demo", early), kept("demo", late), kept("nobody", late)].join("\n"));
    const { ssp: _, now: __, ...settings } = SETTINGS;
    const run = (more: Partial<Settings>) =>
      replayed([replayedCatalog(hours)], inputsOf([path]), { ...settings, ...more });
    const own = await run({});
    expect(own.own_times).toBe(3);
    expect(own.catalogs[0]?.requests_with_bids).toBe(1);
    expect(own.catalogs[0]?.no_bids).toEqual({ flight: 1, "unknown-ssp": 1 });
    expect((await run({ now: Date.parse("2026-11-18T14:00Z") })).catalogs[0]?.requests_with_bids).toBe(2);
    expect((await run({ ssp: "demo" })).catalogs[0]?.requests_with_bids).toBe(2);
    await expect(run({ ssp: "nobody" })).rejects.toThrow("has no SSP nobody; it has demo");
  });

  it("budgets are assumed open and caps not reached, and the result says so", async () => {
    const limits = { budget: { daily: "5" }, caps: [{ n: 1, per: "day" }], cap_on: "bill" };
    const limited = { ...EXAMPLE, campaigns: EXAMPLE.campaigns.map((one: Campaign) => ({ ...one, ...limits })) };
    const path = file(requests.join("\n"));
    const [free, held] = [await replay(path, [EXAMPLE]), await replay(path, [limited])];
    expect(held.assumed).toHaveLength(2);
    expect(free.assumed).toEqual([]);
    expect(held.catalogs[0]?.requests_with_bids).toBe(free.catalogs[0]?.requests_with_bids);
    expect(held.catalogs[0]?.spend).toEqual(free.catalogs[0]?.spend);
  });
});

function take(texts: Generator<string>, count: number): string[] {
  return Array.from({ length: count }, () => texts.next().value);
}
