//! `edgebid demo`: sends generated traffic to a running bidder, calls notices of bids that win, and shows the funnel.

import { ask } from "../money/client.ts";
import { generate } from "../traffic/generate.ts";
import { document } from "../traffic/write.ts";
import { exchange } from "./exchange.ts";
import { localSource } from "./local.ts";
import { screen } from "./screen.ts";
import { watch } from "./watch.ts";

/** Options of the command. */
export interface DemoOptions {
  url: string;
  ssp: string;
  rate: number;
  seed: number;
  catalog: string;
  seconds?: number;
  json?: boolean;
}

/** Sends and shows until Ctrl-C. Throws `Failure` if no bidder runs, or if it is not the operator's. */
export async function demo({ url, ssp, rate, seed, catalog, seconds, json = false }: DemoOptions): Promise<void> {
  await ask(url, "healthz", {}, "application/json");
  const requests = generate(seed, { catalog: await document(catalog) });
  const address = `${url.replace(/\/*$/, "")}/inspect#live`;
  if (!json) process.stdout.write(`Watch it in a browser: ${address}\n\n`);
  const stop = new AbortController();
  const sending = exchange({ url, ssp, rate, requests }, stop.signal).finally(() => stop.abort());
  const title = `${rate} generated requests a second to ${url}`;
  const watching = watch({ source: localSource(url, 0), show: screen(title, { json }), seconds, stop });
  await Promise.all([sending, watching.finally(() => stop.abort())]);
}
