//! `edgebid supply fetch` against a local server that plays ten publishers and an exchange: what it gets, asks again and
//! refuses; and from there to a bid.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Crawled, crawl, type Target } from "../../tools/supply/crawl.ts";
import { fetchSupply, hostsFor } from "../../tools/supply/fetch.ts";
import type { Get } from "../../tools/web/get.ts";
import { eachInFolder, edgebidIn } from "./edgebid.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const HOURS = 3_600_000;
const NOW = Date.parse("2026-11-28T12:00:00Z");
/** What each host answers, and the requests that it got. */
let hosts: Record<string, Handler> = {};
let asked: string[] = [];
/** What answers for the robots.txt of each host. */
let robots: Record<string, Handler> = {};
const server = createServer((request, response) => {
  const host = String(request.headers["x-host"]);
  const isRobots = request.url === "/robots.txt";
  if (!isRobots) asked.push(`${host}${request.url}`);
  const answer = (isRobots ? robots : hosts)[host];
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});

const folder = eachInFolder("fetch");
const edgebid = (...args: string[]) => edgebidIn(folder())(...args);
const read = (name: string) => readFileSync(join(folder(), name), "utf8");

beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => server.close());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
beforeEach(() => {
  [hosts, robots] = [{}, {}];
  asked = [];
});

/** All hosts are this server. */
function get(url: string, init: RequestInit): Promise<Response> {
  const { hostname, pathname } = new URL(url);
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${pathname}`, { ...init, headers: { ...init.headers, "x-host": hostname } });
}

const target = (host: string): Target => ({ host, path: "/ads.txt", file: `ads/${host}/ads.txt`, most: 8 << 20 });
const crawled = (now: number, ...names: string[]): Promise<Crawled> =>
  crawl(join(folder(), "to"), names.map(target), now, get, () => {});
const says =
  (text: string): Handler =>
  (_, response) =>
    response.end(text);
const NONE = { new: 0, unchanged: 0, missing: 0, failed: [] };

describe("a host", () => {
  test("is asked once a day, and then whether the file has changed", async () => {
    hosts["news.example"] = ({ headers }, response) => {
      if (headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end("exchange.example, pub-1, DIRECT");
    };
    expect(await crawled(NOW, "news.example")).toEqual({ ...NONE, new: 1 });
    expect(await crawled(NOW + 23 * HOURS, "news.example")).toEqual({ ...NONE, unchanged: 1 });
    expect(asked).toHaveLength(1);
    expect(await crawled(NOW + 25 * HOURS, "news.example")).toEqual({ ...NONE, unchanged: 1 });
    expect(asked).toHaveLength(2);
    expect(await crawled(NOW + 50 * HOURS, "news.example")).toEqual({ ...NONE, unchanged: 1 });
    expect(read("to/ads/news.example/ads.txt")).toBe("exchange.example, pub-1, DIRECT");
  });

  test("keeps its file through failures, and loses it by a 404", async () => {
    hosts["news.example"] = says("a.example, 1, DIRECT");
    await crawled(NOW, "news.example");
    for (const fail of [
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(503).end(),
      (request: IncomingMessage) => request.destroy(),
      (_: IncomingMessage, response: ServerResponse) => response.end("x".repeat(9 << 20)),
    ]) {
      hosts["news.example"] = fail;
      const result = await crawled(NOW + 48 * HOURS, "news.example");
      expect(result.failed).toEqual([{ host: "news.example", message: expect.any(String) }]);
      expect(read("to/ads/news.example/ads.txt")).toBe("a.example, 1, DIRECT");
    }
    delete hosts["news.example"];
    expect(await crawled(NOW + 48 * HOURS, "news.example")).toEqual({ ...NONE, missing: 1 });
    expect(existsSync(join(folder(), "to/ads/news.example/ads.txt"))).toBe(false);
    asked = [];
    expect(await crawled(NOW + 49 * HOURS, "news.example")).toEqual({ ...NONE, missing: 1 });
    expect(asked).toEqual([]);
  });

  test.each([
    ["https://www.news.example/ads.txt", true],
    ["/own/ads.txt", true],
    ["https://evil.example/ads.txt", false],
    ["https://news.example.evil.example/ads.txt", false],
    ["http://www.news.example/ads.txt", false],
    ["https://www.news.example:8443/ads.txt", false],
    ["file:///etc/passwd", false],
  ])("a redirect to %s", async (location, isFollowed) => {
    hosts["news.example"] = ({ url }, response) => {
      if (url === "/ads.txt") response.writeHead(301, { location }).end();
      else response.end("a.example, 1, DIRECT");
    };
    hosts["www.news.example"] = says("a.example, 1, DIRECT");
    const result = await crawled(NOW, "news.example");
    expect([result.new, result.failed.length]).toEqual(isFollowed ? [1, 0] : [0, 1]);
    expect(asked.filter((url) => url.includes("evil"))).toEqual([]);
  });

  test.each([
    ["", true],
    ["User-agent: *\nDisallow: /private", true],
    ["User-agent: *\nDisallow: /ads", false],
    ["User-agent: *\nDisallow: /\nAllow: /*.txt$", true],
    ["User-agent: *\nDisallow: /\n\nUser-agent: edgebid-supply\nDisallow:", true],
    ["User-agent: EdgeBid-Supply\nDisallow: /\n\nUser-agent: *\nAllow: /", false],
    ["<html>", true],
  ])("with the robots.txt %j", async (text, isAllowed) => {
    hosts["news.example"] = says("a.example, 1, DIRECT");
    await crawled(NOW, "news.example");
    [robots["news.example"], asked] = [says(text), []];
    const { failed } = await crawled(NOW + 25 * HOURS, "news.example");
    const forbidden = [{ host: "news.example", message: "robots.txt forbids /ads.txt" }];
    expect([failed, asked]).toEqual(isAllowed ? [[], ["news.example/ads.txt"]] : [forbidden, []]);
    expect(read("to/ads/news.example/ads.txt")).toBe("a.example, 1, DIRECT");
  });

  test.each<[string, Handler, boolean]>([
    ["is not there", (_, response) => response.writeHead(403).end(), true],
    ["fails", (_, response) => response.writeHead(500).end(), false],
    ["hangs up", (request) => request.destroy(), false],
    ["leads away", (_, response) => response.writeHead(302, { location: "https://evil.example/" }).end(), false],
    ["never ends", (_, response) => response.end("#".repeat(2 << 20)), false],
  ])("whose robots.txt %s", async (_, answer, isAllowed) => {
    [hosts["news.example"], robots["news.example"]] = [says("a.example, 1, DIRECT"), answer];
    const { failed } = await crawled(NOW, "news.example");
    expect([failed.length, asked.length]).toEqual(isAllowed ? [0, 1] : [1, 0]);
  });

  test("that sends the same file again has no new one", async () => {
    hosts["news.example"] = says("a.example, 1, DIRECT");
    expect(await crawled(NOW, "news.example")).toEqual({ ...NONE, new: 1 });
    expect(await crawled(NOW + 25 * HOURS, "news.example")).toEqual({ ...NONE, unchanged: 1 });
  });

  test("has longer for a long file, and not for the head of its answer", async () => {
    hosts["news.example"] = says("a.example, 1, DIRECT");
    const long = { ...target("news.example"), most: 500_000_000 };
    const timers = vi.spyOn(globalThis, "setTimeout");
    await crawl(join(folder(), "to"), [long], NOW, get, () => {});
    const seconds = timers.mock.calls.flatMap(([, ms = 0]) => (ms >= 15_000 ? Math.round(ms / 1000) : []));
    expect(seconds).toEqual([16, 15, 515, 15]);
    timers.mockRestore();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const silent: Get = (_, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        vi.advanceTimersByTime(15_000);
      });
    const { failed } = await crawl(join(folder(), "other"), [long], NOW, silent, () => {});
    expect(failed).toEqual([{ host: "news.example", message: "robots.txt: no answer within 15000 ms" }]);
  });

  test("whose addresses all refuse has a reason", async () => {
    const cause = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
    const refused = async () => Promise.reject(new TypeError("fetch failed", { cause }));
    const { failed } = await crawl(join(folder(), "to"), [target("news.example")], NOW, refused, () => {});
    expect(failed).toEqual([{ host: "news.example", message: "robots.txt: ECONNREFUSED" }]);
  });

  test("that redirects for ever fails", async () => {
    hosts["news.example"] = (_, response) => response.writeHead(302, { location: "/ads.txt" }).end();
    expect((await crawled(NOW, "news.example")).failed[0]?.message).toContain("redirects");
    expect(asked).toHaveLength(6);
  });
});

test("those of --domains are asked first, then those with the most requests, and not too many", async () => {
  const domains = ["once.example", "a.often.example", "a.often.example"];
  const requests = [...domains, "localhost"].map((domain) => ({ imp: [], site: { domain } }));
  const kept = { one_in: 3, request: { imp: [], site: { domain: "kept.example" } } };
  const lines = [...requests, kept].map((line) => JSON.stringify(line));
  writeFileSync(join(folder(), "requests.ndjson"), lines.join("\n"));
  writeFileSync(join(folder(), "listed"), "listed.example localhost");
  writeFileSync(join(folder(), "catalog.json"), "{}");
  const inFolder = (name: string) => join(folder(), name);
  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const tried: string[] = [];
  const noted: Get = (url, init) => {
    tried.push(new URL(url).hostname);
    return get(url, init);
  };
  const options = { to: inFolder("to"), system: ["exchange.example"], domains: inFolder("listed") };
  await fetchSupply([inFolder("requests.ndjson")], { ...options, catalog: inFolder("catalog.json") }, noted);
  const sites = ["listed.example", "kept.example", "a.often.example", "often.example", "once.example"];
  expect(tried.slice(0, 6)).toEqual([...sites, "exchange.example"]);
  // Both name it.
  expect(printed.mock.calls.join()).toContain("  no public domain, so left out: 1 name, such as localhost\n");
  const many = Array.from({ length: 100_001 }, (_, n) => `n${n}.example`);
  expect(hostsFor(many)).toEqual({ sites: many.slice(0, 100_000), left: 1 });
});

test("fetch, compile, refuse, authorise, bid", async () => {
  const sites = Array.from({ length: 10 }, (_, n) => `site${n}.example`);
  // Even sites name the exchange's account of theirs, and the last one only after a day.
  for (const [n, site] of sites.entries()) {
    hosts[site] = says(n % 2 ? "other.example, x, DIRECT" : `exchange.example, pub-${n}, DIRECT`);
  }
  const sellers = sites.map((_, n) => ({ seller_id: `pub-${n}`, seller_type: "PUBLISHER" }));
  hosts["exchange.example"] = says(JSON.stringify({ sellers }));
  mkdirSync(join(folder(), "my"));
  await edgebid("init", "my/first.json", "--yes");
  renameSync(join(folder(), "my/request.json"), join(folder(), "request.json"));
  const document = JSON.parse(read("my/first.json"));
  document.ssps[0].domain = "exchange.example";
  document.campaigns[0].target.supply = { authorised: "require" };
  writeFileSync(join(folder(), "my/first.json"), JSON.stringify(document));
  const base = JSON.parse(read("request.json"));
  const requests = sites.map((domain, n) => ({ ...base, site: { domain, publisher: { id: `pub-${n}` } } }));
  const local = { ...base, site: { domain: "localhost" } };
  const recording = join(folder(), "requests.ndjson");
  writeFileSync(recording, [...requests, local].map((request) => JSON.stringify(request)).join("\n"));

  const options = { to: join(folder(), "to"), catalog: join(folder(), "my"), system: [], json: true };
  const bidders = async () => {
    await fetchSupply([recording], options, get);
    expect((await edgebid("supply", "compile", "to", "--catalog", "my"))[0]).toBe(0);
    const bids: string[] = [];
    for (const request of requests) {
      writeFileSync(join(folder(), "asked.json"), JSON.stringify(request));
      const [, told] = await edgebid("explain", "asked.json", "--catalog", "my");
      if (told.includes("bid (")) bids.push(request.site.domain);
    }
    return bids;
  };
  expect(await bidders()).toEqual(sites.filter((_, n) => n % 2 === 0));
  expect(asked).toHaveLength(11);

  // The publisher adds the line. The file is asked for again after a day.
  hosts["site9.example"] = says("exchange.example, pub-9, RESELLER");
  const state = JSON.parse(read("to/fetched.json"));
  for (const known of Object.values<{ at: number }>(state)) known.at -= 25 * HOURS;
  writeFileSync(join(folder(), "to/fetched.json"), JSON.stringify(state));
  expect(await bidders()).toContain("site9.example");
});
