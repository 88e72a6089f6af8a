//! The inspector's views of the catalog, of money and of versions in a real browser: with data, in both themes, narrow and
//! wide, with the checks of axe, and with hostile texts in every place of the catalog.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RunningScript } from "../workerd.ts";
import { bad, findings, type Outside, overflow, page, startOutside } from "./inspector.ts";
import { sell, startPushed } from "./pushed.ts";

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const EXAMPLE = read("fixtures/catalog.json");
const REQUEST = read("fixtures/bid/simple-banner.json");
const VIEWS = ["catalog", "money", "versions"];

/** The second push: shading for the campaign that bids on the request, and a budget and caps for another one. */
function changed({ campaigns, ...rest }: typeof EXAMPLE): object {
  const more: Record<string, object> = {
    "acme-spring": { shading: { typical: "1.20", steepness: 2 } },
    "velo-europe": { budget: { daily: "50.00" }, caps: [{ n: 3, per: "day" }] },
  };
  return { ...rest, campaigns: campaigns.map((own: { cid: string }) => ({ ...own, ...more[own.cid] })) };
}

/** Days with two currencies, as `GET /report` writes them. */
function manyDays(by: string) {
  const row = (day: number, campaign: string, cur: string, usd: string) => ({
    ...{ day: `2026-11-${`${day}`.padStart(2, "0")}`, campaign, cur },
    ...{ ssp: "demo", bids: 12_000, wins: 1210, billed: 1200 },
    ...{ losses: { 102: 9000, 100: 4 }, assumed: 0, spend: "2.160000001", spend_usd: usd, win_rate: "0.1008" },
    ...{ price: `1.${day + 10}00`, refused: { "price-missing": 3 } },
  });
  const days = by.includes("day") ? Array.from({ length: 20 }, (_, n) => n + 1) : [20];
  const rows = days.flatMap((day) => [
    row(day, "acme-spring", "USD", `${day}.5`),
    row(day, "velo-europe", "EUR", "9.25"),
  ]);
  return { from: "2026-11-01", to: "2026-11-20", by: by.split(","), rows };
}

const BUDGETS = {
  campaigns: [
    {
      ...{ cid: "shoes-autumn", cur: "EUR", day: "2026-11-21", pacing: "even", daily: "200", total: "5000" },
      ...{ spent: "96.4", spent_total: "1296.4", exposed: "1.25", left: "102.35", share: "0.03", requests: 1840 },
      ...{ forecast: "199.2", why: "on plan" },
    },
    {
      ...{ order: "io-1", members: ["a", "b"], cur: "USD", day: "2026-11-21", pacing: "asap", total: "50" },
      ...{ spent: "0", spent_total: "50.0018", exposed: "0", left: "0", share: "0", requests: 7, forecast: "0" },
      why: "the total budget is spent",
    },
  ],
};

let bidder: RunningScript;
let versions: string[];

beforeAll(async () => {
  ({ bidder, versions } = await startPushed([
    { document: EXAMPLE, note: "the first catalog" },
    { document: changed(EXAMPLE), note: "a budget for Velo" },
  ]));
  expect(await sell(bidder, REQUEST, "bbbbl-bbl-")).toBe(10);
  await counted(bidder, 10);
}, 90_000);

afterAll(() => bidder?.stop());

/** Waits until the report has so many bids. */
async function counted(own: RunningScript, bids: number): Promise<void> {
  const told = async () => expect(await (await own.fetch("/report?by=campaign")).text()).toContain(`"bids":${bids}`);
  await vi.waitFor(told, { timeout: 30_000, interval: 500 });
}

/** Opens a view and waits until everything is answered. */
async function open(view: string, from = bidder): Promise<void> {
  await page.goto(`${from.origin}/inspect#${view}`);
  await settled();
}

async function settled(): Promise<void> {
  await page.waitForSelector("main h1");
  await page.waitForFunction(() => document.querySelector("[aria-busy]") === null);
}

describe("catalog", () => {
  it("tells each campaign in sentences, and finds campaigns by any word of them", async () => {
    await open("catalog");
    expect(await page.locator(".campaign").count()).toBe(EXAMPLE.campaigns.length);
    await page.getByText("acme-spring", { exact: true }).click();
    const spring = page.locator(".campaign").first();
    await spring.getByText("In a first-price auction it bids 0.981278 USD").waitFor();
    await page.getByLabel("Search ids, names").fill("DEU frequency");
    await page.getByText("1 of 9 campaigns").waitFor();
    expect(await page.locator(".campaign").innerText()).toContain("velo-europe");
    expect(await page.locator(".campaign").innerText()).toContain("At most 3 times a day by a person.");
    await page.getByLabel("Search ids, names").fill("no campaign says this");
    await page.getByText("No campaign says that.").waitFor();
  });

  it("shows an earlier version", async () => {
    await open("catalog");
    expect(await page.locator(".campaign").first().innerText()).toContain("shading");
    await page.getByLabel("Version").selectOption(versions[0] ?? "");
    await page.waitForFunction(() => !document.querySelector(".campaign")?.textContent?.includes("shading"));
    await settled();
    expect(await page.locator(".campaign").count()).toBe(EXAMPLE.campaigns.length);
  });

  it("marks what an operator has stopped", async () => {
    await page.route("**/inspect/api/versions", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), stopped: { cids: ["oldshop"] } } });
    });
    await open("catalog");
    expect(await page.locator(".campaign:has(.chip.bad)").allInnerTexts()).toEqual([
      expect.stringContaining("oldshop"),
    ]);
    await open("versions");
    await page.getByText("Stopped: oldshop").waitFor();
    await page.getByText("npx edgebid resume oldshop --local").waitFor();
  });

  it.each([
    ["acme-spring", "acme-300x250", "Load its outside images"],
    ["nova-launch", "nova-15s", "0:00 / 0:15"],
    ["nova-launch", "nova-30s", "A wrapper"],
    ["tune-radio", "tune-30s", "♪ audio"],
    ["orbit-native", "orbit-native", "Sleep better by Sunday"],
  ])("of the campaign %s, the creative %s is shown as what it is", async (cid, crid, shown) => {
    await open("catalog");
    await page.getByLabel("Search ids, names").fill(cid);
    await page.getByText(`1 of 9 campaigns`).waitFor();
    await page.locator(".creative-part").getByText(crid, { exact: true }).click();
    await page.locator(".creative-part").getByText(shown).first().waitFor();
  });

  it("a catalog that is too long for one answer is searched by the Worker", async () => {
    const asked: string[] = [];
    await page.route("**/inspect/api/catalog*", async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("cid") ?? "");
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), all: 5000, more: 991 } });
    });
    await open("catalog");
    await page.getByText("991 more are not shown").waitFor();
    await page.getByLabel("Search ids, names").fill("acme");
    await page.waitForFunction(() => document.querySelectorAll(".campaign").length === 3);
    expect(asked).toEqual(["", "acme"]);
  });
});

describe("money", () => {
  it("shows what was spent today, in all and by campaign, and who won", async () => {
    await open("money");
    const figures = await page.getByLabel("In all").innerText();
    expect(figures).toMatch(/spent\s+0\.0054 USD/);
    expect(figures).toMatch(/billed\s+6\s+of 10 bids/);
    expect(figures).toMatch(/win rate\s+60\.00 %/);
    const row = page.getByRole("region", { name: "Spend by campaign" }).locator("tbody tr");
    expect((await row.innerText()).split(/\s+/)).toEqual([
      "acme-spring",
      "0.0054",
      "USD",
      "0.9000",
      "10",
      "6",
      "6",
      "60.00",
      "%",
      "60.00",
      "%",
    ]);
    const rates = await page.getByRole("region", { name: "Bids and wins by campaign and SSP" }).innerText();
    expect(rates).toMatch(/acme-spring\s+demo\s+10\s+6\s+60\.00 %\s+60\.00 %\s+0\.9000 USD\s+outbid 2/);
    const main = await page.locator("main").innerText();
    expect(main).toContain("It does not have the prices that were bid");
    expect(main).toContain("At most 3 times a day by a person.");
    expect(main).toMatch(/velo-europe\s+no counts yet/);
  });

  it("asks for the days that a person chooses, and keeps them in the address", async () => {
    const asked = new Set<string>();
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/report") asked.add(`${searchParams.get("from")} ${searchParams.get("to")}`);
    });
    await open("money?from=2026-11-02&to=2026-11-03");
    expect([...asked]).toEqual(["2026-11-02 2026-11-03"]);
    expect(await page.locator("main").innerText()).toContain("Nothing was bid or billed: 2026-11-02 to 2026-11-03");
    asked.clear();
    await page.getByRole("button", { name: "7 days" }).click();
    await settled();
    expect(asked.size).toBe(1);
    const [from = "", to = ""] = [...asked][0]?.split(" ") ?? [];
    expect(Date.parse(to) - Date.parse(from)).toBe(6 * 86_400_000);
    expect(page.url()).toContain(`#money?from=${from}&to=${to}`);
    expect(await page.getByRole("button", { name: "7 days" }).getAttribute("aria-pressed")).toBe("true");
    const marks = page.getByRole("img", { name: /^Spend by day/ }).locator("g");
    expect(await marks.count()).toBe(7);
  });

  it("shows amounts to the last place, days as bars, and each budget with what holds it back", async () => {
    await canned();
    await open("money?from=2026-11-01&to=2026-11-20");
    const days = page.getByRole("img", { name: /^Spend by day/ });
    expect(await days.locator("g").count()).toBe(20);
    const bars = await days.locator("rect.first").evaluateAll((all) => all.map((one) => one.getAttribute("height")));
    const heights = [bars[0], bars.at(-1)].map(Number);
    // 1.5 and 20.5 dollars of at most 29.75.
    expect(heights.map(Math.round)).toEqual([8, 110]);
    expect(await page.locator("main").innerText()).toContain("2.160000001 USD");
    const [shoes = "", order = ""] = await page.locator(".budget").allInnerTexts();
    expect(shoes).toMatch(/shoes-autumn\s+on plan/);
    expect(shoes).toContain("96.4 EUR of 200 EUR on 2026-11-21");
    expect(shoes).toContain("3.00 % of 1,840 requests a second");
    expect(order).toMatch(/order\s+io-1\s+the total budget is spent/);
    expect(order).toContain("50.0018 USD of 50 USD");
    const marks = page.getByRole("img", { name: /^20 points/ }).locator("circle");
    expect(await marks.count()).toBe(20);
  });

  it("says so if the ledger cannot answer, and asks again", async () => {
    await page.route("**/report?*", (route) =>
      route.fulfill({ status: 503, json: { error: "the ledger cannot answer now; try again" } }),
    );
    await open("money");
    expect(await page.getByRole("alert").first().innerText()).toBe("the ledger cannot answer now; try again");
    await page.unroute("**/report?*");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByLabel("In all").waitFor();
    await settled();
    expect(bad.splice(0).every((text) => text.includes("503"))).toBe(true);
  });
});

/** Answers reports and budgets with many rows. */
async function canned(): Promise<void> {
  await page.route("**/report?*", (route) =>
    route.fulfill({ json: manyDays(new URL(route.request().url()).searchParams.get("by") ?? "") }),
  );
  await page.route("**/budget", (route) => route.fulfill({ json: BUDGETS }));
}

describe("versions", () => {
  it("lists the versions with their roles, and what the last push has changed", async () => {
    await open("versions");
    const rows = await page.getByRole("region", { name: "Versions in KV" }).locator("tbody tr").allInnerTexts();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(new RegExp(`^${versions[1]}\\s+served\\s+2026-11-21 12:01 UTC[^]*a budget for Velo`));
    expect(rows[1]).toMatch(new RegExp(`^${versions[0]}\\s+previous[^]*the first catalog`));
    expect(await page.locator(".changes").innerText()).toContain('budget: now {"daily":"50.00"}, was not set');
    await page.getByLabel("Old version").selectOption(versions[1] ?? "");
    await page.getByText("Nothing: both versions say the same.").waitFor();
  });

  it("quotes the commands, copies them, and asks for nothing but looks", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.method()));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open("versions");
    await page.getByRole("button", { name: "Copy: Serve an earlier version again." }).click();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`npx edgebid catalog rollback ${versions[0]} --local`);
    expect(await page.locator(".commands").innerText()).toContain("npx edgebid stop --all --local");
    expect(new Set(asked)).toEqual(new Set(["GET"]));
  });
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  it.each(VIEWS)("axe finds nothing serious in %s, and the page is as wide as the window", async (view) => {
    await page.emulateMedia({ colorScheme });
    if (view === "money") await canned();
    for (const width of [400, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await open(view === "money" ? "money?from=2026-11-01&to=2026-11-20" : view);
      if (view === "catalog") {
        await page.locator(".campaign > summary").first().click();
        await page.locator(".creative-part > summary").first().click();
      }
      if (view === "money") await page.getByText("The days as a table").click();
      expect(await findings()).toEqual([]);
      expect(await overflow()).toBe(0);
      await page.reload();
    }
  });
});

describe("hostile texts", () => {
  let outside: Outside;
  let hostile: RunningScript;
  const evil = (n: string) => `"><img src=x onerror="alert('${n}')"><script>alert('${n}')</script>\u202e${n}`;

  beforeAll(async () => {
    outside = await startOutside();
    const adm = `<img src="${outside.origin}/pixel" onerror="alert(1)"><script src="${outside.origin}/s.js"></script>
      <script>alert(2); parent.postMessage("x", "*"); top.location = "${outside.origin}/top"</script>
      <meta http-equiv="refresh" content="0; url=${outside.origin}/refresh">
      <form action="${outside.origin}/form"><input autofocus onfocus="this.form.submit()"></form>
      <iframe src="${outside.origin}/frame"></iframe><a href="javascript:alert(3)" target="_top">x</a>`;
    const crid = evil("crid");
    const campaign = {
      ...{ cid: evil("cid"), name: evil("name"), seat: evil("seat"), adomain: ["evil.example"], max_cpm: "9.00" },
      ...{ creatives: [crid], target: { domain: { include: ["news.example"] } } },
    };
    const document = {
      ...{ format: 1, privacy: { bid_unregistered: false } },
      ssps: [{ id: "demo" }, { id: "other", seat: evil("ssp") }],
      creatives: [
        { crid, banner: { w: 300, h: 250, adm } },
        {
          crid: "native",
          native: { title: evil("title"), link: "https://evil.example/", data: [{ type: 2, value: evil("data") }] },
        },
      ],
      campaigns: [campaign, { ...campaign, cid: "native", creatives: ["native"] }],
    };
    const next = { ...document, campaigns: [{ ...campaign, name: evil("next"), max_cpm: "9.10" }] };
    ({ bidder: hostile } = await startPushed([
      { document: next, note: evil("note") },
      { document, note: evil("second") },
    ]));
    await sell(hostile, REQUEST, "bl");
    await counted(hostile, 2);
  }, 90_000);

  afterAll(async () => {
    outside?.stop();
    await hostile?.stop();
  });

  it.each(VIEWS)("run nothing in %s, and load nothing", async (view) => {
    await open(view, hostile);
    if (view === "catalog") {
      for (const summary of await page.locator(".campaign > summary").all()) await summary.click();
      for (const summary of await page.locator(".creative-part > summary").all()) await summary.click();
      await page.locator("iframe").first().waitFor();
      await page.waitForTimeout(500);
    }
    const main = await page.locator("main").innerText();
    expect(main).toContain("<img src=x onerror=");
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(page.url()).toContain(`/inspect#${view}`);
    expect(outside.asked).toEqual([]);
    // The browser says what the policy and the sandbox of the creative's frame have refused.
    const refused = /^console: .*(violates the following Content Security Policy|frame is sandboxed)/;
    expect(bad.splice(0).filter((text) => !refused.test(text))).toEqual([]);
  });
});
