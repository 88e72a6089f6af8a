//! The inspector in a real browser: every kind of decision, both themes, narrow and wide, with the keyboard's and the
//! screen reader's needs checked by axe.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunningScript } from "../workerd.ts";
import { bad, findings, overflow, page, startInspector } from "./inspector.ts";
import { startPushed } from "./pushed.ts";

const EXAMPLE = readFileSync(new URL("../../fixtures/catalog.json", import.meta.url), "utf8");
const VIEWS = ["request", "catalog", "money", "versions", "live"];
const WIDTHS = [400, 820, 1600];

let bidder: RunningScript;
/** The version before the one that is served. There, acme-spring pays less. */
let earlier: string;

beforeAll(async () => {
  const cheaper = JSON.parse(EXAMPLE.replace('"max_cpm": "1.80"', '"max_cpm": "1.50"'));
  const pushed = await startPushed([{ document: cheaper }, { document: JSON.parse(EXAMPLE) }]);
  bidder = pushed.bidder;
  earlier = pushed.versions[0] ?? "";
});

afterAll(() => bidder?.stop());

/** Opens the page and waits for the first decision. */
async function open(hash = "", from = bidder): Promise<void> {
  await page.goto(`${from.origin}/inspect${hash}`);
  await decided();
}

/** Waits until the page has asked and shown the answer. */
async function decided(): Promise<void> {
  await page.waitForSelector('.result[aria-busy="false"]:has(h2)');
}

/** Picks a fixture by its name, as a person does. */
async function pick(name: string): Promise<void> {
  const search = page.getByLabel("Search names and rules");
  if (!(await search.isVisible())) await page.getByText("Pick a fixture").click();
  await search.fill(name);
  await page.locator(".fixtures .name").getByText(name, { exact: true }).click();
  await page.waitForFunction((text) => document.querySelector(".asked")?.textContent?.includes(text), `${name}.`);
  await decided();
}

const outcome = () => page.locator(".outcome").innerText();
const requestText = () => page.getByLabel("Request, OpenRTB JSON");

it("/ leads to the page, which decides on an example at once", async () => {
  await page.goto(bidder.origin);
  await decided();
  expect(page.url()).toContain("/inspect#request?");
  expect(await outcome()).toContain("acme-spring bids 1.8 USD");
});

it("a banner is shown at its size, with places for its pictures", async () => {
  await open();
  await pick("simple banner");
  const frame = page.locator("iframe.creative");
  expect(await frame.boundingBox()).toMatchObject({ width: 302, height: 252 });
  const creative = page.frameLocator("iframe.creative").frameLocator("iframe");
  await creative.getByText("acme 300×250").waitFor();
});

it("a video has a player whose trackers light up as its clock passes them", async () => {
  await open();
  await pick("video");
  const answer = page.locator(".answer");
  expect(await answer.innerText()).toContain("0:00 / 0:15");
  expect(await page.locator(".trackers .reached").count()).toBe(0);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".trackers .reached").first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Second of the ad").fill("15");
  expect(await answer.innerText()).toContain("0:15 / 0:15");
});

it.each([
  ["audio", "bid", "♪ audio"],
  ["native", "bid", "Sleep better by Sunday"],
  ["private deal", "bid", "deal AB-Agency1-0001"],
  ["floor a micro above price", "no-bid", "The exchange gets no bid"],
])("the fixture %s is a %s, and its answer shows %s", async (name, kind, text) => {
  await open();
  await pick(name);
  expect(await outcome()).toMatch(kind === "bid" ? /^Bid/ : /^No bid/);
  expect(await page.locator(".answer").innerText()).toContain(text);
});

it("a raised floor takes the bid away, and the page says so", async () => {
  await open();
  await page.getByLabel("Floor (bidfloor)").fill("99");
  await page.getByText("No bid", { exact: true }).waitFor();
  expect(await outcome()).toMatch(/acme-spring came furthest, and failed at floor/);
  expect(await requestText().inputValue()).toContain('"bidfloor": 99,');
  await page.getByLabel("Floor (bidfloor)").fill("");
  await page.locator(".outcome.good").waitFor();
  expect(await requestText().inputValue()).not.toContain("bidfloor");
});

it("an edit of the text changes the form and the decision, and a mistake is told", async () => {
  await open();
  const text = await requestText().inputValue();
  await requestText().fill(text.replace('"w": 300', '"w": 728').replace('"h": 250', '"h": 90'));
  await page.getByText("acme-728x90").first().waitFor();
  expect(await page.getByLabel("Width").inputValue()).toBe("728");
  await requestText().fill("{");
  // The answer is a 400, which the browser writes to its console.
  await page.getByText("There is no decision").waitFor();
  expect(bad.splice(0)).toEqual([expect.stringContaining("400")]);
});

it("a check of the funnel chooses its campaigns, and a campaign marks the path in question", async () => {
  await open();
  const check = page.getByRole("button", { name: "publisher −1 → 5" });
  await check.focus();
  await page.keyboard.press("Enter");
  const rows = page.locator(".campaigns tbody tr");
  expect(await rows.count()).toBe(1);
  await rows.getByRole("button", { name: "oldshop" }).click();
  expect(await page.locator(".text mark").allTextContents()).toEqual(['"id": "pub-1"']);
  expect(await page.locator(".marks").innerText()).toBe("Marked: site.publisher.id");
  await page.getByLabel("tmax").fill("121");
  await decided();
  expect(await rows.count(), "the choice stays with a new decision").toBe(1);
});

it("a mark scrolls into view, also below an open list of fixtures", async () => {
  await open();
  await page.getByText("Pick a fixture").click();
  await page.locator(".campaigns tbody").getByRole("button", { name: "oldshop" }).press("Enter");
  const marked = await page.locator(".text mark").boundingBox();
  expect(marked?.y).toBeGreaterThan(0);
  expect(marked?.y).toBeLessThan(900);
  const panel = await page.locator(".asked").boundingBox();
  expect(marked?.y).toBeLessThan((panel?.y ?? 0) + (panel?.height ?? 0));
});

it("the picker finds each word in any order, and tells what its box hides", async () => {
  await open();
  await page.getByText("Pick a fixture").click();
  const count = page.locator(".picker").getByRole("status");
  await page.getByLabel("Search names and rules").fill("banner simple");
  expect(await page.locator(".fixtures .name").allInnerTexts()).toContain("simple banner");
  await page.getByLabel("Search names and rules").fill("");
  const [, shown = "", hidden = ""] = /^(\d+) fixtures\. (\d+) more/.exec(await count.innerText()) ?? [];
  await page.getByLabel("also those that are made for other catalogs").check();
  expect(await count.innerText()).toBe(`${Number(shown) + Number(hidden)} fixtures.`);
});

it("the price, the privacy and the work come with the report", async () => {
  await open("#request?fixture=bid%2Fcampaign-paid-in-euros&ssp=demo");
  expect(await page.locator(".steps").innerText()).toMatch(/pays at most\s+2.2 EUR\s+in USD\s+2.38414 USD/);
  await page.getByText("Work", { exact: true }).click();
  expect(await page.locator(".work").innerText()).toMatch(/Matches campaigns\s+[\d,]+ units/);
  await page.getByLabel("A child (coppa)").selectOption("1");
  await page.getByText("without data about the person").waitFor();
  await page.locator(".signals").getByRole("button", { name: "regs.coppa" }).click();
  expect(await page.locator(".text mark").allTextContents()).toEqual(['"coppa": 1']);
});

it("a pasted request takes the place of a fixture, and is not in the address", async () => {
  await open();
  await page.getByRole("button", { name: "Paste your own" }).click();
  await page.getByText("Paste a request into the field, or pick a fixture.").waitFor();
  await requestText().fill('{"id":"mine","imp":[{"id":"1","video":{"w":640,"h":360}}]}');
  await page.getByText("Request mine", { exact: false }).waitFor();
  expect(await outcome()).toContain("nova-launch bids 6.5 USD");
  expect(page.url()).not.toContain("fixture");
  await page.getByRole("button", { name: "Format" }).click();
  expect(await requestText().inputValue()).toContain('\n  "imp": [\n    {\n      "id": "1",');
});

it("two versions are compared side by side", async () => {
  await open();
  await page.getByLabel("Compare with").selectOption(earlier);
  const compared = page.locator(".compare");
  await compared.waitFor();
  const text = await compared.innerText();
  expect(text).toContain("1 difference;");
  const bid = "acme-spring with acme-300x250:";
  expect(text).toMatch(new RegExp(`bids on impression 1\\s+${bid} 1.8 USD\\s+${bid} 1.5 USD`));
  expect(page.url()).toContain(`beside=${earlier}`);
  await page.getByLabel("Ask version").selectOption(earlier);
  await page.getByText("Both are the same version.").waitFor();
  expect(await outcome()).toContain("bids 1.5 USD");
});

it("the address keeps the fixture, the SSP and the time, and nothing of the request", async () => {
  await open();
  await pick("two imps two seats");
  await page.getByLabel("SSP").selectOption("south");
  await page.getByLabel("Time, UTC").fill("2026-11-18T12:00:00");
  await page.getByLabel("Site's domain").fill("secret-person.example");
  await page.locator(".asked", { hasText: "It is edited" }).waitFor();
  await decided();
  const address = page.url();
  expect(address).toContain("fixture=bid%2Ftwo-imps-two-seats&ssp=south&now=2026-11-18T12%3A00");
  expect(address).not.toContain("secret");
  await page.goto("about:blank");
  await page.goto(address);
  await decided();
  expect(await page.getByLabel("SSP").inputValue()).toBe("south");
  expect(await outcome()).toMatch(/EUR/);
});

it.each(VIEWS)("the view %s fits its window, in both themes and without a finding of axe", async (view) => {
  await open();
  await page.getByRole("navigation").getByRole("link", { name: view, exact: false }).click();
  for (const theme of ["dark", "light"]) {
    await page.getByLabel("Theme").selectOption(theme);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(300);
      expect(await overflow(), `${view} at ${width}`).toBeLessThanOrEqual(0);
    }
    expect(await findings(), `${view}, ${theme}`).toEqual([]);
  }
});

it("the views of a video, a native ad and a no-bid have no finding of axe either", async () => {
  for (const fixture of ["bid/video", "bid/native", "no-bid/crawler"]) {
    await page.goto("about:blank");
    await open(`#request?fixture=${encodeURIComponent(fixture)}`);
    expect(await findings(), fixture).toEqual([]);
  }
});

it("the theme stays chosen", async () => {
  await open();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await background();
  await page.reload();
  await decided();
  expect(await background()).toBe(dark);
  await page.getByLabel("Theme").selectOption("light");
  expect(await background()).not.toBe(dark);
});

it("with an operator's token, the page asks for it, and keeps it for the tab only", async () => {
  const closed = await startInspector(EXAMPLE, { OPERATOR_TOKEN: "let-me-in" });
  try {
    await page.goto(`${closed.origin}/inspect`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Token").fill("wrong");
    await dialog.getByRole("button", { name: "Look" }).click();
    await page.getByText("The bidder wants the operator's token.").first().waitFor();
    await dialog.getByLabel("Token").fill("let-me-in");
    await dialog.getByRole("button", { name: "Look" }).click();
    await page.locator(".outcome.good").waitFor();
    expect(await page.evaluate(() => Object.values({ ...localStorage }))).not.toContain("let-me-in");
    const unauthorized = bad.splice(0).filter((text) => !text.includes("401"));
    expect(unauthorized).toEqual([]);
  } finally {
    await page.goto("about:blank");
    await closed.stop();
  }
});
