//! The forms and destinations of the output, with the names that the Worker, the suite and the native program use.

export const WAYS = ["response", "records", "stream", "gzip"] as const;
export type Way = (typeof WAYS)[number];

/** The name of V8's writer. All other writers are in the module. */
export const STRINGIFY = "JSON.stringify";

/** Records per write to a stream. */
export const SLICE = 100;
