//! Why a bidder decides as it does.
//!
//! Made by the module that compiles, of a copy of the snapshot: the one that serves is smaller and faster without it. Both are
//! built of the same crate, so the checks are the same code. Decides nothing that is answered to anyone.

import { fail } from "../telemetry/failures.ts";
import { type Bidder, halves } from "./bidder.ts";
import { type Compiling, Instance, isTrue } from "./instance.ts";

export interface Explanation {
  /** The report as JSON, or `{"error"}`. */
  json: Uint8Array<ArrayBuffer>;
  /** What the SSP gets where there is no report: 400 for what is no bid request, 204 after a trap. */
  status: 400 | 204 | null;
}

/** The explanation of the decision on a bid request. */
export function explanation(
  bidder: Bidder,
  body: Uint8Array,
  ssp: number,
  now: number,
  compiler: WebAssembly.Module,
): Explanation {
  const instance = new Instance<Compiling>(compiler);
  const snapshot = bidder.snapshot();
  try {
    instance.put(snapshot, body);
    const { explain } = instance.exports;
    const isReport = isTrue(explain(snapshot.byteLength, body.byteLength, ssp, now, ...halves(bidder.version)));
    return { json: instance.output(), status: isReport ? null : 400 };
  } catch (error) {
    fail("trap", error);
    return { json: new TextEncoder().encode('{"error":"a trap while explaining"}').slice(), status: 204 };
  }
}
