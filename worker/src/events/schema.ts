//! The versioned schema of all events. It is flat, so that every format can hold it.
//!
//! No attribute describes a person: there is no id, address, consent string or place, even with consent. Every
//! format leaves out values that are empty, 0 or false. `event.schema.json` and `event.proto` are the same schema for
//! other programs.

import type { Attribute, Counts } from "../formats/format.ts";

/**
 * Grows when an attribute changes its meaning or is removed. New attributes may come without a new number. The crate
 * has the same number in `write/record.rs`.
 */
export const SCHEMA_VERSION = 1;

export interface Event {
  /** {@link SCHEMA_VERSION}. */
  v: number;
  /**
   * `auction`: one bid request; only a sample of the requests has an event. `bid`: one bid; every bid has an event.
   * `win`, `bill`, `loss`: one notice that counted; none is sampled. `sync`: one sync. `error`: one failure.
   */
  type: "auction" | "bid" | "win" | "bill" | "loss" | "sync" | "error";
  /**
   * Identifies duplicates of a type, which can be removed. bid, win, bill, loss: `bid.id`; auction: the first 16 digits
   * of its bids' ids.
   */
  id: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** Version of the catalog that decided. */
  catalog?: string;
  ssp?: string;
  /** `BidRequest.id`. */
  request?: string;
  /**
   * auction: `bid` or the no-bid reason; bill: the notice that billed, `bill`, `imp` or `win`; loss: OpenRTB's code of
   * the reason; sync: the result of the sync; error: what failed.
   */
  outcome?: string;
  /** error: the message of the failure. */
  message?: string;
  /** The number of auctions or errors that this event stands for. */
  weight?: number;
  /** How many campaigns each check rejected after the index had let them through, by no-bid reason. */
  funnel?: Counts;
  impid?: string;
  seat?: string;
  cid?: string;
  crid?: string;
  dealid?: string;
  /** The type of ad: 1 = banner, 2 = video, 3 = audio, 4 = native. */
  mtype?: number;
  /**
   * A price for a thousand impressions, in millionths of `cur`. bid: `bid.price`; bill: the price that was booked; win,
   * loss: the price that the notice tells.
   */
  price_micros?: number;
  cur?: string;
  /** Whether the auction is a test, which is not billable. */
  test?: boolean;
  /** win, loss: the highest price of another bidder, a CPM in millionths of `cur`. */
  min_to_win_micros?: number;
  /** The placement: `imp.ext.gpid` or `imp.ext.data.pbadslot`. Left out if it has more than 512 bytes. */
  gpid?: string;
  /**
   * The host name of the site, or of an app or screen without a bundle. Left out if it has more than 512 bytes, like
   * `bundle`, `publisher` and `tagid`.
   */
  domain?: string;
  /** The app's bundle or store id. */
  bundle?: string;
  /** `publisher.id`, if a campaign of the catalog targets sites or apps. */
  publisher?: string;
  /** `imp.tagid`. */
  tagid?: string;
  /** ISO 3166-1 alpha-3. */
  country?: string;
  /** The type of device as in AdCOM. */
  devicetype?: number;
  /** The floor that applied to the bid, for a thousand impressions, in millionths of `cur`. */
  bidfloor_micros?: number;
}

/** All attributes. New attributes go to the end. */
export const ATTRIBUTES: readonly Attribute<Event>[] = [
  { name: "v", kind: "integer", field: 1 },
  { name: "type", kind: "text", field: 2 },
  { name: "id", kind: "text", field: 3 },
  { name: "time", kind: "integer", field: 4 },
  { name: "catalog", kind: "text", field: 5 },
  { name: "ssp", kind: "text", field: 6 },
  { name: "request", kind: "text", field: 7 },
  { name: "outcome", kind: "text", field: 8 },
  { name: "message", kind: "text", field: 9 },
  { name: "weight", kind: "integer", field: 10 },
  { name: "funnel", kind: "counts", field: 11 },
  { name: "impid", kind: "text", field: 12 },
  { name: "seat", kind: "text", field: 13 },
  { name: "cid", kind: "text", field: 14 },
  { name: "crid", kind: "text", field: 15 },
  { name: "dealid", kind: "text", field: 16 },
  { name: "mtype", kind: "integer", field: 17 },
  { name: "price_micros", kind: "integer", field: 18 },
  { name: "cur", kind: "text", field: 19 },
  { name: "test", kind: "boolean", field: 20 },
  { name: "gpid", kind: "text", field: 21 },
  { name: "domain", kind: "text", field: 22 },
  { name: "bundle", kind: "text", field: 23 },
  { name: "publisher", kind: "text", field: 24 },
  { name: "tagid", kind: "text", field: 25 },
  { name: "country", kind: "text", field: 26 },
  { name: "devicetype", kind: "integer", field: 27 },
  { name: "bidfloor_micros", kind: "integer", field: 28 },
  { name: "min_to_win_micros", kind: "integer", field: 29 },
];
