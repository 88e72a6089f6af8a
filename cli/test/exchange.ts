//! A made-up exchange: its bid requests are for {@link CAMPAIGNS} campaigns, each of which wins some. It makes billing
//! notices of the bids, sound ones and others.

import { decimal } from "../../shared/report/decimal.ts";
import { filled } from "../tail/demo.ts";
import { type Bid, bidsOn, bytesOf } from "./bidder.ts";

export const CAMPAIGNS = 50;
const SSP = "demo";
const IMPS = 8;
const BUYERS = 8;

/** Each fifth campaign pays in euros, and each other fifth shows a video. */
const campaigns = Array.from({ length: CAMPAIGNS }, (_, n) => ({
  ...{ n, cid: `campaign-${n}`, crid: `creative-${n}`, isEuro: n % 5 === 0, isVideo: n % 5 === 1 },
  /** `max_cpm` in micros. */
  most: 1_000_000n + 40_000n * BigInt(n),
}));

type Campaign = (typeof campaigns)[number];

/** A campaign's price in US dollars: a euro costs 1.25. */
function dollars({ isEuro, most }: Campaign): bigint {
  return isEuro ? (most * 5n) / 4n : most;
}

/** The catalog. The campaigns differ in the size of their banner or the length of their video. */
export const catalog = bytesOf(
  JSON.stringify({
    format: 1,
    rates: [{ cur: "EUR", usd: "1.25" }],
    privacy: { bid_unregistered: false },
    ssps: [{ id: SSP, billing: "both" }],
    creatives: campaigns.map(({ n, crid, isVideo }) => {
      const media = [{ url: `https://cdn.example/${n}.mp4`, mime: "video/mp4", bitrate: 900 }];
      const video = { dur: 5 + n, protocol: 3, w: 1280, h: 720, media, clickthrough: "https://shop.example/" };
      const banner = { w: 300 + n, h: 250, adm: `<img src="https://cdn.example/${n}.png" alt="">` };
      return { crid, ...(isVideo ? { video } : { banner }) };
    }),
    campaigns: campaigns.map(({ cid, crid, isEuro, most }) => ({
      ...{ cid, seat: "Agency1", adomain: ["shop.example"], max_cpm: cpm(most), creatives: [crid] },
      ...(isEuro && { cur: "EUR" }),
    })),
  }),
);

/** A bid that the exchange bills. */
export interface Sale {
  /** Whether a character of its token is altered. */
  isForged: boolean;
  bid: string;
  cid: string;
  /** The token as its notices have it. */
  token: string;
  /** The path and query of each notice. */
  calls: string[];
  /** The price of the impression in billionths of a US dollar, and of the campaign's currency. */
  usd: bigint;
  own: bigint;
}

/** Buys from the Worker, and makes `count` sales, 2 % of them forged. Of all sales, 5 % are told twice and 5 % in three ways. */
export async function sales(origin: string, count: number): Promise<Sale[]> {
  const bought = await buy(origin, count);
  if (new Set(bought.map(({ id }) => id)).size !== count) throw new Error("two bids have one id");
  return bought.map((bid, n) => saleOf(bid, n, n < count / 50));
}

function saleOf({ id, cid, price, burl, adm = "" }: Bid, n: number, isForged: boolean): Sale {
  const campaign = campaigns.find((campaign) => campaign.cid === cid);
  if (campaign === undefined) throw new Error(`a bid of ${cid}`);
  const bidPrice = dollars(campaign);
  if (String(price) !== cpm(bidPrice)) throw new Error(`${cid} bids ${price}, not ${cpm(bidPrice)}`);
  // Of each campaign, some bids are told twice and some in three ways.
  const turn = (n + Math.floor(n / CAMPAIGNS)) % 20;
  const isShown = turn === 1 || (turn > 0 && turn % 3 === 0);
  // The winner pays a little less, and each another price. What the markup tells is the bid: nothing else is believed.
  const usd = bidPrice - (isShown ? 0n : BigInt((n * 7919) % 100_000));
  const own = campaign.isEuro ? (usd * 4n) / 5n : usd;
  const [bill = "", imp = ""] = [burl, /https?:[^"<>\]]+\/n\/imp\/[^"<>\]]+/.exec(adm)?.[0]].map((url = "") => {
    const { pathname, search } = new URL(filled(url, cpm(usd), "USD"));
    const path = isForged ? pathname.replace(/[\w-]+$/, (token) => changed(token, n)) : pathname;
    return path + search;
  });
  const calls = turn === 0 ? [bill, bill] : turn === 1 ? [bill, imp, imp] : [isShown ? imp : bill];
  const token = /([\w-]+)\?/.exec(calls[0] ?? "")?.[1] ?? "";
  return { isForged, bid: id, cid, token, calls, usd, own };
}

/** Another character at a position of the token. */
function changed(token: string, n: number): string {
  const at = n % token.length;
  return `${token.slice(0, at)}${token[at] === "B" ? "C" : "B"}${token.slice(at + 1)}`;
}

/** Asks the Worker for so many bids. */
async function buy(origin: string, count: number): Promise<Bid[]> {
  const bids: Bid[] = [];
  let asked = 0;
  const buyer = async () => {
    while (asked < count) {
      const body = requestOf(asked, Math.min(IMPS, count - asked));
      asked += IMPS;
      bids.push(...(await bidsOn(origin, body, SSP)));
    }
  };
  await Promise.all(Array.from({ length: BUYERS }, buyer));
  return bids;
}

/** A request with an impression for each of so many campaigns. */
function requestOf(first: number, imps: number): string {
  const imp = Array.from({ length: imps }, (_, position) => {
    const { n, isVideo } = campaigns[(first + position) % CAMPAIGNS] as Campaign;
    const dur = 5 + n;
    const video = { mimes: ["video/mp4"], minduration: dur, maxduration: dur, protocols: [3], w: 1280, h: 720 };
    return { id: `${position}`, ...(isVideo ? { video } : { banner: { w: 300 + n, h: 250 } }) };
  });
  return JSON.stringify({ id: `request-${first}`, at: 2, cur: ["USD"], site: { domain: "news.example" }, imp });
}

/** Micros as a decimal. */
function cpm(micros: bigint): string {
  return decimal(micros * 1000n);
}
