//! What an event says: one versioned schema for all kinds, flat, so that every format can hold it.
//!
//! No attribute is of a person: no id, address, consent string or place, whatever the verdict. A value that is
//! empty, 0 or false is left out, in every format. The same schema for other programs: `event.schema.json`, `event.proto`.

/** Also the crate's, in `write/record.rs`. Goes up when an attribute changes its meaning or goes; a new one may come at any time. */
export const SCHEMA_VERSION = 1;

/** How often each check kept out a campaign that the index had let through, by no-bid reason. */
export type Funnel = Record<string, number>;

export interface Event {
  /** {@link SCHEMA_VERSION}. */
  v: number;
  /** `auction`: one request, sampled. `bid`: one bid, always told. `sync`, `error`. */
  type: "auction" | "bid" | "sync" | "error";
  /** To de-duplicate by: an event may arrive twice. Of a bid the `bid.id` on the wire, of an auction the 16 digits in those. */
  id: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** Version of the catalog that decided. */
  catalog?: string;
  ssp?: string;
  /** `BidRequest.id`. */
  request?: string;
  /** auction: `bid` or the no-bid reason; sync: what came of it; error: what failed. */
  outcome?: string;
  /** error: what it said. */
  message?: string;
  /** How many auctions or errors this one stands for. */
  weight?: number;
  funnel?: Funnel;
  impid?: string;
  seat?: string;
  cid?: string;
  crid?: string;
  dealid?: string;
  /** 1 banner, 2 video, 3 audio, 4 native. */
  mtype?: number;
  /** `bid.price` in millionths of `cur`, for a thousand impressions. */
  price_micros?: number;
  cur?: string;
  /** Not billable. */
  test?: boolean;
  /** `imp.ext.gpid` or `imp.ext.data.pbadslot`: the placement; left out over 512 bytes. */
  gpid?: string;
}

/** What an attribute holds: integers are at most 2^53, times and money included. */
export type Kind = "integer" | "text" | "boolean" | "counts";

export interface Attribute {
  name: keyof Event;
  kind: Kind;
  /** Number of the field in `event.proto`. Never used for anything else again. */
  field: number;
}

/** In the order of CSV's columns, which new ones go behind. */
export const ATTRIBUTES: readonly Attribute[] = [
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
];
