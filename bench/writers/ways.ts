//! Where to the bids are written, as Worker, driver and native side call it.

export const WAYS = ["response", "records", "stream", "gzip"] as const;
export type Way = (typeof WAYS)[number];

/** V8's, beside those of the module. */
export const STRINGIFY = "JSON.stringify";

/** Records that go to a stream at once. */
export const SLICE = 100;
