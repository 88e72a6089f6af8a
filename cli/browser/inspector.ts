//! For tests of the inspector: Chromium with a page for each test, what a page must not do, what axe finds, and somebody
//! else's server. A test that imports `page` gets a new one each time.

import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type Served, served } from "../test/free-port.ts";
import type { RunningScript } from "../workerd.ts";
import { type Chromium, startChromium } from "./chromium.ts";

const TIMEOUT_MS = 15_000;

/** The page of the test that runs. */
export let page: Page;
/** What the page did that it must not do. It has to be empty after each test. */
export let bad: string[];
let chromium: Chromium | undefined;

beforeAll(async () => {
  chromium = await startChromium({ partitionedOnly: false });
});

afterAll(() => chromium?.stop());

beforeEach(async () => {
  if (chromium === undefined) return;
  page = await chromium.context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.setViewportSize({ width: 1280, height: 900 });
  bad = [];
  page.on("pageerror", (error) => bad.push(`error: ${error.message}`));
  page.on("popup", () => bad.push("popup"));
  page.on("dialog", async (dialog) => {
    bad.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) bad.push(`console: ${message.text()}`);
  });
});

afterEach(async () => {
  await page.close();
  expect(bad).toEqual([]);
});

/** Accepts what a test does on purpose, such as an answer with an error. */
export function accept(expected: RegExp): void {
  bad.splice(0, bad.length, ...bad.filter((text) => !expected.test(text)));
}

/** Opens a view anew, and waits until everything is answered. */
export async function open({ origin }: RunningScript, hash = ""): Promise<void> {
  await page.goto("about:blank");
  await page.goto(`${origin}/inspect#${hash}`);
  await settled();
}

/** Waits until the page has shown all answers. */
export async function settled(): Promise<void> {
  await page.waitForSelector("main h1");
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** Opens all boxes, and the boxes in them. */
export async function unfold(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await page.evaluate(async () => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      // What is inside is drawn when the box tells that it is open.
      await new Promise((drawn) => setTimeout(drawn, 50));
    });
  }
}

/** What axe finds. */
export async function findings(): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const options = { iframes: false, resultTypes: ["violations" as const] };
    return (await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options)).violations;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
}

/** How many pixels the page is wider than its window. */
export function overflow(): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** A server of somebody else, which Chromium reaches under every name. It writes down who asks. */
export interface Outside extends Served {
  asked: string[];
}

/** Starts the server, which answers everything with a picture. Its origin has the name `evil.example`. */
export async function startOutside(): Promise<Outside> {
  const asked: string[] = [];
  const { origin, stop } = await served((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "image/gif", "access-control-allow-origin": "*" });
    response.end(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"));
  });
  return { origin: origin.replace("127.0.0.1", "evil.example"), asked, stop };
}
