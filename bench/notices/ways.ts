//! The ways that the suite `notices` compares, shared by the suite and its Worker.

/** The ways to book bills, with their names for people. */
export const BOOKINGS = {
  group: "edgebid, group commit",
  single: "a transaction each",
  nothing: "a call that books nothing",
};

/** The bookings of one turn. */
export interface Booked {
  bills: number;
  /** New bills that the ledger took for duplicates. */
  wrong: number;
  seconds: number;
  /** Rows written in SQLite. */
  rows: number;
}

/** The lines of `set_notices` in `crates/bidder-wasm/src`: origin, number of shards, number of keys, key. */
export const SETTINGS = ["https://bidder.example", "32", "1", "a-key-of-the-benchmarks-that-signs-nothing-else"].join(
  "\n",
);

/** The attributes of a bid that its billing notice needs. */
export interface Bid {
  price: number;
  burl?: string;
  adm?: string;
}

/** The bids of a response; none without a response. */
export function bidsOf(response: string | null): Bid[] {
  const { seatbid = [] }: { seatbid?: { bid: Bid[] }[] } = JSON.parse(response ?? "{}");
  return seatbid.flatMap(({ bid }) => bid);
}

/** The end of the URL of the notice that bills this bid at its price. */
export function billOf({ price, burl = "", adm = "" }: Bid): string {
  const path = /\/n\/((bill|imp)\/[^?]+)/.exec(burl + adm)?.[1];
  if (path === undefined) throw new Error(`no notice of ours bills: ${burl} ${adm}`);
  return `${path}?p=${price}&c=USD`;
}
