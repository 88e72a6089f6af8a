//! The Worker of the suites `decide` and `scale`: runs every way in one isolate. An input is a catalog. Its own routes:
//!
//!     mix                          stores the posted requests, one per line
//!     catalog?input=NAME           loads the posted document; returns the bytes of Wasm memory
//!     peer?input=NAME              makes a peer of the posted document, after `catalog`
//!     answers?input=NAME           an `Answers`
//!     allocations                  allocations per decision with the posted document
//!     growth?input=NAME&calls=N    growth of the instance's memory in bytes

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { ZONES } from "../catalogs/zones.ts";
import { counted, cycling, isolate, linesOf, type Work } from "../isolate.ts";
import { Readers } from "../readers/module.ts";
import counting from "../readers/pkg/bench_readers_bg.wasm";
import { NOW_MS } from "../requests/now.ts";
import { answersOf } from "./answers.ts";
import { Bidder } from "./module.ts";
import { type Peer, peerBidder } from "./peer.ts";
import { sweep } from "./sweep.ts";

type Call = (at: number) => unknown;

/** Runs the way of this name directly after the caches were cleared. */
const SWEPT = /^swept: (.*)$/;
const LAPS_COUNTED = 3;

const readers = new Readers();
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const bidders = new Map<string, Bidder>();
const peers = new Map<string, Peer>();
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
    const bidder = new Bidder(module, compiler, document, ZONES);
    bidders.set(query("input"), bidder);
    return bidder.memoryBytes;
  },
  peer: (document, query) => void peers.set(query("input"), safe(peerBidder(JSON.parse(decoder.decode(document))))),
  answers: (_, query) => answersOf(texts, bidderOf(query("input")), peers.get(query("input"))),
  allocations: (document) => {
    const bidder = new Bidder(counting, compiler, document, ZONES);
    const work = { call: decisions(bidder), count: requests.length };
    // In the first lap, memory still grows.
    counted(work, () => bidder.allocations, 1);
    return counted(work, () => bidder.allocations, LAPS_COUNTED);
  },
  growth: (_, query) => {
    const bidder = bidderOf(query("input"));
    const next = cycling({ call: decisions(bidder), count: requests.length });
    for (let lap = 0; lap < requests.length; lap++) next();
    const before = bidder.memoryBytes;
    for (let call = 0; call < Number(query("calls")); call++) next();
    return bidder.memoryBytes - before;
  },
});

function workOf(way: string, catalog: string): Work {
  const swept = SWEPT.exec(way)?.[1];
  const call = WAYS[swept ?? way]?.(catalog);
  if (call === undefined) throw new Error(`no way ${way}`);
  const after = (at: number) => {
    kept.swept = sweep();
    return call(at);
  };
  return { call: swept === undefined ? call : after, count: requests.length };
}

function decisions(bidder: Bidder): Call {
  return (at) => bidder.decide(requests[at] as Uint8Array, NOW_MS);
}

function reading(name: string): Call {
  const reader = readers.names.indexOf(name);
  return (at) => readers.read(reader, requests[at] as Uint8Array);
}

function bidderOf(catalog: string): Bidder {
  const bidder = bidders.get(catalog);
  if (bidder === undefined) throw new Error(`no catalog ${catalog}`);
  return bidder;
}

function peerOf(catalog: string): Peer {
  const peer = peers.get(catalog);
  if (peer === undefined) throw new Error(`no peer for ${catalog}`);
  return peer;
}

/** The peer with no bid where it throws. */
function safe(peer: Peer): Peer {
  return (text) => {
    try {
      return peer(text);
    } catch {
      return null;
    }
  };
}
