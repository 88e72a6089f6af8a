//! The Worker of the suite `peers`: whole decisions by edgebid and by the first-day bidder, in one isolate.
//!
//!     POST /mix           stores the posted requests, one per line
//!     POST /catalog       loads the posted document into both bidders
//!     GET  /answered      counts the requests that each bidder bids on, those that only one of them bids on, and those
//!                         on which the first-day bidder throws
//!     POST /warm?way=…    runs until the engine has compiled the code
//!     POST /batch?way=…   mean microseconds per decision of one batch

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { ZONES } from "../catalogs/zones.ts";
import { Bidder } from "../decide/module.ts";
import { batch, type Plan, warm } from "../measure.ts";
import { NOW_MS } from "../requests/now.ts";
import { type Answered, plainBidder } from "./plain.ts";

const WARM_MS = 500;
/** The result if the first-day bidder throws. A Worker would answer 500. */
const FAILED = "failed";

const plans = new Map<string, Plan>();
const calls = new Map<string, (at: number) => unknown>();
let texts: string[] = [];
let requests: Uint8Array[] = [];
/** Stores every result, so that the engine cannot skip a call. */
const kept: { answer: unknown } = { answer: undefined };

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const way = searchParams.get("way") ?? "";
    if (pathname === "/mix") {
      texts = (await request.text()).split("\n");
      requests = texts.map((text) => new TextEncoder().encode(text));
    } else if (pathname === "/catalog") {
      load(await request.text());
    } else if (pathname === "/answered") {
      return Response.json(answered());
    } else {
      const next = cycling(way);
      if (pathname === "/warm") plans.set(way, warm(next, WARM_MS, requests.length));
      const plan = plans.get(way);
      if (plan === undefined) throw new Error(`${way} is not warm`);
      if (pathname === "/batch") return Response.json(batch(next, plan));
    }
    return Response.json(null);
  },
} satisfies ExportedHandler;

function load(document: string): void {
  const bidder = new Bidder(module, compiler, new TextEncoder().encode(document), ZONES);
  const plain = plainBidder(JSON.parse(document));
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  calls.set("edgebid", (at) => bidder.decide(requests[at] as Uint8Array, NOW_MS).body);
  // A Worker gets bytes and answers with bytes, so decoding and encoding count.
  calls.set("first day", (at) => {
    try {
      const answer = plain(decoder.decode(requests[at]));
      return answer === null ? null : encoder.encode(answer);
    } catch {
      return FAILED;
    }
  });
}

function cycling(way: string): () => void {
  const call = calls.get(way);
  if (!call) throw new Error(`no way ${way}`);
  let at = 0;
  return () => {
    kept.answer = call(at);
    at = at + 1 < requests.length ? at + 1 : 0;
  };
}

function answered(): Answered {
  const of = (way: string) => requests.map((_, at) => calls.get(way)?.(at));
  const [ours, plain] = [of("edgebid"), of("first day")];
  const count = (is: (ours: unknown, plain: unknown) => boolean) =>
    requests.filter((_, at) => is(ours[at], plain[at])).length;
  const bids = (answer: unknown) => answer instanceof Uint8Array;
  return {
    ours: count((ours) => bids(ours)),
    plain: count((_, plain) => bids(plain)),
    onlyPlain: count((ours, plain) => bids(plain) && !bids(ours)),
    onlyOurs: count((ours, plain) => bids(ours) && !bids(plain)),
    fails: count((_, plain) => plain === FAILED),
  };
}
