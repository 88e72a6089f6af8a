//! The inspector with 1,000 campaigns and 60 days, at three widths, light and dark: no page is longer than ten screens, and
//! axe finds nothing. `npm run pictures` also writes pictures: all of them into `dist/pictures`, and those of the
//! documents.

import { mkdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { generate } from "../../bench/catalogs/generate.ts";
import { canned } from "./canned.ts";
import { findings, open, overflow, page } from "./inspector.ts";
import { bidderWith } from "./pushed.ts";

/** The height of a window in pixels. */
const SCREEN = 900;
const MOST_SCREENS = 10;
const PICTURES = process.env["PICTURES"];

const catalog = generate(1000);
const cids = catalog.campaigns.map(({ cid }) => cid);
const changed = catalog.campaigns.slice(0, 100).map((one) => ({ ...one, max_cpm: "0.77" }));
const last = { ...catalog, campaigns: [...changed, ...catalog.campaigns.slice(100, 990)] };
const started = bidderWith([{ document: last }, { document: catalog, note: "ten more campaigns, other prices" }]);

const DAYS = "from=2026-09-22&to=2026-11-20";
const VIEWS = {
  request: "request",
  catalog: "catalog",
  money: `money?${DAYS}`,
  campaign: `money?${DAYS}&campaign=${cids[0]}`,
  versions: "versions",
  live: "live",
};

it.each(
  Object.entries(VIEWS).flatMap(([name, hash]) => (["light", "dark"] as const).map((theme) => ({ name, hash, theme }))),
)("$name, $theme", async ({ name, hash, theme }) => {
  await page.emulateMedia({ colorScheme: theme });
  await canned(cids);
  for (const width of [1400, 768, 390]) {
    await page.setViewportSize({ width, height: SCREEN });
    await open(started.bidder, hash);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height, `at ${width} pixels`).toBeLessThanOrEqual(MOST_SCREENS * SCREEN);
    expect(await overflow(), `at ${width} pixels`).toBeLessThanOrEqual(0);
    expect(await findings(), `at ${width} pixels`).toEqual([]);
    if (!PICTURES) continue;
    console.info(`${name}, ${theme}, ${width} pixels wide: ${height} high, ${(height / SCREEN).toFixed(1)} screens`);
    mkdirSync("dist/pictures", { recursive: true });
    await page.screenshot({ path: `dist/pictures/${name}-${theme}-${width}.png`, fullPage: true });
  }
});

it("finds each of a thousand campaigns by its words, and turns pages", async () => {
  await open(started.bidder, "catalog");
  const count = () => page.locator(".campaign").count();
  await page.getByText("1–25 of 1,000 campaigns").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("26–50 of 1,000 campaigns").waitFor();
  expect(await count()).toBe(25);
  await page.getByLabel("Search all words").fill(`"${cids.at(-1)}"`);
  await page.getByText("1 of 1,000 campaigns").waitFor();
  expect(await page.locator(".campaign").innerText()).toContain(cids.at(-1));
});

it("a table sorts, filters, and saves what is seen, with exact amounts; its sums are of what is seen", async () => {
  await canned(cids);
  await open(started.bidder, VIEWS.money);
  const budgets = page.locator(".table", { has: page.getByRole("region", { name: "Budgets" }) });
  const [body, foot] = [budgets.locator("tbody tr"), budgets.locator("tfoot tr")];
  await budgets.getByRole("button", { name: "Spent", exact: true }).click();
  expect(await budgets.getByRole("columnheader", { name: "Spent ↓" }).getAttribute("aria-sort")).toBe("descending");
  expect(await body.first().getByTitle("200.123456789 JPY").innerText()).toBe("200");
  await budgets.getByLabel("Filter rows").fill("c99 plan needs");
  expect(await budgets.getByRole("status").innerText()).toBe("Rows: 2 of 1,002");
  expect(await foot.allInnerTexts()).toEqual([
    expect.stringMatching(/^Total.*145\.12.*EUR/s),
    expect.stringMatching(/^Total.*117\.12.*USD/s),
  ]);
  const saving = page.waitForEvent("download");
  await budgets.getByRole("button", { name: "CSV" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("Budgets.csv");
  const lines = readFileSync(await saved.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(lines.map((line) => line.split(",").slice(0, 4).join(","))).toEqual([
    "\ufeffBudget,State,Used,Spent",
    "c997,its requests are fewer than the plan needs,72,145.123456789",
    "c993,its requests are fewer than the plan needs,58,117.123456789",
  ]);
});
