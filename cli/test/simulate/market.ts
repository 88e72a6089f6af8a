//! The exchanges of a simulated world: they ask for bids, let a part of them win, and bill those, sooner or later, once
//! or twice. They keep their own books, which the judges compare with the bidder's.

import { decimal } from "../../../shared/report/decimal.ts";
import { dayAt } from "../../../shared/time/days.ts";
import {
  CAMPAIGNS,
  type Campaign,
  LEAST_CENTS,
  MOST_CENTS,
  offsetOf,
  PRICE,
  PRICES,
  SSPS,
  type Variant,
} from "./catalog.ts";
import { CONTINENTS, type Fleet } from "./fleet.ts";
import type { Dice } from "./platform/dice.ts";
import type { Isolate, Platform, Reply } from "./platform/platform.ts";
import type { Rates } from "./platform/rates.ts";

/** A bid that the bidder has answered. Prices are nanos of `cur`. Times are milliseconds since the epoch. */
export interface Bid {
  id: string;
  campaign: Campaign;
  ssp: string;
  cur: keyof typeof PRICES;
  person: string;
  price: bigint;
  askedAt: number;
  /** The addresses of its notices, with macros. */
  urls: Urls;
  /** The path of the operator's question about it. */
  why: string;
  /** Whether the campaign has agreed to bid, whatever is left of its budget. */
  isAgreed: boolean;
  /** The notices of this bid that were sent: to which isolates, when, and at which prices. */
  notices: { isolate: Isolate; at: number; price: bigint | null }[];
  /** When it was made, by the clock of its isolate; and the quarter of that time, if the ledger has told it. */
  issued: [earliest: number, latest: number];
  quarter?: number;
  isolate: Isolate;
  /** What the ledger has booked in the campaign's currency, if it has told it. */
  own?: bigint | undefined;
  /** The price of the impression, if the bid has won: the highest of all its bills. */
  charged?: bigint;
  /** The highest price that was sent, and that was answered with a 204, and when that was first. */
  sent?: bigint;
  booked?: bigint;
  /** The highest price that the server of an exchange that cheats has sent: it replaces what its page has booked. */
  told?: bigint;
  /** The highest that `sent` was before: a report that was under way then may still have it. */
  highest?: bigint;
  bookedAt?: number;
  /** Whether a bill was refused for its price, so that the bid counts against its budget until it is booked. */
  isHeld?: true;
}

/** Where an exchange, or the page for `imp`, sends the notices of a bid. */
export type Urls = Record<"win" | "bill" | "loss" | "imp", string>;

/** A request to the bidder. */
export interface Asked {
  ssp: string;
  cur: keyof typeof PRICES;
  campaign: Campaign;
  person: string;
  isolate: Isolate;
  /** The id of the request, and its guaranteed deal. */
  id: string;
  deal?: string;
}

/** Requests a second, and the part of bids that win. */
const REQUESTS = 2;
const WINS = 0.5;
const BURST = 10;
const PEOPLE = 20;
/** Milliseconds in which a person has one request only. */
const PAUSE_MS = 10_000;
/** Milliseconds from a bid to its bill, and between two tries of a notice. */
export const BILL_MS = [1000, 60_000] as const;
const RETRY_MS = [8000, 12_000] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;

export class Market {
  readonly bids = new Map<string, Bid>();
  /** The requests of the exchanges that do not cheat. */
  readonly requests: { campaign: Campaign; at: number; isAnswered: boolean }[] = [];
  /** Notices that are not answered yet. */
  open = 0;
  isBursting = false;
  /** Whether late bills are due at once. */
  isPrompt = false;
  readonly #platform: Platform;
  readonly #fleet: Fleet;
  readonly #rates: Rates;
  readonly #dice: Dice;
  readonly #askedAt = new Map<string, number>();
  readonly #byPerson = new Map<string, Bid[]>();
  #requests = 0;
  #isTrading = false;
  /** Late bills that wait for their time. */
  readonly #late = new Set<() => void>();
  readonly #onBid: (bid: Bid) => void;

  /** `onBid` is called with each bid of an answer. */
  constructor(platform: Platform, fleet: Fleet, dice: Dice, onBid: (bid: Bid) => void) {
    [this.#platform, this.#fleet, this.#dice, this.#onBid] = [platform, fleet, dice, onBid];
    this.#rates = platform.rates;
  }

  /** Sends requests until {@link stop}. */
  trade(): void {
    this.#isTrading = true;
    this.#next();
  }

  stop(): void {
    this.#isTrading = false;
  }

  /** The exchanges bill everything within a minute. */
  hurry(): void {
    this.isPrompt = true;
    for (const bill of this.#late) this.#platform.world.after(this.#dice.between(...BILL_MS), bill);
    this.#late.clear();
  }

  /** The bids for a person. */
  bidsFor(person: string): readonly Bid[] {
    return this.#byPerson.get(person) ?? [];
  }

  #next(): void {
    if (!this.#isTrading) return;
    const rate = REQUESTS * (this.isBursting ? BURST : 1);
    const wait = (-Math.log(1 - this.#dice.unit()) * 1000) / rate;
    this.#platform.world.after(wait, () => {
      this.#ask();
      this.#next();
    });
  }

  /** Sends a request. `done` gets the bid; null if there is none. */
  ask(asked: Asked, done: (bid: Bid | null) => void): void {
    const { ssp, cur, campaign, person, isolate, deal } = asked;
    const { world } = this.#platform;
    const body = new TextEncoder().encode(requestOf(asked));
    const headers = { "content-type": "application/json", "content-length": `${body.byteLength}` };
    const [askedAt, clock] = [world.now, isolate.instance.now];
    this.#platform.fetch(isolate, `/bid/${ssp}`, { method: "POST", body, headers }, (reply) => {
      if (reply?.status !== 200) return done(null);
      const { id, cid, price, dealid, ...urls } = bidIn(reply.text);
      const isAgreed = campaign.deals?.some((own) => own.id === dealid && own.guaranteed) ?? false;
      const why = urls.bill.replace(/^.*\/n\/bill\/([^?]*).*$/, "/n/why/$1?p=5");
      const made = { id, campaign, ssp, cur, person, price: nanosOf(price), isolate, notices: [], why, urls, isAgreed };
      const bid: Bid = { ...made, askedAt, issued: [clock, isolate.instance.now] };
      if (cid !== campaign.cid || dealid !== deal || !PRICES[cur].includes(bid.price))
        throw new Error(`a bid of ${cid} at ${price} under ${dealid}`);
      world.tell("exchange", `gets bid ${id} of ${cid} for ${person} from ${isolate.instance.name}`);
      this.bids.set(id, bid);
      this.#byPerson.set(person, [...this.bidsFor(person), bid]);
      this.#onBid(bid);
      done(bid);
    });
  }

  #ask(): void {
    const { world } = this.#platform;
    const campaign = CAMPAIGNS[this.#dice.below(CAMPAIGNS.length)] as Campaign;
    const { id: ssp, cur } = SSPS[this.#dice.below(SSPS.length)] as (typeof SSPS)[number];
    const continent = CONTINENTS[this.#dice.below(CONTINENTS.length)] as string;
    const person = `${continent}-${this.#dice.below(PEOPLE)}`;
    const isolate = this.#fleet.any(this.#dice, continent);
    if (world.now - (this.#askedAt.get(person) ?? 0) < PAUSE_MS) return;
    this.#askedAt.set(person, world.now);
    const asked: Asked = { ssp, cur, campaign, person, isolate, id: `request-${this.#requests++}` };
    const request = { campaign, at: world.now, isAnswered: false };
    this.requests.push(request);
    this.ask(asked, (bid) => {
      if (bid === null) return;
      request.isAnswered = true;
      if (this.#dice.chance(WINS)) this.#sell(bid);
    });
  }

  /** Bills a bid that has won, as this exchange does. */
  #sell(bid: Bid): void {
    const { world } = this.#platform;
    const { doubled, raised, unpriced, lateBills, batches, batchMinutes } = this.#rates;
    const price = bid.price - BigInt(this.#dice.below(50_000));
    const prices = [price];
    if (this.#dice.chance(doubled)) prices.push(price);
    if (this.#dice.chance(raised)) prices.push(price + BigInt(this.#dice.below(Number(bid.price - price) + 1)));
    bid.charged = prices.at(-1) ?? price;
    const isTardy = bid.ssp === "tardy";
    const wait = this.#dice.between(...BILL_MS);
    if (this.#dice.chance(unpriced)) world.after(wait / 2, () => this.#call(bid, null));
    let due = world.now + wait;
    const batchMs = Math.round(batchMinutes) * MINUTE_MS;
    if (isTardy && this.#dice.chance(batches)) due = Math.ceil(due / batchMs) * batchMs;
    if (isTardy && this.#dice.chance(lateBills)) due += HOUR_MS;
    const bill = () => {
      this.#late.delete(bill);
      for (const one of prices) this.#call(bid, one);
    };
    this.open += prices.length;
    if (due - world.now <= BILL_MS[1] || this.isPrompt) world.after(Math.min(wait, due - world.now), bill);
    else {
      this.#late.add(bill);
      world.at(due, () => this.#late.has(bill) && bill());
    }
  }

  /** Sends a notice until it is answered with a 204; one without a price, only once. */
  #call(bid: Bid, price: bigint | null): void {
    const { world } = this.#platform;
    const path = filled(bid.urls.bill, price === null ? "" : decimal(price * 1000n), bid.cur);
    if (price !== null) bid.sent = largest(bid.sent, price);
    const take = (reply: Reply) => {
      world.tell("exchange", `bills ${bid.id} at ${price}: ${reply?.status ?? "no answer"}`);
      if (price === null) return;
      if (reply?.status === 204) {
        bid.bookedAt ??= world.now;
        bid.booked = largest(bid.booked, price);
        this.open--;
      } else world.after(this.#dice.between(...RETRY_MS), () => this.#call(bid, price));
    };
    const isolate = this.#fleet.any(this.#dice);
    bid.notices.push({ isolate, at: world.now, price });
    this.#platform.fetch(isolate, path, {}, take);
  }
}

/** The id that requests have for a person. */
export function ifaOf(person: string): string {
  return `00000000-0000-4000-8000-${person.replace("-", "").padStart(12, "0")}`;
}

/** The day of a bid in the time zone of its campaign. */
export function dayOf({ issued, quarter, campaign }: Bid, variant: Variant = "budgets"): string {
  const at = quarter === undefined ? issued[0] : quarter * QUARTER_MS;
  return dayAt(at + offsetOf(campaign, variant) * 60_000);
}

/** The path of a notice, with its macros filled. */
export function filled(url: string, price: string, cur: string, loss = "", rival = ""): string {
  const macros: Record<string, string> = { PRICE: price, CURRENCY: cur, LOSS: loss, MIN_TO_WIN: rival };
  const { pathname, search } = new URL(url.replace(/\$\{AUCTION_(\w+)\}/g, (_, name) => macros[name] ?? ""));
  return pathname + search;
}

function requestOf({ id, campaign, person, cur, deal }: Asked): string {
  const pmp = deal && { pmp: { private_auction: 1, deals: [{ id: deal, guar: 1, at: 1 }] } };
  return JSON.stringify({
    ...{ id, at: 1, cur: [cur], tmax: 1000 },
    imp: [{ id: "1", banner: { w: campaign.width, h: 250 }, ...pmp }],
    app: { bundle: "com.news.example" },
    device: { ifa: ifaOf(person) },
  });
}

interface Answered {
  id: string;
  cid: string;
  price: number;
  dealid?: string;
}

function bidIn(text: string): Answered & Urls {
  type Sent = Answered & Record<"nurl" | "burl" | "lurl" | "adm", string>;
  const { seatbid }: { seatbid: [{ bid: [Sent] }] } = JSON.parse(text);
  const { nurl: win, burl: bill, lurl: loss, adm, ...bid } = seatbid[0].bid[0];
  return { ...bid, win, bill, loss, imp: /https:[^"]*\/n\/imp\/[^"]*/.exec(adm)?.[0] ?? "" };
}

/** The least that a price of a bid can be in the campaign's currency, whichever rate the catalog had. */
export function leastOf({ cur }: Bid, price = 0n): bigint {
  return cur === "USD" ? price : (price * LEAST_CENTS) / 100n;
}

/** The most that it can be: no more than the bid. */
export function mostOf({ cur, own }: Bid, price = 0n): bigint {
  if (own !== undefined || cur === "USD") return own ?? price;
  const most = (price * MOST_CENTS) / 100n;
  return most < PRICE ? most : PRICE;
}

/** The price of an impression in nanos: as many as the price for a thousand has micros. */
function nanosOf(price: number): bigint {
  return BigInt(Math.round(price * 1e6));
}

export function largest(a: bigint | undefined, b: bigint): bigint {
  return a === undefined || b > a ? b : a;
}
