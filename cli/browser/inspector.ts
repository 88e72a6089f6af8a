//! Opens the inspector of a bidder with the example catalog in Chromium, and watches the page.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { buildInspector } from "../inspector.mjs";
import { type RunningScript, startScript } from "../workerd.ts";

/** The folder behind the assets binding. */
const ASSETS = fileURLToPath(new URL("../../worker/inspect/dist", import.meta.url));
const ENTRY = new URL("../../worker/src/index.ts", import.meta.url);

/** Builds the page, and starts a bidder that serves this catalog. */
export async function startInspector(catalog: string, vars: Record<string, string>): Promise<RunningScript> {
  await buildInspector();
  const kv = { CATALOG: { catalog: new TextEncoder().encode(catalog) } };
  return startScript(ENTRY, kv, { vars, assets: ASSETS });
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
