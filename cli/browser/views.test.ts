//! The inspector's views of the catalog, of money and of versions in a real browser, with data.

import { describe, expect, it } from "vitest";
import { CANNED, canned } from "./canned.ts";
import { accept, open, page, settled } from "./inspector.ts";
import { bidderWith, CHANGED, EXAMPLE } from "./pushed.ts";

const started = bidderWith(
  [
    { document: EXAMPLE, note: "the first catalog" },
    { document: CHANGED, note: "a budget for Velo" },
  ],
  "bbbbl-bbl-",
);

const main = () => page.locator("main").innerText();
const campaigns = () => page.locator(".campaign");
const search = (words: string) => page.getByLabel("Search ids, names").fill(words);
/** The parts of a picture. */
const drawn = (name: RegExp, part: string) => page.getByRole("img", { name }).locator(part);
const rows = (table: string) => page.getByRole("region", { name: table }).locator("tbody tr").allInnerTexts();

describe("catalog", () => {
  it("tells each campaign in sentences, and finds campaigns by any word of them", async () => {
    await open(started.bidder, "catalog");
    expect(await campaigns().count()).toBe(EXAMPLE.campaigns.length);
    await page.getByText("acme-spring", { exact: true }).click();
    await campaigns().first().getByText("In a first-price auction it bids 0.981278 USD").waitFor();
    await search("DEU frequency");
    await page.getByText("1 of 9 campaigns").waitFor();
    expect(await campaigns().innerText()).toContain("velo-europe");
    expect(await campaigns().innerText()).toContain("At most 3 times a day by a person.");
    await search("no campaign says this");
    await page.getByText("No campaign says that.").waitFor();
  });

  it("shows an earlier version", async () => {
    await open(started.bidder, "catalog");
    expect(await campaigns().first().innerText()).toContain("shading");
    await page.getByLabel("Version").selectOption(started.versions[0] ?? "");
    await settled();
    expect(await campaigns().first().innerText()).not.toContain("shading");
    expect(await campaigns().count()).toBe(EXAMPLE.campaigns.length);
  });

  it("marks what an operator has stopped", async () => {
    await page.route("**/inspect/api/versions", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), stopped: { cids: ["oldshop"] } } });
    });
    await open(started.bidder, "catalog");
    const stopped = await page.locator(".campaign:has(.chip.bad)").allInnerTexts();
    expect(stopped).toEqual([expect.stringContaining("oldshop")]);
    await open(started.bidder, "versions");
    expect(await main()).toContain("Stopped: oldshop");
    expect(await main()).toContain("npx edgebid resume oldshop --local");
  });

  it.each([
    ["acme-spring", "acme-300x250", "Load its outside images"],
    ["nova-launch", "nova-15s", "0:00 / 0:15"],
    ["nova-launch", "nova-30s", "A wrapper"],
    ["tune-radio", "tune-30s", "♪ audio"],
    ["orbit-native", "orbit-native", "Sleep better by Sunday"],
  ])("of the campaign %s, the creative %s is shown as what it is", async (cid, crid, shown) => {
    await open(started.bidder, "catalog");
    await search(cid);
    await page.getByText("1 of 9 campaigns").waitFor();
    const creative = page.locator(".creative-part");
    await creative.getByText(crid, { exact: true }).click();
    await creative.getByText(shown).first().waitFor();
  });

  it("a catalog that is too long for one answer is searched by the Worker", async () => {
    const asked: string[] = [];
    await page.route("**/inspect/api/catalog*", async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("words") ?? "");
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), all: 5000, more: 991 } });
    });
    await open(started.bidder, "catalog");
    expect(await main()).toContain("991 more are not shown");
    await search("acme");
    await page.waitForFunction(() => document.querySelectorAll(".campaign").length === 3);
    expect(asked).toEqual(["", "acme"]);
  });
});

describe("money", () => {
  it("shows what was spent today, in all and by campaign, and who won", async () => {
    await open(started.bidder, "money");
    const figures = await page.getByLabel("In all").innerText();
    expect(figures).toMatch(/spent\s+0\.0054 USD/);
    expect(figures).toMatch(/billed\s+6\s+of 10 bids/);
    expect(figures).toMatch(/win rate\s+60\.00 %/);
    const spent = (await rows("Spend by campaign")).map((row) => row.replace(/\s+/g, " "));
    expect(spent).toEqual([expect.stringMatching(/^acme-spring 0\.0054 USD 0\.9000 10 6 6 60\.00 % 60\.00 %$/)]);
    const [rate] = await rows("Bids and wins by campaign and SSP");
    expect(rate).toMatch(/acme-spring\s+demo\s+10\s+6\s+60\.00 %\s+60\.00 %\s+0\.9000 USD\s+outbid 2/);
    expect(await main()).toContain("It does not have the prices that were bid");
    expect(await main()).toContain("At most 3 times a day by a person.");
    expect(await main()).toMatch(/velo-europe\s+no counts yet/);
  });

  it("asks for the days that a person chooses, and keeps them in the address", async () => {
    const asked = new Set<string>();
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/report") asked.add(`${searchParams.get("from")} ${searchParams.get("to")}`);
    });
    await open(started.bidder, "money?from=2026-11-02&to=2026-11-03");
    expect([...asked]).toEqual(["2026-11-02 2026-11-03"]);
    expect(await main()).toContain("Nothing was bid or billed: 2026-11-02 to 2026-11-03");
    asked.clear();
    await page.getByRole("button", { name: "7 days" }).click();
    await settled();
    expect(asked.size).toBe(1);
    const [from = "", to = ""] = [...asked][0]?.split(" ") ?? [];
    expect(Date.parse(to) - Date.parse(from)).toBe(6 * 86_400_000);
    expect(page.url()).toContain(`#money?from=${from}&to=${to}`);
    expect(await page.getByRole("button", { name: "7 days" }).getAttribute("aria-pressed")).toBe("true");
    expect(await drawn(/^Spend by day/, "div").count()).toBe(7);
  });

  it("shows amounts to the last place, days as bars, and each budget with what holds it back", async () => {
    await canned();
    await open(started.bidder, CANNED);
    expect(await drawn(/^Spend by day/, "div").count()).toBe(20);
    const heights = (all: Element[]) => all.map((one) => one.getBoundingClientRect().height);
    const bars = await drawn(/^Spend by day/, ".first").evaluateAll(heights);
    // 1.5 and 20.5 dollars of at most 29.75.
    expect([bars[0], bars.at(-1)].map((height) => Math.round(height ?? 0))).toEqual([8, 110]);
    expect(await main()).toContain("2.160000001 USD");
    const [shoes = "", order = ""] = await page.locator(".budget").allInnerTexts();
    expect(shoes).toMatch(/shoes-autumn\s+on plan/);
    expect(shoes).toContain("96.4 EUR of 200 EUR on 2026-11-21");
    expect(shoes).toContain("3.00 % of 1,840 requests a second");
    expect(order).toMatch(/order\s+io-1\s+the total budget is spent/);
    expect(order).toContain("50.0018 USD of 50 USD");
    expect(await drawn(/^20 points/, "span").count()).toBe(20);
  });

  it("judges a split, if there was one", async () => {
    await open(started.bidder, "money");
    expect(await main()).not.toContain("Which version of the split is better?");
    await canned();
    await open(started.bidder, CANNED);
    const [first, second] = await rows("Bids and wins by version");
    expect([first, second]).toEqual([
      expect.stringMatching(/^first\s+12,000/),
      expect.stringMatching(/^second\s+12,000/),
    ]);
    expect(await main()).toMatch(/win rate: \+2\d\.\d % in the second version \(95 % interval \+2/);
  });

  it("says so if the ledger cannot answer, and asks again", async () => {
    const error = "the ledger cannot answer now; try again";
    await page.route("**/report?*", (route) => route.fulfill({ status: 503, json: { error } }));
    await open(started.bidder, "money");
    expect(await page.getByRole("alert").first().innerText()).toBe(error);
    await page.unroute("**/report?*");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByLabel("In all").waitFor();
    await settled();
    accept(/503/);
  });
});

describe("versions", () => {
  it("lists the versions with their roles, and what the last push has changed", async () => {
    await open(started.bidder, "versions");
    const [served, previous, ...others] = await rows("Versions in KV");
    expect(served).toMatch(
      new RegExp(`^${started.versions[1]}\\s+served\\s+2026-11-21 12:01 UTC[^]*a budget for Velo`),
    );
    expect(previous).toMatch(new RegExp(`^${started.versions[0]}\\s+previous[^]*the first catalog`));
    expect(others).toEqual([]);
    expect(await page.locator(".changes").innerText()).toContain('budget: now {"daily":"50.00"}, was not set');
    const plan = await page.getByRole("list", { name: "The plan of the push" }).innerText();
    expect(plan).toContain("budget of velo-europe: none → daily 50 EUR");
    await page.getByLabel("Old version").selectOption(started.versions[1] ?? "");
    await page.getByText("Nothing: both versions say the same.").waitFor();
  });

  it("quotes the commands, copies them, and asks for nothing but looks", async () => {
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(request.method()));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(started.bidder, "versions");
    await page.getByRole("button", { name: "Copy: Serve an earlier version again." }).click();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`npx edgebid catalog rollback ${started.versions[0]} --local`);
    expect(await page.locator(".commands").innerText()).toContain("npx edgebid stop --all --local");
    expect(asked).toEqual(new Set(["GET"]));
  });
});
