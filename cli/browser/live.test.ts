//! The inspector's live view in a real browser, while requests come in: its figures, its pictures, pause, a bidder that
//! stops, both themes, narrow and wide.

import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { RunningScript } from "../workerd.ts";
import { bad, findings, overflow, page, startInspector } from "./inspector.ts";

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), "utf8");
/** A bid, and two requests without one. */
const REQUESTS = [fixture("bid/simple-banner"), '{"id":"2","imp":[{"id":"1"}]}', "not JSON"];

let bidder: RunningScript;
let sending: ReturnType<typeof setInterval> | undefined;

beforeAll(async () => {
  bidder = await startInspector(fixture("catalog"), { OPERATOR: "anybody", EVENTS_ONE_IN: "off" });
});

afterAll(() => bidder?.stop());

afterEach(() => clearInterval(sending));

/** Sends each of the requests ten times a second. */
function send(): void {
  const headers = { "content-type": "application/json" };
  sending = setInterval(() => {
    for (const body of REQUESTS) void fetch(`${bidder.origin}/bid/demo`, { method: "POST", headers, body });
  }, 100);
}

const open = (from = bidder) => page.goto(`${from.origin}/inspect#live`);
const row = (name: string) => page.getByRole("row", { name });
const funnel = () => page.getByRole("img", { name: /^Funnel/ }).getAttribute("aria-label");

it("says that nothing comes in, and how to change that", async () => {
  await open();
  await page.getByText("npx edgebid demo").waitFor();
  expect(await page.getByRole("status").innerText()).toBe("Listening");
  expect(await page.getByText("You see one isolate").isVisible()).toBe(true);
  expect(await funnel()).toBe("Funnel: no requests.");
});

it("shows requests, bids and reasons each second, and stands still while it is paused", async () => {
  await open();
  send();
  await row("bad-request").waitFor();
  await page.waitForFunction(() => document.querySelector(".curve .requests")?.getAttribute("d"));
  await page.waitForFunction(() =>
    /of [1-9]/.test(document.querySelector(".funnel")?.getAttribute("aria-label") ?? ""),
  );
  expect(await funnel()).toMatch(
    /of [\d.]+\/s requests, [\d.]+\/s get a bid\. Most often there is no bid because of \S+\./,
  );
  expect(await row("bad-request").getByRole("cell").last().innerText()).toMatch(/^3\d\.\d %$|^[24]\d\.\d %$/);
  expect(await page.locator(".funnel g").count()).toBe(4);
  expect(await page.locator(".funnel .left.bids").getAttribute("width")).not.toBe("0");
  expect(await page.locator(".curve .requests").getAttribute("d")).toMatch(/^M/);

  await page.getByRole("button", { name: "Pause" }).press("Enter");
  expect(await page.getByRole("status").innerText()).toBe("Paused");
  const before = await page.locator(".numbers").innerText();
  await page.waitForTimeout(1500);
  expect(await page.locator(".numbers").innerText()).toBe(before);
  await page.getByRole("button", { name: "Go on" }).press("Enter");
  await row("bad-request").waitFor();
});

it("says that the bidder has gone, and leaves no listener behind", async () => {
  await open();
  await page.getByText("Listening").waitFor();
  await page.route("**/tail?*", (route) => route.abort());
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("The bidder does not answer").waitFor();
  expect(await page.getByRole("status").innerText()).toBe("Not listening");
  await page.unroute("**/tail?*");
  await page.getByText("Listening", { exact: true }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  // The browser itself reports the request that the test has stopped.
  bad.splice(0, bad.length, ...bad.filter((line) => !line.includes("ERR_FAILED")));
});

it.each([
  ["light", 400],
  ["dark", 400],
  ["light", 1600],
  ["dark", 1600],
] as const)("%s at %i pixels, it fits and axe finds nothing", async (colorScheme, width) => {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 1000 });
  await open();
  send();
  await row("bad-request").waitFor();
  expect(await overflow()).toBe(0);
  expect(await findings(true)).toEqual([]);
  if (process.env["SCREENSHOTS"])
    await page.screenshot({ path: `${process.env["SCREENSHOTS"]}/live-${colorScheme}-${width}.png` });
});
