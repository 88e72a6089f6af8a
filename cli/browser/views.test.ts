//! The inspector's views of the catalog, of money and of versions in a real browser, with data.

import { describe, expect, it } from "vitest";
import { CANNED, canned } from "./canned.ts";
import { accept, findings, open, page, settled } from "./inspector.ts";
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
const search = (words: string) => page.getByLabel("Search all words").fill(words);
/** The parts of a picture. */
const drawn = (name: RegExp, part: string) => page.getByRole("img", { name }).locator(part);
const rows = (table: string) => page.getByRole("region", { name: table }).locator("tbody tr").allInnerTexts();

describe("catalog", () => {
  it("tells each campaign in sentences, and finds campaigns by any words of the document", async () => {
    await open(started.bidder, "catalog");
    expect(await campaigns().count()).toBe(EXAMPLE.campaigns.length);
    await page.getByText("acme-spring", { exact: true }).click();
    await campaigns().first().getByText("In a first-price auction it bids 0.981278 USD").waitFor();
    await search("DEU caps");
    await page.getByText("1 of 9 campaigns").waitFor();
    expect(await campaigns().innerText()).toContain("velo-europe");
    expect(await campaigns().innerText()).toContain("At most 3 times a day by a person.");
    await search("no campaign says this");
    await page.getByText("No campaign has all these words").waitFor();
  });

  it("shows an earlier version", async () => {
    await open(started.bidder, "catalog");
    expect(await campaigns().first().innerText()).toContain("shading");
    await page.getByLabel("Version").selectOption(started.versions[0] ?? "");
    await settled();
    expect(await campaigns().first().innerText()).not.toContain("shading");
    expect(await campaigns().count()).toBe(EXAMPLE.campaigns.length);
  });

  it("shows the reach that a forecast has put into the address, and keeps it there", async () => {
    await open(started.bidder, "catalog?campaign=acme-spring&reach=7.3978.size-610.max_cpm-354");
    expect(await main()).toContain("3,978 requests match in 7 days.");
    const picture = page.getByRole("img", { name: /^Requests that match/ });
    expect(await picture.locator(".name").allInnerTexts()).toEqual(["all attributes", "size", "max_cpm"]);
    const widths = await picture.locator(".out").evaluateAll((all) => all.map((one) => one.style.width));
    expect(widths).toEqual(
      [`${(610 / 4588) * 100}`, `${(354 / 4588) * 100}`].map((width) => `${Math.floor(Number(width) * 100) / 100}%`),
    );
    expect(page.url()).toContain("reach=7.3978.size-610.max_cpm-354");
    expect(await findings()).toEqual([]);
    await open(started.bidder, "catalog?campaign=acme-spring&reach=<b>");
    expect(await main()).toContain("The address has no forecast that can be read.");
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

  it("keeps the search in the address, and leads from a campaign to its link and to what it bought", async () => {
    await open(started.bidder, "catalog");
    await search("acme");
    await page.getByText("3 of 9 campaigns").waitFor();
    expect(page.url()).toContain("#catalog?words=acme");
    await open(started.bidder, "catalog?words=acme");
    expect(await campaigns().count()).toBe(3);
    await page.getByText("acme-spring", { exact: true }).click();
    await page.getByRole("link", { name: "Link to it" }).click();
    await page.getByText("1 of 9 campaigns").waitFor();
    expect(page.url()).toContain("#catalog?campaign=acme-spring");
    await page.getByRole("link", { name: "What it bought" }).click();
    await page.getByRole("heading", { name: "Money of acme-spring" }).waitFor();
  });
});

describe("money", () => {
  it("shows what was spent today, in all and by campaign, and who won", async () => {
    await open(started.bidder, "money");
    const figures = await page.getByLabel("In all").innerText();
    expect(figures).toMatch(/spent\s+0\.01 USD/);
    expect(await page.getByLabel("In all").getByTitle("0.0054 USD").count()).toBe(1);
    expect(figures).toMatch(/billed\s+6\s+of 10 bids/);
    expect(figures).toMatch(/win rate\s+60\.00 %/);
    const spent = (await rows("Spend by campaign")).map((row) => row.replace(/\s+/g, " "));
    expect(spent).toEqual(["acme-spring 0.01 USD 0.01 0.90 10 6 6 60.00 % 60.00 %"]);
    const [rate] = await rows("By SSP");
    expect(rate).toMatch(/demo\s+10\s+6\s+60\.00 %\s+6\s+60\.00 %\s+0\.01\s+USD\s+0\.01\s+0\.90\s+outbid 2/);
    expect((await rows("Budgets"))[0]).toMatch(/velo-europe\s+no counts yet/);
    await page.getByRole("link", { name: "acme-spring" }).click();
    await page.getByRole("heading", { name: "Money of acme-spring" }).waitFor();
    await settled();
    expect(await rows("By SSP and creative")).toEqual([expect.stringMatching(/^demo\s+acme-300x250\s+10\s/)]);
    expect(await main()).toContain("It does not have the prices that were bid");
    await page.getByRole("link", { name: "All campaigns" }).click();
    await page.getByRole("region", { name: "Spend by campaign" }).waitFor();
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

  it("shows amounts with the digits of their currency, days as bars, and budgets in trouble first", async () => {
    await canned();
    await open(started.bidder, CANNED);
    expect(await drawn(/^Spend by day/, "div").count()).toBe(20);
    const heights = (all: Element[]) => all.map((one) => one.getBoundingClientRect().height);
    const bars = await drawn(/^Spend by day/, ".first").evaluateAll(heights);
    // 3 and 60 dollars of at most 430.
    expect([bars[0], bars.at(-1)].map((height) => Math.round(height ?? 0))).toEqual([1, 22]);
    const [order = "", shoes = ""] = await rows("Budgets");
    expect(shoes).toMatch(/^shoes-autumn\s+on plan\s+48 %\s+96\.40\s+200\.00\s+100\.00\s+199\.20/);
    expect(shoes).toMatch(/3\.00 %\s+1,840\s/);
    expect(order).toMatch(/^order io-1: a, b\s+the total budget is spent\s+100 %/);
    expect(await page.getByTitle("50.0018 USD").first().innerText()).toBe("50.00");
    await page.getByRole("link", { name: "acme-spring" }).click();
    await settled();
    expect(await drawn(/^40 points/, "span").count()).toBe(40);
  });

  it("judges a split, if there was one", async () => {
    await open(started.bidder, "money");
    expect(await main()).not.toContain("Which version of the split is better?");
    await canned();
    await open(started.bidder, CANNED);
    await page.getByText("The versions as a table").click();
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
