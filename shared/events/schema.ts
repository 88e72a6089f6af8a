//! The versioned schema of all events. It is flat, so that every format can hold it.
//!
//! No attribute describes a person: even with consent, there is no id, address, consent string or location. Every
//! format leaves out values that are empty, 0 or false. `event.schema.json` and `event.proto` are the same schema for
//! other programs.

import { type Attribute, csvOf, type Format, ndjson, type RecordOf } from "../formats/format.ts";
import { protobufOf } from "../formats/protobuf.ts";

/**
 * Rises when an attribute changes its meaning or is removed, but not for new attributes. The crate has the same number
 * in `write/record.rs`.
 */
export const SCHEMA_VERSION = 1;

/** All attributes, in the order of their fields in protobuf and of the CSV columns. New attributes go to the end. */
export const ATTRIBUTES = [
  /** {@link SCHEMA_VERSION}. */
  { name: "v", kind: "integer", field: 1 },
  /**
   * `auction`: one bid request; only a sample of the requests has an event. `bid`: one bid; every bid has an event.
   * `win`, `bill`, `loss`: one notice that counted; all of them have an event. `sync`: one sync. `error`: one failure.
   */
  { name: "type", kind: "text", field: 2 },
  /**
   * Unique within a type, so that receivers can remove duplicates. bid, win, bill, loss: `bid.id`; auction: the first
   * 16 digits of its bids' ids.
   */
  { name: "id", kind: "text", field: 3 },
  /** Milliseconds since the epoch. */
  { name: "time", kind: "integer", field: 4 },
  /** Version of the catalog that decided. */
  { name: "catalog", kind: "text", field: 5 },
  { name: "ssp", kind: "text", field: 6 },
  /** `BidRequest.id`. */
  { name: "request", kind: "text", field: 7 },
  /**
   * auction: `bid` or the no-bid reason; bill: the notice that billed, `bill`, `imp` or `win`; loss: OpenRTB's code of
   * the reason; sync: the result of the sync; error: what failed.
   */
  { name: "outcome", kind: "text", field: 8 },
  /** error: the message of the failure. */
  { name: "message", kind: "text", field: 9 },
  /** The number of auctions or errors that this event stands for. */
  { name: "weight", kind: "integer", field: 10 },
  /** How many campaigns each check rejected, of those that the index let through, by no-bid reason. */
  { name: "funnel", kind: "counts", field: 11 },
  { name: "impid", kind: "text", field: 12 },
  { name: "seat", kind: "text", field: 13 },
  { name: "cid", kind: "text", field: 14 },
  { name: "crid", kind: "text", field: 15 },
  { name: "dealid", kind: "text", field: 16 },
  /** The type of ad: 1 = banner, 2 = video, 3 = audio, 4 = native. */
  { name: "mtype", kind: "integer", field: 17 },
  /**
   * A price for a thousand impressions, in millionths of `cur`. bid: `bid.price`; bill: the booked price; win, loss:
   * the price in the notice.
   */
  { name: "price_micros", kind: "integer", field: 18 },
  { name: "cur", kind: "text", field: 19 },
  /** Whether the auction is a test, which is not billable. */
  { name: "test", kind: "boolean", field: 20 },
  /** The placement: `imp.ext.gpid` or `imp.ext.data.pbadslot`. Left out if it has more than 512 bytes. */
  { name: "gpid", kind: "text", field: 21 },
  /**
   * The host name of the site, or of an app or screen without a bundle. Left out if it has more than 512 bytes, like
   * `bundle`, `publisher` and `tagid`.
   */
  { name: "domain", kind: "text", field: 22 },
  /** The app's bundle or store id. */
  { name: "bundle", kind: "text", field: 23 },
  /** `publisher.id`, if a campaign of the catalog targets sites or apps. */
  { name: "publisher", kind: "text", field: 24 },
  /** `imp.tagid`. */
  { name: "tagid", kind: "text", field: 25 },
  /** ISO 3166-1 alpha-3. */
  { name: "country", kind: "text", field: 26 },
  /** The device type, as in AdCOM. */
  { name: "devicetype", kind: "integer", field: 27 },
  /** The floor that applied to the bid, for a thousand impressions, in millionths of `cur`. */
  { name: "bidfloor_micros", kind: "integer", field: 28 },
  /** win, loss: the highest price of another bidder, a CPM in millionths of `cur`. */
  { name: "min_to_win_micros", kind: "integer", field: 29 },
] as const satisfies readonly Attribute[];

/** An event. {@link ATTRIBUTES} says what each attribute means. */
export interface Event extends RecordOf<typeof ATTRIBUTES> {
  v: number;
  type: "auction" | "bid" | "win" | "bill" | "loss" | "sync" | "error";
  id: string;
  time: number;
}

/** The number of the field `events` in `event.proto`. */
const EVENTS_FIELD = 1;

export const csv = csvOf<Event>(ATTRIBUTES);
export const protobuf = protobufOf<Event>(ATTRIBUTES, EVENTS_FIELD);

/** The formats, by the values of COLLECTOR_FORMAT. */
export const FORMATS: Readonly<Record<string, Format<Event>>> = { ndjson, csv, protobuf };
