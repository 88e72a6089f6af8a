//! What a bidder tells while somebody watches, from this machine or from an account.

import type { Second } from "../../worker/src/tail/seconds.ts";

export type { Second };

/** A second's figures, or a request without what identifies a person: `{"ssp","at","outcome","request"}` as a line of JSON. */
export type Heard = { second: Second } | { captured: string };

/** Tells what a bidder does until the signal ends it. Throws `Failure` if there is nothing to hear. */
export type Source = (signal: AbortSignal) => AsyncIterable<Heard>;
