//! One catalog that decides on the requests: a bidder, with what a running bidder knows assumed.
//!
//! Assumed are whole shares of all budgets, and frequency caps that no person has reached. Prices are read from the
//! bids' events, which have them as integers.

import { wholeShares } from "../../worker/src/pacing/shares.ts";
import type { Outcome } from "../../worker/src/wasm/answers.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { Failure } from "../failure.mjs";
import { module } from "../module.ts";
import type { Named } from "./catalogs.ts";

/** A bid, as its event tells it. */
export interface Bid {
  impid: string;
  cid: string;
  crid: string;
  dealid?: string;
  /** The price for a thousand impressions in millionths of `cur`. */
  price_micros?: number;
  cur: string;
  /** Whether the auction is a test, which is not billed. */
  test?: boolean;
}

/** What a catalog decided on a request. */
export interface Decision {
  /** `bid`, `bad-request`, `trap`, `unknown-ssp`, or the no-bid reason. */
  outcome: string;
  bids: Bid[];
  /** The number of bids that are not in `bids`, because their events were too long. */
  untold: number;
  /** Whether the decision reached its limit of work. */
  isCutOff: boolean;
}

const UNKNOWN_SSP: Decision = { outcome: "unknown-ssp", bids: [], untold: 0, isCutOff: false };
const NO_BIDS: Bid[] = [];

/** The weight of a decision that writes an event for each bid and none for the auction. */
const BIDS_ONLY = 0;

/** The object of a region that counts for frequency caps: 1 and up. Which one makes no difference here. */
const SOME_OBJECT = 1;

/** A time after all decisions: the shares are never too old. */
const NEVER_OLD = Date.UTC(9999, 0);

/** Settings of notices. Their URLs go nowhere, so the key is no secret. */
const NOTICES = ["https://replay.example", 1, 1, "replay".repeat(8)];

const text = new TextDecoder();

export class Contender {
  readonly name: string;
  readonly version: string;
  readonly bidder: Bidder;
  readonly #ssps: ReadonlyMap<string, number>;

  constructor({ name, version, snapshot }: Named) {
    this.name = name;
    this.version = version;
    this.bidder = new Bidder(snapshot, module, version);
    this.#ssps = new Map(this.bidder.ssps.map((id) => [id, this.bidder.ssp(id) ?? 0]));
    // Without notices, nobody could be counted, and campaigns with caps would bid for unknown people only.
    if (this.bidder.hasCaps) this.bidder.useNotices(new TextEncoder().encode(NOTICES.join("\n")));
    this.bidder.useShares(new TextEncoder().encode(wholeShares(this.bidder, NEVER_OLD)));
    this.bidder.useSkadn(true);
  }

  /** Throws {@link Failure} if the catalog has no such SSP. */
  require(ssp: string, hint = ""): void {
    if (this.#ssps.has(ssp)) return;
    throw new Failure(`${this.name} has no SSP ${ssp}; it has ${this.bidder.ssps.join(", ")}${hint}`);
  }

  /** Decides on a request. `place`: the number of requests before it, from which the ids of the bids come. */
  decide(body: Uint8Array, ssp: string, now: number, place: number): Decision {
    const number = this.#ssps.get(ssp);
    if (number === undefined) return UNKNOWN_SSP;
    const first = this.bidder.decide(body, number, now, Math.floor(place / 2 ** 32), place >>> 0, BIDS_ONLY);
    const outcome = first.capped?.decide(SOME_OBJECT) ?? first;
    return { outcome: outcome.count, bids: bidsOf(outcome), untold: outcome.dropped, isCutOff: outcome.gaveUp };
  }

  /** Drops what the module counts for reports, before it runs out of room. */
  forget(): void {
    this.bidder.takeTally();
    this.bidder.takeCounts(0);
  }
}

function bidsOf({ records }: Outcome): Bid[] {
  if (records === null) return NO_BIDS;
  const lines = text.decode(records).trimEnd().replaceAll("\n", ",");
  return JSON.parse(`[${lines}]`);
}
