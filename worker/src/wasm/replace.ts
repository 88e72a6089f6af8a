//! Replaces an instance whose memory has grown, after the answer: a Wasm memory never shrinks, and an isolate has 128
//! MB.

import { MAX_SPARE_BYTES } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";

/** Checks the memory after a decision. Raises the counter `replaced`. */
export function replaceGrown(bidder: Bidder, ctx: Pick<ExecutionContext, "waitUntil">, counters: Counters): void {
  if (bidder.spareBytes > MAX_SPARE_BYTES) ctx.waitUntil(replace(bidder, counters));
}

async function replace(bidder: Bidder, counters: Counters): Promise<void> {
  // The answer goes out first.
  await scheduler.wait(0);
  // Another request may have replaced the instance meanwhile.
  if (bidder.spareBytes <= MAX_SPARE_BYTES) return;
  try {
    bidder.renew();
    counters.add("replaced");
  } catch (error) {
    // The old instance can still decide.
    fail("replace", error);
  }
}
