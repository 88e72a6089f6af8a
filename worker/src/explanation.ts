//! Why a bidder decides as it does.
//!
//! Made by the module that compiles, of a copy of the snapshot: the one that serves is smaller and faster without it. Both are
//! built of the same crate, so the checks are the same code. Decides nothing that is answered to anyone.

import { type Bidder, halves } from "./bidder.ts";
import { fail } from "./failures.ts";
import { type Compiling, Instance } from "./module.ts";

/** The explanation of the decision on a bid request, as JSON; `{"error"}` for what is no bid request, and after a trap. */
export function explanation(
  bidder: Bidder,
  body: Uint8Array,
  ssp: number,
  now: number,
  compiler: WebAssembly.Module,
): Uint8Array<ArrayBuffer> {
  const instance = new Instance<Compiling>(compiler);
  const snapshot = bidder.snapshot();
  try {
    instance.put(snapshot, body);
    instance.exports.explain(snapshot.byteLength, body.byteLength, ssp, now, ...halves(bidder.version));
    return instance.output();
  } catch (error) {
    fail("trap", error);
    return new TextEncoder().encode('{"error":"a trap while explaining"}').slice();
  }
}
