//! Constants that must be equal in the Worker and in the module (`crates/bidder-wasm/src`).
//! `worker/test/wasm/abi.test.ts` checks that they are equal.

/** The parts of the number that `decide` returns. */
export const ANSWER = {
  /** The HTTP status: 200, 204 or 400. */
  STATUS: 0x3ff,
  /** A TCF string is not valid, or does not disclose our vendor. */
  REFUSES_TCF: 1 << 10,
  /** Options have left something for the host. */
  LEFT: 1 << 11,
  /** The bids were not sound: a defect of edgebid. */
  BROKEN: 1 << 12,
  /** The request had more impressions than the module reads. */
  MORE_IMPS: 1 << 13,
  /** The auction is a test. */
  TEST: 1 << 14,
  /** The decision reached its limit of work. */
  GAVE_UP: 1 << 15,
  /** The bits from this one up hold 0 without a no-bid reason, or 1 plus the index of the reason. */
  REASON_SHIFT: 16,
} as const;

/** How a bid request and its answer are encoded. */
export const FORMAT = { JSON: 0, PROTOBUF: 1 } as const;
export type Format = (typeof FORMAT)[keyof typeof FORMAT];

/** The text in a `redirect` that stands for our id. */
export const OUR_ID = "$UID";

/** `lot` returns a number below this one, or this number itself if the body is not a bid request. */
export const LOTS = 1_000_000;

/** A version as two unsigned 32-bit numbers, which is how the modules take it. */
export function halves(version: string): [high: number, low: number] {
  return [Number.parseInt(version.slice(0, 8), 16), Number.parseInt(version.slice(8), 16)];
}
