//! Counts the WebAssembly instructions of decisions with notice URLs and without, and of reading a notice.

import { instrumented } from "../build.ts";
import { bidsOf, billOf, SETTINGS } from "../notices/ways.ts";
import { mix } from "../requests/mix.ts";
import { Decisions } from "./count.ts";

/** Mean instructions. */
export interface NoticeCounts {
  /** Of a decision on the mix with 1,000 campaigns. */
  mix: OnOff;
  /** The same requests, weighted so that nine get no bid for each one that gets a bid. */
  production: OnOff;
  /** Of reading a notice. */
  notice: number;
}

/** With notices, and without. */
type OnOff = Record<"on" | "off", number>;

/** The share of requests in production that get a bid. */
const BID_SHARE = 0.1;

export function noticeCounts(): NoticeCounts {
  const wasm = instrumented("count");
  const [on, off] = [new Decisions(wasm, 1000), new Decisions(wasm, 1000)];
  on.useNotices(SETTINGS);
  const texts = mix();
  const made = on.responses(texts).map(bidsOf);
  const [bids, others] = [texts.filter((_, at) => made[at]?.length), texts.filter((_, at) => !made[at]?.length)];
  const production = (one: Decisions) => BID_SHARE * one.mean(bids) + (1 - BID_SHARE) * one.mean(others);
  return {
    mix: { on: on.mean(texts), off: off.mean(texts) },
    production: { on: production(on), off: production(off) },
    notice: on.readingNotices(made.flat().map(billOf)),
  };
}
