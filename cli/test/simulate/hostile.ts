//! An exchange that cheats, and knows how the bidder works: it calls deals guaranteed and repeats ids that got a bid. Of
//! its bids, it sends notices that are forged, changed, of another kind, repeated or absurd; of the bids of others, the
//! ones that their pages show.
//!
//! It keeps honest books of what it may charge, as the other exchanges do, so that all judges look at its bids too.

import { decimal } from "../../../shared/report/decimal.ts";
import { CAMPAIGNS, type Campaign, HOSTILE, SPREAD } from "./catalog.ts";
import { CONTINENTS, type Fleet } from "./fleet.ts";
import { BILL_MS, type Bid, filled, largest, type Market } from "./market.ts";
import type { Dice } from "./platform/dice.ts";
import type { Isolate, Platform, Reply } from "./platform/platform.ts";

/**
 * The part of requests for the campaign whose budget is spread over the day, of the others for campaigns with deals, and of
 * all with an id that is repeated.
 */
const LOTTERY = 0.3;
const DEALS = 0.5;
const REPEATED = 0.7;
/** Ids that are repeated for each campaign, until one gets a bid. */
const IDS = 20;
/** Numbers of its people: no other exchange asks for them. */
const PEOPLE = [20, 25] as const;
/** The part of bids of which a bill is sent that counts; other notices of each bid, and of old bids in a minute. */
const BILLED = 0.4;
const LIES = 2;
/** Milliseconds between two tries of a bill. */
const RETRY_MS = 10_000;

/** Prices that a bill of 5 dollars cannot have, as in an address, and currencies in which 5 is too much, or that have no rate. */
const PRICES = [
  "5.1",
  "50",
  "9000000",
  "1e300",
  "0",
  "-5",
  "0.0000000",
  "",
  "NaN",
  "%24%7BAUCTION_PRICE%7D",
  "5,1",
  "%D9%A5",
];
const DEAR = "EUR";
const UNKNOWN = "XYZ";
/** Reasons of losses, and prices to win. */
const REASONS = ["0", "1", "3", "102", "103", "213", "-1", "4294967296", "x", ""];
const RIVALS = ["0", "-1", "0.000001", "9000000", "1e300", "99999999999999999999", "NaN", ""];
const KINDS = ["win", "bill", "loss", "imp"] as const;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const OTHERS = CAMPAIGNS.filter((one) => one !== SPREAD);
const WITH_DEALS = CAMPAIGNS.filter(({ deals }) => deals);

/** A request, as far as it is judged. */
export interface Attempt {
  at: number;
  deal?: string;
  isAnswered: boolean;
}

export class Hostile {
  readonly #platform: Platform;
  readonly #fleet: Fleet;
  readonly #market: Market;
  readonly #dice: Dice;
  /** For each campaign, the id of a request that got a bid. */
  readonly #lucky = new Map<Campaign, string>();
  readonly #bids: Bid[] = [];
  #rate = 0;
  #requests = 0;
  /** When notices were answered that are refused, for their token or for their price. */
  readonly refused: { at: number; isForged: boolean }[] = [];
  readonly attempts = { spread: [] as Attempt[], others: [] as Attempt[] };

  constructor(platform: Platform, fleet: Fleet, market: Market, dice: Dice) {
    [this.#platform, this.#fleet, this.#market, this.#dice] = [platform, fleet, market, dice];
  }

  /** Sends so many requests a second until {@link stop}. */
  begin(rate: number): void {
    this.#rate = rate;
    this.#next();
  }

  stop(): void {
    this.#rate = 0;
  }

  /** Sends the bills of some old bids again. */
  repeat(): void {
    if (this.#bids.length === 0) return;
    for (let n = 0; n < LIES; n++) {
      const bid = this.#any(this.#bids);
      this.#send(filled(bid.urls.bill, "5", bid.cur), bid, () => {});
    }
  }

  #next(): void {
    if (this.#rate === 0) return;
    const wait = (-Math.log(1 - this.#dice.unit()) * 1000) / this.#rate;
    this.#platform.world.after(wait, () => {
      if (this.#rate > 0) this.#ask();
      this.#next();
    });
  }

  #ask(): void {
    const [dice, { world }] = [this.#dice, this.#platform];
    // Answers change only the ids of these requests, not their times, so that other exchanges have the same chance.
    const isSpread = dice.chance(LOTTERY);
    const campaign = isSpread ? SPREAD : this.#any(dice.chance(DEALS) ? WITH_DEALS : OTHERS);
    const continent = this.#any(CONTINENTS);
    const person = `${continent}-${PEOPLE[0] + dice.below(PEOPLE[1] - PEOPLE[0])}`;
    const isolate = this.#fleet.any(dice, continent);
    const again = this.#lucky.get(campaign) ?? `again-${campaign.cid}-${dice.below(IDS)}`;
    const id = dice.chance(REPEATED) ? again : `new-${this.#requests++}`;
    const deal = campaign.deals && { deal: this.#any(campaign.deals).id };
    const attempt = { at: world.now, ...deal, isAnswered: false };
    this.attempts[isSpread ? "spread" : "others"].push(attempt);
    this.#market.ask({ ssp: HOSTILE.id, cur: HOSTILE.cur, campaign, person, isolate, id, ...deal }, (bid) => {
      attempt.isAnswered = bid !== null;
      if (bid) {
        this.#lucky.set(campaign, id);
        this.#bids.push(bid);
        this.#tell(bid);
      } else if (this.#lucky.get(campaign) === id) this.#lucky.delete(campaign);
    });
  }

  /** Plans the notices of a bid. */
  #tell(bid: Bid): void {
    const [dice, { world }] = [this.#dice, this.#platform];
    const soon = (run: () => void) => world.after(dice.between(...BILL_MS), run);
    const isBilled = dice.chance(BILLED);
    for (let n = 0; n < LIES; n++) soon(() => this.#lie(bid, isBilled));
    if (!isBilled) return;
    const lower = bid.price - BigInt(dice.below(4_000_000));
    // The call of a page proves only the impression, so the bid's price is booked until the server tells one. A price
    // slightly over the bid, as after rounding, books the bid too.
    const ways = [
      [["bill", lower]],
      [
        ["bill", lower],
        ["bill", bid.price + 1n],
      ],
      [["imp", lower]],
      [
        ["imp", lower],
        ["bill", bid.price],
      ],
      [
        ["imp", bid.price],
        ["bill", lower],
      ],
    ] as const;
    const way = this.#any(ways);
    bid.charged = way === ways[0] || way === ways[4] ? lower : bid.price;
    this.#market.open += way.length;
    for (const [kind, price] of way) soon(() => this.#bill(bid, kind, price));
  }

  /** Sends a bill that counts, until it is answered with a 204. */
  #bill(bid: Bid, kind: "bill" | "imp", price: bigint): void {
    const { world } = this.#platform;
    const booked = kind === "imp" || price > bid.price ? bid.price : price;
    if (kind === "bill") bid.told = largest(bid.told, booked);
    // After the answer to a bill, no page changes the price.
    if (kind === "bill" || bid.booked === undefined) bid.sent = largest(bid.sent, booked);
    const isolate = this.#send(filled(bid.urls[kind], decimal(price * 1000n), bid.cur), bid, (reply) => {
      if (reply?.status !== 204) return void world.after(RETRY_MS, () => this.#bill(bid, kind, price));
      this.#market.open--;
      bid.bookedAt ??= world.now;
      // Another notice may have booked the bid at a lower price, which a page does not raise.
      if (kind !== "bill") return;
      bid.booked = largest(bid.booked, booked);
      bid.highest = largest(bid.highest, bid.sent ?? 0n);
      if (bid.told !== undefined) bid.sent = bid.told;
    });
    bid.notices.push({ isolate, at: world.now, price: booked });
  }

  /** Sends one notice that books nothing. `isBilled`: a bill that counts is sent too. */
  #lie(bid: Bid, isBilled: boolean): void {
    const dice = this.#dice;
    const kind = this.#any(["bill", "imp"] as const);
    const token = tokenOf(bid.urls[kind]);
    const [head, tail] = [token.slice(0, -22), token.slice(-22)];
    const stranger = this.#stranger(bid);
    const at = dice.below(token.length);
    const changed =
      token.slice(0, at) + this.#any([...LETTERS].filter((one) => one !== token[at])) + token.slice(at + 1);
    const forged = (name: string, text: string) => `/n/${name}/${text}?p=1.5&c=${bid.cur}`;
    const [one, other] = this.#two(KINDS);
    const lies = [forged(one, tokenOf(bid.urls[other])), forged(kind, changed)];
    if (stranger) {
      lies.push(
        forged(kind, tokenOf(stranger.urls.bill).slice(0, -22) + tail),
        forged(kind, head + tokenOf(stranger.urls.bill).slice(-22)),
        forged(kind, tokenOf(stranger.urls.win)),
      );
    }
    // Without a rate, the answer is always a 503, so that nobody knows whether the bid counts against its budget.
    if (isBilled) lies.push(filled(bid.urls[kind], "5", UNKNOWN));
    this.#refuse(bid, this.#any(lies));
    if (dice.chance(0.5)) {
      this.#market.open++;
      bid.charged ??= bid.price;
      const prices = [filled(bid.urls[kind], this.#any(PRICES), bid.cur), filled(bid.urls[kind], "5", DEAR)];
      this.#hold(bid, this.#any(prices));
    }
    this.#send(filled(bid.urls.loss, "", bid.cur, this.#any(REASONS), this.#any(RIVALS)), bid, () => {});
    if (dice.chance(0.5)) this.#send(filled(bid.urls.win, this.#any(PRICES), bid.cur), bid, () => {});
  }

  /** Sends a notice once that must be refused. */
  #refuse(bid: Bid, path: string): void {
    this.#send(path, bid, (reply) => {
      if (reply?.status === 204) this.refused.push({ at: this.#platform.world.now, isForged: true });
    });
  }

  /** Sends a bill with an impossible price, until it is answered: it is refused, but counts against the budget. */
  #hold(bid: Bid, path: string): void {
    this.#send(path, bid, (reply) => {
      const { world } = this.#platform;
      if (reply?.status !== 204) return void world.after(RETRY_MS, () => this.#hold(bid, path));
      this.#market.open--;
      this.refused.push({ at: world.now, isForged: false });
      bid.isHeld = true;
    });
  }

  /**
   * A bid that another exchange got or, if it finds none, another one of its own; undefined if it has no other. With parts
   * of the bid's own notices, a token would be right.
   */
  #stranger(bid: Bid): Bid | undefined {
    const bids = this.#market.bidsFor(`${this.#any(CONTINENTS)}-${this.#dice.below(PEOPLE[0])}`);
    const found = bids.length > 0 ? bids : this.#bids.filter((one) => one !== bid);
    return found[this.#dice.below(Math.max(1, found.length))];
  }

  #send(path: string, { id }: Bid, done: (reply: Reply) => void): Isolate {
    const isolate = this.#fleet.any(this.#dice);
    this.#platform.fetch(isolate, path, {}, (reply) => {
      this.#platform.world.tell("hostile", `sends for ${id} ${path}: ${reply?.status ?? "no answer"}`);
      done(reply);
    });
    return isolate;
  }

  #two<T>(all: readonly T[]): [T, T] {
    const first = this.#dice.below(all.length);
    const second = (first + 1 + this.#dice.below(all.length - 1)) % all.length;
    return [all[first] as T, all[second] as T];
  }

  #any<T>(all: readonly T[]): T {
    return all[this.#dice.below(all.length)] as T;
  }
}

function tokenOf(url: string): string {
  return /\/n\/\w+\/([^?]*)/.exec(url)?.[1] ?? "";
}
