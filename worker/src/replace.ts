//! An instance whose memory has grown is replaced behind the answer: a memory never shrinks, and an isolate has little of it.

import type { Bidder } from "./bidder.ts";
import type { Counters } from "./counters.ts";
import { fail } from "./failures.ts";
import { MAX_SPARE_BYTES } from "./limits.ts";

/** Looks at the memory after a decision. Counts `replaced`. */
export function replaceGrown(bidder: Bidder, ctx: Pick<ExecutionContext, "waitUntil">, counters: Counters): void {
  if (bidder.spareBytes > MAX_SPARE_BYTES) ctx.waitUntil(replace(bidder, counters));
}

async function replace(bidder: Bidder, counters: Counters): Promise<void> {
  // Nobody shall wait for it: the answer goes out first.
  await scheduler.wait(0);
  // Another request may have seen to it meanwhile.
  if (bidder.spareBytes <= MAX_SPARE_BYTES) return;
  try {
    bidder.replace();
    counters.add("replaced");
  } catch (error) {
    // The one that is there can still decide.
    fail("replace", error);
  }
}
