//! The inspector's live view in a real browser, while requests come in: its figures, its pictures, pause, and a bidder that
//! stops.

import { expect, it } from "vitest";
import { requestText } from "../test/bidder.ts";
import { accept, open, page } from "./inspector.ts";
import { bidderWith, EXAMPLE } from "./pushed.ts";

/** A bid, and two requests without one. */
const REQUESTS = [requestText, '{"id":"2","imp":[{"id":"1"}]}', "not JSON"];

const started = bidderWith([{ document: EXAMPLE }]);

const row = (name: string) => page.getByRole("row", { name });
const funnel = () => page.getByRole("img", { name: /^Funnel/ });
const numbers = () => page.locator(".numbers").innerText();
const status = () => page.getByRole("status").first().innerText();

it("says that nothing comes in, and how to change that", async () => {
  await open(started.bidder, "live");
  await page.getByText("npx edgebid demo").waitFor();
  expect(await status()).toBe("Listening");
  expect(await page.getByText("You see one isolate").isVisible()).toBe(true);
  expect(await funnel().getAttribute("aria-label")).toBe("Funnel: no requests.");
});

it("shows requests, bids and reasons each second, and stands still while it is paused", async () => {
  await open(started.bidder, "live");
  // Each of the requests ten times a second.
  const sending = setInterval(() => {
    const headers = { "content-type": "application/json" };
    for (const body of REQUESTS) void fetch(`${started.bidder.origin}/bid/demo`, { method: "POST", headers, body });
  }, 100);
  try {
    await row("bad-request").waitFor();
    const said = /of [1-9][\d.]*\/s requests, [\d.]+\/s get a bid\. Most often there is no bid because of \S+\./;
    await expect.poll(() => funnel().getAttribute("aria-label"), { timeout: 15_000 }).toMatch(said);
    const share = row("bad-request").getByRole("cell").last();
    await expect.poll(() => share.innerText(), { timeout: 15_000 }).toMatch(/^[234]\d\.\d %$/);
    expect(await funnel().locator("> *").count()).toBe(4);
    expect(await funnel().locator(".bids .left").isVisible()).toBe(true);
    const minute = page.getByRole("img", { name: /^Requests and bids/ }).locator("div");
    expect(await minute.count()).toBe(60);
    expect(await minute.last().locator("span").count()).toBe(2);

    await page.getByRole("button", { name: "Pause" }).press("Enter");
    expect(await status()).toBe("Paused");
    const before = await numbers();
    await page.waitForTimeout(1500);
    expect(await numbers()).toBe(before);
    await page.getByRole("button", { name: "Go on" }).press("Enter");
    await row("bad-request").waitFor();
  } finally {
    clearInterval(sending);
  }
});

it("captures requests where a person wants it, and opens one in the view of requests", async () => {
  await open(started.bidder, "live");
  await page.getByLabel("Capture requests").selectOption("each");
  await page.getByText("Listening", { exact: true }).waitFor();
  const headers = { "content-type": "application/json" };
  const person = { ...JSON.parse(requestText), user: { buyeruid: "a-person" } };
  await fetch(`${started.bidder.origin}/bid/demo`, { method: "POST", headers, body: JSON.stringify(person) });
  const captured = page.getByRole("region", { name: "Captured requests" }).locator("tbody tr");
  expect(await captured.innerText()).toMatch(new RegExp(`demo\\s+bid\\s+${person.id}`));
  await captured.getByRole("button").click();
  await page.locator(".outcome.good").waitFor();
  const shown = await page.getByLabel("Request, OpenRTB JSON").inputValue();
  expect(shown).toContain(`"id": "${person.id}"`);
  expect(shown).not.toContain("a-person");
  expect(page.url()).toMatch(/#request\?ssp=demo&now=[\d-]+T[\d%A]+$/);
  // It is still there after a look at another view.
  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByRole("link", { name: "Request" }).click();
  await page.locator(".outcome.good").waitFor();
  expect(await page.getByLabel("Request, OpenRTB JSON").inputValue()).toBe(shown);
});

it("says that the bidder has gone, and leaves no listener behind", async () => {
  await open(started.bidder, "live");
  await page.getByText("Listening").waitFor();
  await page.route("**/tail?*", (route) => route.abort());
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("The bidder does not answer").waitFor();
  expect(await status()).toBe("Not listening");
  await page.unroute("**/tail?*");
  await page.getByText("Listening", { exact: true }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  // The browser itself reports the request that the test has stopped.
  accept(/ERR_FAILED/);
});
