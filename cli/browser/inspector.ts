//! For tests of the inspector: a bidder with the page, what a page must not do, and somebody else's server.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import type { RunningScript } from "../workerd.ts";
import { startPushed } from "./pushed.ts";

/** Starts a bidder that serves this catalog, with the page. */
export async function startInspector(catalog: string, vars: Record<string, string>): Promise<RunningScript> {
  return (await startPushed([{ document: JSON.parse(catalog) }], vars)).bidder;
}

/** What a page does that it must not do. The list grows while the page is open. */
export function misdeeds(page: Page): string[] {
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
