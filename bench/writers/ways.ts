//! The forms and destinations of the output, as Worker, driver and native side name them.

export const WAYS = ["response", "records", "stream", "gzip"] as const;
export type Way = (typeof WAYS)[number];

/** V8's writer, beside those of the module. */
export const STRINGIFY = "JSON.stringify";

/** Records per write to a stream. */
export const SLICE = 100;
