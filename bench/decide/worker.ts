//! The Worker of the suites `decide` and `scale`: runs every way in one isolate. An input is a catalog. Its own routes:
//!
//!     mix                          stores the posted requests, one per line
//!     catalog?input=NAME           stores the posted document and loads it; returns the bytes of Wasm memory
//!     answers?input=NAME&peer=…    an `Answers`, with the peer of a catalog
//!     growth?input=NAME&calls=N    growth of the instance's memory in bytes

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { isolate, linesOf, repeating, type Work } from "../isolate.ts";
import { module as counting, type Measured, read, readers } from "../measured/module.ts";
import { answersOf } from "./answers.ts";
import { Bidder } from "./module.ts";
import { peerBidder, safely } from "./peer.ts";

type Call = (at: number) => unknown;

/** Runs the way of this name directly after the caches were cleared. */
const SWEPT = /^swept: (.*)$/;
/** Bytes to read for that: three times the second-level cache of a server's core. */
const SWEPT_BYTES = 3 << 20;
const LINE_BYTES = 64;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const bidders = new Map<string, Bidder>();
const documents = new Map<string, Uint8Array>();
const memory = new Uint8Array(SWEPT_BYTES).fill(1);
/** Keeps what was swept, so that the engine cannot skip it. */
const kept = { swept: 0 };
let requests: Uint8Array[] = [];
let texts: string[] = [];

/** Each way by its name, with the catalog of this name. */
const WAYS: Record<string, (catalog: string) => Call> = {
  edgebid: (catalog) => decisions(bidderOf(catalog)),
  reader: () => reading("edgebid"),
  copy: () => reading("copy"),
  peer: (catalog) => {
    const peer = peerOf(catalog);
    // A Worker gets bytes and answers with bytes, so decoding and encoding count.
    return (at) => {
      const answer = peer(decoder.decode(requests[at]));
      return answer && encoder.encode(answer);
    };
  },
  "JSON.parse(string)": () => (at) => JSON.parse(texts[at] as string),
  sweeping: () => sweep,
};

export default isolate(workOf, {
  mix: (body) => {
    requests = linesOf(body);
    texts = requests.map((request) => decoder.decode(request));
  },
  catalog: (document, query) => {
    const bidder = new Bidder(module, compiler, document);
    bidders.set(query("input"), bidder);
    documents.set(query("input"), document);
    return bidder.instance.size;
  },
  answers: (_, query) => answersOf(texts, bidderOf(query("input")), query("peer") ? peerOf(query("peer")) : undefined),
  growth: async (_, query) => {
    const bidder = bidderOf(query("input"));
    const run = repeating({ call: decisions(bidder), count: requests.length });
    await run(requests.length);
    const before = bidder.instance.size;
    await run(Number(query("calls")));
    return bidder.instance.size - before;
  },
});

function workOf(way: string, catalog: string): Work {
  const count = requests.length;
  if (way === "counting") {
    const bidder = new Bidder<Measured>(counting, compiler, documentOf(catalog));
    return { call: decisions(bidder), count, counter: bidder.instance.exports.bench_allocations };
  }
  const swept = SWEPT.exec(way)?.[1];
  const call = WAYS[swept ?? way]?.(catalog);
  if (call === undefined) throw new Error(`no way ${way}`);
  const after = (at: number) => {
    kept.swept = sweep();
    return call(at);
  };
  return { call: swept === undefined ? call : after, count };
}

/**
 * Clears the processor's caches, so that the next call starts cold, as after other isolates ran: reads one byte of each
 * cache line. Branch predictors and the third-level cache stay warm.
 */
function sweep(): number {
  let sum = 0;
  for (let at = 0; at < SWEPT_BYTES; at += LINE_BYTES) sum += memory[at] ?? 0;
  return sum;
}

function decisions(bidder: Bidder): Call {
  return (at) => bidder.decide(requests[at] as Uint8Array);
}

function reading(name: string): Call {
  const reader = readers.indexOf(name);
  return (at) => read(reader, requests[at] as Uint8Array);
}

function peerOf(catalog: string) {
  return safely(peerBidder(JSON.parse(decoder.decode(documentOf(catalog)))));
}

function documentOf(catalog: string): Uint8Array {
  return documents.get(catalog) ?? missing(catalog);
}

function bidderOf(catalog: string): Bidder {
  return bidders.get(catalog) ?? missing(catalog);
}

function missing(catalog: string): never {
  throw new Error(`no catalog ${catalog}`);
}
