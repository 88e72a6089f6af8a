//! User sync in a real browser, which stores, sends, partitions and deletes the cookies. The bidder and the sites run
//! in workerd on this machine, over TLS, each with its own host name.

import type { Cookie, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type RunningScript, startScript } from "../workerd.ts";
import { type Chromium, startChromium } from "./chromium.ts";

const DAY = 86_400;

let sites: RunningScript;
let bidder: RunningScript;
let chromium: Chromium;
let page: Page;

beforeAll(async () => {
  chromium = await startChromium({ partitionedOnly: false });
  sites = await startScript(new URL("sites.ts", import.meta.url), {}, { secure: true });
  const catalog = {
    format: 1,
    ssps: [{ id: "hosting", sync_url: `${at(sites, "exchange.example")}/match?id={buyeruid}` }, { id: "bringing" }],
    creatives: [],
    campaigns: [],
  };
  const kv = { CATALOG: { catalog: new TextEncoder().encode(JSON.stringify(catalog)) } };
  bidder = await startScript(new URL("../../worker/src/index.ts", import.meta.url), kv, { secure: true });
  await vi.waitFor(() => bidder.fetch("/healthz"), { timeout: 20_000 });
});

afterAll(async () => {
  await Promise.all([chromium?.stop(), sites?.stop(), bidder?.stop()]);
});

beforeEach(async () => {
  await chromium.context.clearCookies();
  page = await chromium.context.newPage();
});

afterEach(() => page.close());

/** The origin of a script with this host name. */
function at(script: RunningScript, name: string): string {
  return `https://${name}:${new URL(script.secureOrigin ?? "").port}`;
}

/** Visits a site whose page loads a path of the bidder. Returns the ids that the exchange got. */
async function visit(site: string, path: string): Promise<string[]> {
  const ids: string[] = [];
  page.on("requestfinished", (request) => {
    const { hostname, searchParams } = new URL(request.url());
    if (hostname === "exchange.example") ids.push(searchParams.get("id") ?? "");
  });
  const load = `${at(bidder, "bidder.example")}${path}`;
  await page.goto(`${at(sites, site)}/page?load=${encodeURIComponent(load)}`, { waitUntil: "networkidle" });
  page.removeAllListeners("requestfinished");
  return ids;
}

/** The bidder's cookies in the browser, by name and site. */
async function kept(): Promise<Record<string, Cookie>> {
  const cookies = (await page.context().cookies()).filter(({ domain }) => domain === "bidder.example");
  return Object.fromEntries(
    cookies.map((cookie) => [`${cookie.name} on ${cookie.partitionKey ?? "all sites"}`, cookie]),
  );
}

it("a sync sends our id to the exchange, and the next visit sends the same id", async () => {
  const [first] = await visit("news.example", "/sync/hosting");
  expect(first).toMatch(/^[\w-]{22}$/);
  const cookies = await kept();
  expect(Object.keys(cookies)).toEqual(["__Host-edgebid on https://news.example"]);
  const [cookie] = Object.values(cookies);
  expect(cookie).toMatchObject({ path: "/", secure: true, httpOnly: true, sameSite: "None" });
  expect(cookie?.value.startsWith(`${first}:`)).toBe(true);
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / DAY;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90);
  expect(await visit("news.example", "/sync/hosting")).toEqual([first]);
});

it("an exchange's id is stored next to ours, and the page shows an image", async () => {
  const [own] = await visit("news.example", "/sync/hosting");
  expect(await visit("news.example", "/sync/bringing?uid=abc%2F1")).toEqual([]);
  expect(await page.evaluate(() => document.images[0]?.naturalWidth)).toBe(1);
  const cookie = (await kept())["__Host-edgebid on https://news.example"];
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
  await page.goto(`${at(bidder, "bidder.example")}/optout`);
  expect(await page.textContent("body")).toContain("opted out");
  expect(Object.keys(await kept())).toEqual(
    expect.arrayContaining([
      "__Host-edgebid on https://news.example",
      "__Host-edgebid on https://games.example",
      "__Host-edgebid-optout on all sites",
    ]),
  );
  expect(await visit("news.example", "/sync/hosting")).toEqual([]);
  expect(await visit("games.example", "/sync/bringing?uid=abc")).toEqual([]);
  expect(await visit("shop.example", "/sync/hosting")).toEqual([]);
  expect(Object.keys(await kept()).filter((name) => !name.startsWith("__Host-edgebid-optout"))).toEqual([]);
});

it("an opt-out that a site loads deletes the site's ids at once", async () => {
  await visit("news.example", "/sync/bringing?uid=abc");
  await visit("news.example", "/optout");
  expect(Object.keys(await kept()).sort()).toEqual([
    "__Host-edgebid-optout on all sites",
    "__Host-edgebid-optout on https://news.example",
  ]);
  expect(await visit("news.example", "/sync/hosting")).toEqual([]);
});

it("if only partitioned cookies are allowed, an opt-out holds for the site that loads it", async () => {
  const { context, stop } = await startChromium({ partitionedOnly: true });
  try {
    page = await context.newPage();
    await visit("news.example", "/sync/hosting");
    await visit("games.example", "/sync/hosting");
    await visit("news.example", "/optout");
    expect(Object.keys(await kept()).sort()).toEqual([
      "__Host-edgebid on https://games.example",
      "__Host-edgebid-optout on https://news.example",
    ]);
    expect(await visit("news.example", "/sync/hosting")).toEqual([]);
    expect(await visit("games.example", "/sync/hosting")).toHaveLength(1);
  } finally {
    await stop();
  }
});

it("not even scripts of our own pages can read the cookie", async () => {
  await page.goto(`${at(bidder, "bidder.example")}/sync/bringing?uid=abc`);
  expect(Object.keys(await kept())).toEqual(["__Host-edgebid on https://bidder.example"]);
  expect(await page.evaluate(() => document.cookie)).toBe("");
});
