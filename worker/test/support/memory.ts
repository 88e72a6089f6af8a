//! Measures the memory of an isolate's instance before and after a post.

import { env } from "cloudflare:workers";
import type { Bidder } from "../../src/wasm/bidder.ts";
import type { Isolate } from "./isolate.ts";

/** Bytes of the instance's memory besides its snapshot. */
export interface Spare {
  before: number;
  /** At the time of the answer, when the memory is largest. */
  answered: number;
  /** At the end of the work after the answer. */
  settled: number;
}

/** The isolate's current bidder. */
export function bidderOf(isolate: Isolate): Bidder {
  const bidder = isolate.keeper.use(env, { waitUntil() {} });
  if (bidder === undefined) throw new Error("the isolate has no catalog");
  return bidder;
}

/** Posts a body and measures the memory. */
export async function spareAfter(isolate: Isolate, body: BodyInit): Promise<Spare & { status: number }> {
  const bidder = bidderOf(isolate);
  const before = bidder.spareBytes;
  const { response, settle } = await isolate.answer(body);
  const answered = bidder.spareBytes;
  await settle();
  return { status: response.status, before, answered, settled: bidder.spareBytes };
}
