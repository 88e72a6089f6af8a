//! Looks at the memory of an isolate's instance around a post.

import { env } from "cloudflare:workers";
import type { Bidder } from "../../src/wasm/bidder.ts";
import type { Isolate } from "./isolate.ts";

/** Bytes of the instance's memory beyond its snapshot. */
export interface Spare {
  before: number;
  /** When the answer is there: the most that the decision took. */
  answered: number;
  /** When all has settled that goes on after the answer. */
  settled: number;
}

/** The bidder that the isolate serves with. */
export function bidderOf(isolate: Isolate): Bidder {
  const bidder = isolate.keeper.use(env, { waitUntil() {} });
  if (bidder === undefined) throw new Error("the isolate has no catalog");
  return bidder;
}

/** Posts a body and looks at the memory. */
export async function spareAfter(isolate: Isolate, body: BodyInit): Promise<Spare & { status: number }> {
  const bidder = bidderOf(isolate);
  const before = bidder.spareBytes;
  const { response, settle } = await isolate.answer(body);
  const answered = bidder.spareBytes;
  await settle();
  return { status: response.status, before, answered, settled: bidder.spareBytes };
}
