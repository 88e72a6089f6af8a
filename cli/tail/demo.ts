//! `edgebid demo`: sends generated traffic to a running bidder as an exchange does, lets some of its bids win, calls
//! their notices, and shows the funnel.

import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../../build/failure.mjs";
import { generate } from "../../tools/traffic/generate.ts";
import { document } from "../../tools/traffic/write.ts";
import { sourceOf } from "../catalog/source.ts";
import { ask } from "../money/client.ts";
import { screen } from "./screen.ts";
import { localSource } from "./source.ts";
import { watch } from "./tail.ts";

/** Options of the command. */
export interface DemoOptions {
  url: string;
  ssp: string;
  /** Requests a second. */
  rate: number;
  seed: number;
  catalog: string;
  seconds?: number;
  json?: boolean;
}

/** One in this many bids wins. The others lose. */
const WINS_ONE_IN = 3;
/** The most requests that wait for an answer. Further requests are dropped, as exchanges do. */
const MOST_WAITING = 100;
const NOTICE_TIMEOUT_MS = 5000;
/** Milliseconds between two groups of requests. */
const TICK_MS = 50;
/** OpenRTB's code for a bid that another bid has beaten. */
const LOST_TO_HIGHER_BID = "102";

interface Bid {
  price: number;
  nurl?: string;
  burl?: string;
  lurl?: string;
  adm?: string;
}

/** Sends and shows until Ctrl-C. Throws `Failure` if no bidder runs, or if this caller is not its operator. */
export async function demo(options: DemoOptions): Promise<void> {
  const { url, rate, seed, catalog, seconds, json = false } = options;
  await ask(url, "healthz");
  const requests = generate(seed, { catalog: await document(sourceOf(catalog)) });
  const address = `${url.replace(/\/*$/, "")}/inspect#live`;
  if (!json) process.stdout.write(`Watch it in a browser: ${address}\n\n`);
  const stop = new AbortController();
  const sending = exchange(options, requests, stop.signal).finally(() => stop.abort());
  const title = `${rate} generated requests a second to ${url}`;
  const watching = watch({ source: localSource(url, 0), show: screen(title, { json }), seconds, stop });
  await Promise.all([sending, watching.finally(() => stop.abort())]);
}

/** Sends until the signal ends it. Throws {@link Failure} if the bidder has gone or refuses all requests. */
async function exchange(
  { url, ssp, rate }: DemoOptions,
  requests: Iterator<string>,
  signal: AbortSignal,
): Promise<void> {
  const { origin } = new URL(url);
  const address = `${url.replace(/\/*$/, "")}/bid/${encodeURIComponent(ssp)}`;
  const headers = { "content-type": "application/json" };
  let [due, bids] = [0, 0];
  const waiting = new Set<Promise<void>>();
  let failure: unknown;

  const one = async () => {
    const response = await fetch(address, { method: "POST", headers, body: requests.next().value, signal });
    const refusal = REFUSALS[response.status];
    if (refusal !== undefined) throw new Failure(`${url} ${refusal(ssp)}`);
    if (response.status !== 200) return void (await response.arrayBuffer());
    const { cur = "USD", seatbid = [] } = (await response.json()) as { cur?: string; seatbid?: { bid: Bid[] }[] };
    for (const { price, nurl, burl, lurl, adm } of seatbid.flatMap((seat) => seat.bid)) {
      const called = bids++ % WINS_ONE_IN === 0 ? [nurl, burl, ...noticesIn(adm, origin)] : [lurl];
      for (const notice of called) {
        // A demo must not call servers of others.
        if (notice === undefined || !URL.canParse(notice) || new URL(notice).origin !== origin) continue;
        // Also after the end, because an exchange bills what has won.
        const patience = AbortSignal.timeout(NOTICE_TIMEOUT_MS);
        await (await fetch(filled(notice, price, cur), { signal: patience })).arrayBuffer();
      }
    }
  };

  while (!signal.aborted && failure === undefined) {
    for (due += (rate * TICK_MS) / 1000; due >= 1; due--) {
      if (waiting.size >= MOST_WAITING) continue;
      const failed = (error: unknown) => {
        if (!signal.aborted) failure ??= error;
      };
      const answered = one()
        .catch(failed)
        .finally(() => waiting.delete(answered));
      waiting.add(answered);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(waiting);
  if (failure !== undefined)
    throw failure instanceof Failure ? failure : new Failure(`${url} has stopped`, EXIT.unreachable);
}

const REFUSALS: Record<number, (ssp: string) => string> = {
  401: (ssp) => `wants a token of the SSP ${ssp}; name another with --ssp`,
  404: (ssp) => `has no SSP ${ssp}; name one of its catalog with --ssp`,
};

/**
 * The bidder's notices in an ad, such as the impression of a VAST document, which a player calls when it shows the ad.
 */
export function noticesIn(adm = "", origin: string): string[] {
  return adm.split(/["'<>[\]\\\s]/).filter((word) => word.startsWith(`${origin}/n/`));
}

/** A notice URL with its macros filled, as in a first-price auction. Unknown macros become empty. */
export function filled(notice: string, price: number | string, cur: string): string {
  const values: Record<string, string> = {
    ...{ AUCTION_PRICE: String(price), AUCTION_CURRENCY: cur, AUCTION_LOSS: LOST_TO_HIGHER_BID },
  };
  return notice.replace(/\$(\{|%7B)(\w+)(\}|%7D)/gi, (_, _open, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
}
