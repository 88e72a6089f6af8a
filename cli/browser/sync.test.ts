//! User sync in a real browser, which stores, sends, partitions and deletes the cookies. The bidder runs in workerd on
//! this machine, over TLS; the sites are answered by the test.

import type { Cookie, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { now } from "../../worker/test/support/clock.ts";
import { type RunningScript, startScript } from "../workerd.ts";
import { type Chromium, startChromium } from "./chromium.ts";

const DAY = 86_400;
/** Names of cookies, with the site that they are kept for. */
const ID_ON = { news: "__Host-edgebid on https://news.example", games: "__Host-edgebid on https://games.example" };
const OPT_OUT = "__Host-edgebid-optout";

let bidder: RunningScript;
let chromium: Chromium;
let page: Page;
let origin: string;

beforeAll(async () => {
  chromium = await startChromium({ partitionedOnly: false });
  const catalog = {
    format: 1,
    ssps: [{ id: "hosting", sync_url: "https://exchange.example/match?id={buyeruid}" }, { id: "bringing" }],
    creatives: [],
    campaigns: [],
  };
  const kv = { CATALOG: { catalog: new TextEncoder().encode(JSON.stringify(catalog)) } };
  bidder = await startScript(new URL("../../worker/src/index.ts", import.meta.url), kv, { secure: true });
  origin = `https://bidder.example:${new URL(bidder.secureOrigin ?? "").port}`;
  await vi.waitFor(() => bidder.fetch("/healthz"), { timeout: 20_000 });
});

afterAll(async () => {
  await Promise.all([chromium?.stop(), bidder?.stop()]);
});

beforeEach(async () => {
  await chromium.context.clearCookies();
  page = await chromium.context.newPage();
});

afterEach(() => page.close());

/** Visits a site whose page loads a path of the bidder as an image. Returns the ids that the exchange is sent. */
async function visit(site: string, path: string): Promise<string[]> {
  const ids: string[] = [];
  page.on("request", (request) => {
    const { hostname, searchParams } = new URL(request.url());
    if (hostname === "exchange.example") ids.push(searchParams.get("id") ?? "");
  });
  const body = `<!doctype html><title>a site</title><img src="${origin}${path.replaceAll("&", "&amp;")}">`;
  await page.route(`https://${site}/`, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(`https://${site}/`, { waitUntil: "networkidle" });
  page.removeAllListeners("request");
  return ids;
}

/** The bidder's cookies in the browser, by name and site. */
async function kept(): Promise<Record<string, Cookie>> {
  const cookies = (await page.context().cookies()).filter(({ domain }) => domain === "bidder.example");
  return Object.fromEntries(
    cookies.map((cookie) => [`${cookie.name} on ${cookie.partitionKey ?? "all sites"}`, cookie]),
  );
}

/** The names of the cookies, with the sites that they are kept for. */
const names = async () => Object.keys(await kept()).sort();

it("a sync sends our id to the exchange, and the next visit sends the same id", async () => {
  const [first] = await visit("news.example", "/sync/hosting");
  expect(first).toMatch(/^[\w-]{22}$/);
  const cookies = await kept();
  expect(Object.keys(cookies)).toEqual([ID_ON.news]);
  const [cookie] = Object.values(cookies);
  expect(cookie).toMatchObject({ path: "/", secure: true, httpOnly: true, sameSite: "None" });
  expect(cookie?.value.startsWith(`${first}:`)).toBe(true);
  const days = ((cookie?.expires ?? 0) - now() / 1000) / DAY;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90);
  expect(await visit("news.example", "/sync/hosting")).toEqual([first]);
});

it("an exchange's id is stored next to ours, and the page shows an image", async () => {
  const [own] = await visit("news.example", "/sync/hosting");
  expect(await visit("news.example", "/sync/bringing?uid=abc%2F1")).toEqual([]);
  expect(await page.evaluate(() => document.images[0]?.naturalWidth)).toBe(1);
  const cookie = (await kept())[ID_ON.news];
  expect(cookie?.value).toMatch(new RegExp(`^${own}:[0-9a-z]{6}\\|bringing:abc%2F1:[0-9a-z]{6}$`));
});

it("the same person has another id on another site", async () => {
  const [here] = await visit("news.example", "/sync/hosting");
  const [there] = await visit("games.example", "/sync/hosting");
  expect(there).toMatch(/^[\w-]{22}$/);
  expect(there).not.toBe(here);
  expect(await visit("news.example", "/sync/hosting")).toEqual([here]);
});

it("without consent, no id is sent or stored", async () => {
  expect(await visit("news.example", "/sync/hosting?gdpr=1&gdpr_consent=")).toEqual([]);
  expect(await visit("news.example", "/sync/bringing?uid=abc&us_privacy=1YYN")).toEqual([]);
  expect(await kept()).toEqual({});
});

it("an opt-out ends syncs on all sites, and the next call on a site deletes its ids", async () => {
  expect(await visit("news.example", "/sync/hosting")).toHaveLength(1);
  expect(await visit("games.example", "/sync/hosting")).toHaveLength(1);
  await page.goto(`${origin}/optout`);
  expect(await page.textContent("body")).toContain("opted out");
  expect(await names()).toEqual(expect.arrayContaining([ID_ON.games, ID_ON.news, `${OPT_OUT} on all sites`]));
  expect(await visit("news.example", "/sync/hosting")).toEqual([]);
  expect(await visit("games.example", "/sync/bringing?uid=abc")).toEqual([]);
  expect(await visit("shop.example", "/sync/hosting")).toEqual([]);
  expect((await names()).filter((name) => !name.startsWith(OPT_OUT))).toEqual([]);
});

it("an opt-out that a site loads deletes the site's ids at once", async () => {
  await visit("news.example", "/sync/bringing?uid=abc");
  await visit("news.example", "/optout");
  expect(await names()).toEqual([`${OPT_OUT} on all sites`, `${OPT_OUT} on https://news.example`]);
  expect(await visit("news.example", "/sync/hosting")).toEqual([]);
});

it("if only partitioned cookies are allowed, an opt-out holds for the site that loads it", async () => {
  const { context, stop } = await startChromium({ partitionedOnly: true });
  try {
    page = await context.newPage();
    await visit("news.example", "/sync/hosting");
    await visit("games.example", "/sync/hosting");
    await visit("news.example", "/optout");
    expect(await names()).toEqual([ID_ON.games, `${OPT_OUT} on https://news.example`]);
    expect(await visit("news.example", "/sync/hosting")).toEqual([]);
    expect(await visit("games.example", "/sync/hosting")).toHaveLength(1);
  } finally {
    await stop();
  }
});

it("not even scripts of our own pages can read the cookie", async () => {
  await page.goto(`${origin}/sync/bringing?uid=abc`);
  expect(await names()).toEqual(["__Host-edgebid on https://bidder.example"]);
  expect(await page.evaluate(() => document.cookie)).toBe("");
});
