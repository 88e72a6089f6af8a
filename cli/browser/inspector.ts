//! For tests of the inspector: Chromium with a page for each test, what a page must not do, what axe finds, and somebody
//! else's server. Whoever imports `page` gets a new one before each test.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { RunningScript } from "../workerd.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { startPushed } from "./pushed.ts";

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
  bad = misdeeds(page);
});

afterEach(async () => {
  await page.close();
  expect(bad).toEqual([]);
});

/** What axe finds that is serious or critical; with `all`, everything. */
export async function findings(all = false): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const options = { iframes: false, resultTypes: ["violations" as const] };
    return (await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options)).violations;
  });
  return violations
    .filter(({ impact }) => all || impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`));
}

/** How many pixels the page is wider than its window. */
export function overflow(): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Starts a bidder that serves this catalog, with the page. */
export async function startInspector(catalog: string, vars: Record<string, string>): Promise<RunningScript> {
  return (await startPushed([{ document: JSON.parse(catalog) }], vars)).bidder;
}

/** What a page does that it must not do. The list grows while the page is open. */
function misdeeds(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(`error: ${error.message}`));
  page.on("dialog", async (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") found.push(`console: ${message.text()}`);
  });
  page.on("popup", () => found.push("popup"));
  return found;
}

/** A server of somebody else, which Chromium reaches under every name. It writes down who asks. */
export interface Outside {
  /** Its address under the name `evil.example`. */
  origin: string;
  asked: string[];
  stop(): void;
}

/** Starts the server, which answers everything with a picture. */
export async function startOutside(): Promise<Outside> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "image/gif", "access-control-allow-origin": "*" });
    response.end(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://evil.example:${port}`, asked, stop: () => server.close() };
}
