//! Plays an exchange: posts bid requests to a bidder, lets some of its bids win, and calls their notices.

import { Failure } from "../failure.mjs";

/** One in this many bids wins. The others lose. */
const WINS_ONE_IN = 3;
/** The most requests that wait for an answer. Further ones are left out, as exchanges do. */
const MOST_WAITING = 100;
/** Milliseconds between two groups of requests. */
const TICK_MS = 50;
/** OpenRTB's code for a bid that another bid has beaten. */
const LOST_TO_HIGHER_BID = "102";

export interface Exchange {
  /** The bidder's origin, such as `http://127.0.0.1:8787`. */
  url: string;
  ssp: string;
  /** Requests a second. */
  rate: number;
  /** The bodies of requests, without end. */
  requests: Iterator<string>;
}

interface Bid {
  price: number;
  nurl?: string;
  burl?: string;
  lurl?: string;
  adm?: string;
}

/** Sends until the signal ends it. Throws {@link Failure} if the bidder has gone or refuses all requests. */
export async function exchange({ url, ssp, rate, requests }: Exchange, signal: AbortSignal): Promise<void> {
  const { origin } = new URL(url);
  const address = `${url.replace(/\/*$/, "")}/bid/${encodeURIComponent(ssp)}`;
  let [due, waiting, bids] = [0, 0, 0];
  let failure: unknown;

  const one = async () => {
    const body = requests.next().value;
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal,
    });
    const refusal = REFUSALS[response.status];
    if (refusal !== undefined) throw new Failure(`${url} ${refusal(ssp)}`);
    if (response.status !== 200) return void (await response.arrayBuffer());
    const { cur = "USD", seatbid = [] } = (await response.json()) as { cur?: string; seatbid?: { bid: Bid[] }[] };
    for (const bid of seatbid.flatMap((seat) => seat.bid)) {
      const called = bids++ % WINS_ONE_IN === 0 ? [bid.nurl, bid.burl, ...noticesIn(bid.adm, origin)] : [bid.lurl];
      // Others' servers must not hear of a demo.
      const own = called.filter(
        (notice) => notice !== undefined && URL.canParse(notice) && new URL(notice).origin === origin,
      );
      for (const notice of own) await (await fetch(filled(notice ?? "", bid.price, cur), { signal })).arrayBuffer();
    }
  };

  while (!signal.aborted && failure === undefined) {
    for (due += (rate * TICK_MS) / 1000; due >= 1; due--) {
      if (waiting >= MOST_WAITING) continue;
      waiting++;
      one()
        .catch((error: unknown) => {
          if (!signal.aborted) failure ??= error;
        })
        .finally(() => waiting--);
    }
    await new Promise((done) => setTimeout(done, TICK_MS));
  }
  if (failure instanceof Failure || failure === undefined) {
    if (failure) throw failure;
    return;
  }
  throw new Failure(`${url} has stopped`);
}

const REFUSALS: Record<number, (ssp: string) => string> = {
  401: (ssp) => `wants a token of the SSP ${ssp}; name another with --ssp`,
  404: (ssp) => `has no SSP ${ssp}; name one of its catalog with --ssp`,
};

/** The bidder's notices in an ad, such as the impression of a VAST document, which a player calls when it shows the ad. */
export function noticesIn(adm = "", origin: string): string[] {
  return adm.split(/["'<>[\]\\\s]/).filter((word) => word.startsWith(`${origin}/n/`));
}

/** A notice's address as an exchange of first price auctions calls it. Macros that it does not know are empty. */
export function filled(notice: string, price: number | string, cur: string): string {
  const values: Record<string, string> = {
    AUCTION_PRICE: String(price),
    AUCTION_CURRENCY: cur,
    AUCTION_LOSS: LOST_TO_HIGHER_BID,
  };
  return notice.replace(/\$(\{|%7B)(\w+)(\}|%7D)/gi, (_, _open, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
}
