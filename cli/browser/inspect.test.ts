//! The inspector's view of requests in a real browser: every kind of decision, edits, comparison and what the address keeps.

import { expect, it } from "vitest";
import { accept, open, page, settled } from "./inspector.ts";
import { bidderWith, EXAMPLE, startPushed } from "./pushed.ts";

/** In the version before the one that is served, acme-spring pays less. */
const cheaper = JSON.parse(JSON.stringify(EXAMPLE).replace('"max_cpm":"1.80"', '"max_cpm":"1.50"'));
const started = bidderWith([{ document: cheaper }, { document: EXAMPLE }]);

/** Opens the view with an example. */
const openExample = (path: string) => open(started.bidder, `request?example=${encodeURIComponent(path)}`);
const outcome = () => page.locator(".outcome").innerText();
const answer = () => page.getByLabel("Answer", { exact: true }).innerText();
const requestText = () => page.getByLabel("Request, OpenRTB JSON");
const marks = () => page.locator(".text mark");
/** The button of a campaign in the table, which marks what its check looked at. */
const campaign = (cid: string) => page.locator(".campaigns tbody").getByRole("button", { name: cid });

it("/ leads to the page, which decides on an example at once", async () => {
  await page.goto(started.bidder.origin);
  await settled();
  expect(page.url()).toContain("/inspect#request?");
  expect(await outcome()).toContain("acme-spring bids 1.8 USD");
});

it("a banner is shown at its size, with places for its pictures", async () => {
  await open(started.bidder);
  expect(await page.locator("iframe.creative").boundingBox()).toMatchObject({ width: 302, height: 252 });
  await page.frameLocator("iframe.creative").frameLocator("iframe").getByText("acme 300×250").waitFor();
});

it("a video has a player whose trackers light up as its clock passes them", async () => {
  await openExample("bid/video");
  expect(await answer()).toContain("0:00 / 0:15");
  expect(await page.locator(".trackers .reached").count()).toBe(0);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".trackers .reached").first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Second of the ad").fill("15");
  expect(await answer()).toContain("0:15 / 0:15");
});

it.each([
  ["bid/audio", "♪ audio"],
  ["bid/native", "Sleep better by Sunday"],
  ["bid/private-deal", "deal AB-Agency1-0001"],
  ["no-bid/floor-a-micro-above-price", "The exchange gets no bid"],
])("the answer of the example %s shows %s", async (path, text) => {
  await openExample(path);
  expect(await outcome()).toMatch(path.startsWith("bid") ? /^Bid/ : /^No bid/);
  expect(await answer()).toContain(text);
});

it("a raised floor takes the bid away, and the page says so", async () => {
  await open(started.bidder);
  await page.getByLabel("Floor (bidfloor)").fill("99");
  await settled();
  expect(await outcome()).toMatch(/^No bid\s+acme-spring came furthest, and failed at floor/);
  expect(await requestText().inputValue()).toContain('"bidfloor": 99,');
  await page.getByLabel("Floor (bidfloor)").fill("");
  await page.locator(".outcome.good").waitFor();
  expect(await requestText().inputValue()).not.toContain("bidfloor");
});

it("an edit of the text changes the form and the decision, and a mistake is told", async () => {
  await open(started.bidder);
  const text = await requestText().inputValue();
  await requestText().fill(text.replace('"w": 300', '"w": 728').replace('"h": 250', '"h": 90'));
  await page.getByText("acme-728x90").first().waitFor();
  expect(await page.getByLabel("Width").inputValue()).toBe("728");
  await requestText().fill("{");
  await page.getByText("There is no decision").waitFor();
  accept(/400/);
});

it("a check of the funnel chooses its campaigns, and a campaign marks the path in question", async () => {
  await open(started.bidder);
  await page.getByRole("button", { name: "publisher −1 → 5" }).press("Enter");
  const rows = page.locator(".campaigns tbody tr");
  expect(await rows.count()).toBe(1);
  await campaign("oldshop").click();
  expect(await marks().allTextContents()).toEqual(['"id": "pub-1"']);
  expect(await page.locator(".marks").innerText()).toBe("Marked: site.publisher.id");
  await page.getByLabel("tmax").fill("121");
  await settled();
  expect(await rows.count(), "the choice stays with a new decision").toBe(1);
});

it("a mark scrolls into view, also below an open list of examples", async () => {
  await open(started.bidder);
  await page.getByText("Pick an example").click();
  await campaign("oldshop").press("Enter");
  const boxes = await Promise.all(
    [marks(), page.locator(".asked"), page.locator(".text")].map((one) => one.boundingBox()),
  );
  const [marked, panel, text] = boxes.map((box) => ({ top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }));
  expect(marked?.top).toBeGreaterThan(Math.max(panel?.top ?? 0, text?.top ?? 0));
  expect(marked?.bottom).toBeLessThan(Math.min(900, panel?.bottom ?? 0, text?.bottom ?? 0));
});

it("the picker finds each word in any order, tells what its box hides, and opens what is picked", async () => {
  await open(started.bidder);
  await page.getByText("Pick an example").click();
  const examples = page.getByLabel("Examples", { exact: true });
  const count = page.locator(".picker").getByRole("status");
  const search = page.getByLabel("Search names and rules");
  await search.fill("banner simple");
  expect(await examples.innerText()).toContain("simple banner");
  await search.fill("");
  const [, shown = "", hidden = ""] = /^(\d+) examples\. (\d+) more/.exec(await count.innerText()) ?? [];
  await page.getByLabel("also those that are made for other catalogs").check();
  expect(await count.innerText()).toBe(`${Number(shown) + Number(hidden)} examples.`);
  await examples.selectOption("no-bid/crawler");
  await page.locator(".asked", { hasText: "crawler." }).waitFor();
  await settled();
  expect(await outcome()).toMatch(/^No bid/);
});

it("the price, the privacy and the work come with the report", async () => {
  await openExample("bid/campaign-paid-in-euros");
  const price = await page.getByLabel("Price", { exact: true }).innerText();
  expect(price).toMatch(/pays at most\s+2.2 EUR\s+in USD\s+2.38414 USD/);
  await page.getByText("Work", { exact: true }).click();
  // The browser tells of the opened part later than of the click.
  await page.getByText("Matches campaigns", { exact: true }).waitFor();
  expect(await page.locator(".result").innerText()).toMatch(/Matches campaigns\s+[\d,]+ units/);
  await page.getByLabel("A child (coppa)").selectOption("1");
  await page.getByText("without data about the person").waitFor();
  await page.getByRole("button", { name: "regs.coppa", exact: true }).click();
  expect(await marks().allTextContents()).toEqual(['"coppa": 1']);
});

it("a pasted request takes the place of an example, and is not in the address", async () => {
  await open(started.bidder);
  await page.getByRole("button", { name: "Paste your own" }).click();
  await page.getByText("Paste a request into the field, or pick an example.").waitFor();
  await requestText().fill('{"id":"mine","imp":[{"id":"1","video":{"w":640,"h":360}}]}');
  await page.getByText("Request mine", { exact: false }).waitFor();
  expect(await outcome()).toContain("nova-launch bids 6.5 USD");
  expect(page.url()).not.toContain("example");
  await page.getByRole("button", { name: "Format" }).click();
  expect(await requestText().inputValue()).toContain('\n  "imp": [\n    {\n      "id": "1",');
});

it("a pasted line of tail --keep becomes its request, from its SSP and at its time", async () => {
  await open(started.bidder);
  const request = '{"id":"kept","imp":[{"id":"1","banner":{"w":300,"h":250}}],"cur":["EUR"],"price":1.10}';
  await requestText().fill(`{"ssp":"south","at":"2026-11-18T12:00:00.250Z","outcome":"bid","request":${request}}`);
  await page.getByText("Request kept", { exact: false }).waitFor();
  expect(await requestText().inputValue()).toMatch(/^\{\n {2}"id": "kept",[\s\S]*1\.10\n\}$/);
  expect(await page.getByLabel("SSP").inputValue()).toBe("south");
  expect(await page.getByLabel("Time, UTC").inputValue()).toMatch(/^2026-11-18T12:00/);
});

it("in a folder with a request.json, the page opens on it, and on the catalog's first SSP", async () => {
  const ssps = EXAMPLE.ssps.filter(({ id }: { id: string }) => id !== "demo");
  const campaigns = EXAMPLE.campaigns.filter((own: object) => !JSON.stringify(own).includes('"demo"'));
  const REQUEST = '{"id":"mine","imp":[{"id":"1","banner":{"w":300,"h":250}}]}';
  const { bidder } = await startPushed([{ document: { ...EXAMPLE, ssps, campaigns } }], {
    OPERATOR: "anybody",
    REQUEST,
  });
  try {
    await open(bidder);
    await page.getByText("Request mine", { exact: false }).waitFor();
    expect(page.url()).toContain(`#request?example=request.json&ssp=${ssps[0].id}`);
    await page.getByText("Pick an example").click();
    const examples = page.getByLabel("Examples", { exact: true });
    expect(await examples.locator("option").first().innerText()).toBe("request.json");
    await examples.selectOption("bid/video");
    await page.locator(".asked", { hasText: "video." }).waitFor();
  } finally {
    await page.goto("about:blank");
    await bidder.stop();
  }
});

it("two versions are compared side by side", async () => {
  const [earlier = ""] = started.versions;
  await open(started.bidder);
  await page.getByLabel("Compare with").selectOption(earlier);
  const text = await page.locator(".compare").innerText();
  expect(text).toContain("1 difference;");
  const bid = "acme-spring with acme-300x250:";
  expect(text).toMatch(new RegExp(`bids on impression 1\\s+${bid} 1.8 USD\\s+${bid} 1.5 USD`));
  expect(page.url()).toContain(`beside=${earlier}`);
  await page.getByLabel("Ask version").selectOption(earlier);
  await page.getByText("Both are the same version.").waitFor();
  expect(await outcome()).toContain("bids 1.5 USD");
});

it("the address keeps the example, the SSP and the time, and nothing of the request", async () => {
  await openExample("bid/two-imps-two-seats");
  await page.getByLabel("SSP").selectOption("south");
  await page.getByLabel("Time, UTC").fill("2026-11-18T12:00:00");
  await page.getByLabel("Site's domain").fill("secret-person.example");
  await page.locator(".asked", { hasText: "It is edited" }).waitFor();
  const address = new URL(page.url());
  expect(address.hash).toContain("example=bid%2Ftwo-imps-two-seats&ssp=south&now=2026-11-18T12%3A00");
  expect(address.hash).not.toContain("secret");
  await open(started.bidder, address.hash.slice(1));
  expect(await page.getByLabel("SSP").inputValue()).toBe("south");
  expect(await outcome()).toMatch(/EUR/);
});

it("the theme stays chosen", async () => {
  await open(started.bidder);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await background();
  await page.reload();
  await settled();
  expect(await background()).toBe(dark);
  await page.getByLabel("Theme").selectOption("light");
  expect(await background()).not.toBe(dark);
});

it("with an operator's token, the page asks for it, and keeps it for the tab only", async () => {
  const { bidder: closed } = await startPushed([{ document: EXAMPLE }], { OPERATOR_TOKEN: "let-me-in" });
  try {
    await page.goto(`${closed.origin}/inspect`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Token").waitFor();
    expect(await dialog.getByRole("alert").count()).toBe(0);
    await dialog.getByLabel("Token").fill("wrong");
    await dialog.getByRole("button", { name: "Look" }).click();
    await dialog.getByRole("alert").getByText("This token is not the bidder's OPERATOR_TOKEN.").waitFor();
    await dialog.getByLabel("Token").fill("let-me-in");
    await dialog.getByRole("button", { name: "Look" }).click();
    await page.locator(".outcome.good").waitFor();
    expect(await page.evaluate(() => Object.values({ ...localStorage }))).not.toContain("let-me-in");
    accept(/401/);
  } finally {
    await page.goto("about:blank");
    await closed.stop();
  }
});
