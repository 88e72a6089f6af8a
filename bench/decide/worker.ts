//! The Worker of the suites `decide` and `scale`: runs every way in one isolate, by name over HTTP.
//!
//!     POST /mix                            stores the posted requests, one per line
//!     POST /catalog?catalog=NAME           loads the posted document; returns the bytes of Wasm memory
//!     POST /twin?catalog=NAME              makes a twin of the posted document, after /catalog
//!     POST /allocations                    allocations per decision with the posted document
//!     GET  /answers?way=…&catalog=…        the outcomes of all requests
//!     GET  /warm?way=…&catalog=…           runs until the engine has compiled the code
//!     GET  /measure?…                      mean microseconds per request of one batch; after `warm`
//!     GET  /growth?catalog=…&decisions=N   growth of the instance's memory in bytes
//!
//! Each batch continues after the last request of the batch before.

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { ZONES } from "../catalogs/zones.ts";
import { batch, type Plan, warm } from "../measure.ts";
import { Readers } from "../readers/module.ts";
import counting from "../readers/pkg/bench_readers_bg.wasm";
import { NOW_MS } from "../requests/now.ts";
import { createTwin, type Twin } from "../twin/twin.ts";
import { Bidder } from "./module.ts";
import { type Outcome, outcomeOf } from "./outcomes.ts";
import { afterSweep, SWEEPING, sweep } from "./sweep.ts";

interface Loaded {
  bidder: Bidder;
  twin: Twin | undefined;
}

const WARM_MS = 250;
/** How often all requests are decided on while allocations are counted. */
const LAPS_COUNTED = 3;
const SSP = "demo";

const readers = new Readers();
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const catalogs = new Map<string, Loaded>();
const warmed = new Map<string, { next: () => void; plan: Plan }>();
/** Stores every result, so that the engine cannot skip a call. */
const kept: { answer: unknown; swept: number } = { answer: undefined, swept: 0 };
let requests: Uint8Array[] = [];
let texts: string[] = [];

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const name = url.searchParams.get("catalog") ?? "";
    if (url.pathname === "/mix") {
      texts = (await request.text()).split("\n");
      requests = texts.map((text) => encoder.encode(text));
      return new Response(null, { status: 204 });
    }
    if (request.method === "POST") return Response.json(await take(url.pathname, name, request));
    if (url.pathname === "/measure") {
      const ready = warmed.get(url.search);
      return ready ? Response.json(batch(ready.next, ready.plan)) : new Response("not warm", { status: 404 });
    }
    const loaded = catalogs.get(name);
    if (!loaded) return new Response("no such catalog", { status: 404 });
    return Response.json(answer(url, loaded));
  },
} satisfies ExportedHandler;

async function take(route: string, name: string, request: Request): Promise<number | null> {
  if (route === "/twin") {
    const loaded = catalogs.get(name);
    if (loaded) loaded.twin = createTwin(await request.json(), ZONES.zones);
    return null;
  }
  const document = new Uint8Array(await request.arrayBuffer());
  if (route === "/allocations") return allocations(document);
  const bidder = new Bidder(module, compiler, document, ZONES);
  catalogs.set(name, { bidder, twin: undefined });
  return bidder.memoryBytes;
}

function answer(url: URL, loaded: Loaded): unknown {
  const way = url.searchParams.get("way") ?? "";
  switch (url.pathname) {
    case "/answers":
      return answers(way, loaded);
    case "/growth":
      return growth(loaded.bidder, Number(url.searchParams.get("decisions")));
    case "/warm": {
      const next = cycling(run(way, loaded));
      warmed.set(url.search, { next, plan: warm(next, WARM_MS, requests.length) });
      return null;
    }
    default:
      throw new Error(`no route ${url.pathname}`);
  }
}

/** The call of a way with the request of a given number. */
function run(way: string, loaded: Loaded): (at: number) => unknown {
  const { bidder } = loaded;
  const behind = afterSweep(way);
  if (behind !== undefined) {
    const next = run(behind, loaded);
    return (at) => {
      kept.swept = sweep();
      return next(at);
    };
  }
  switch (way) {
    case SWEEPING:
      return sweep;
    case "edgebid":
      return (at) => bidder.decide(requests[at] as Uint8Array, NOW_MS);
    case "edgebid's reader":
    case "copy": {
      const reader = readers.names.indexOf(way === "copy" ? "copy" : "edgebid");
      return (at) => readers.read(reader, requests[at] as Uint8Array);
    }
    case "twin, text to text": {
      const twin = twinOf(loaded);
      return (at) => twin(SSP, texts[at] as string, NOW_MS);
    }
    case "twin, bytes to bytes": {
      const twin = twinOf(loaded);
      return (at) => {
        const { body } = twin(SSP, decoder.decode(requests[at]), NOW_MS);
        return body && encoder.encode(body);
      };
    }
    case "JSON.parse(string)":
      return (at) => JSON.parse(texts[at] as string);
    default:
      throw new Error(`no way ${way}`);
  }
}

function twinOf({ twin }: Loaded): Twin {
  if (!twin) throw new Error("there is no twin for this catalog");
  return twin;
}

function cycling(run: (at: number) => unknown): () => void {
  let at = 0;
  return () => {
    kept.answer = run(at);
    at = at + 1 < requests.length ? at + 1 : 0;
  };
}

function answers(way: string, loaded: Loaded): Outcome[] {
  const { bidder } = loaded;
  return requests.map((request, at) => {
    if (way === "edgebid") {
      const { status, body, isCutOff } = bidder.decide(request, NOW_MS);
      return outcomeOf(status, body && decoder.decode(body), bidder.examined, isCutOff);
    }
    const { status, body } = twinOf(loaded)(SSP, texts[at] ?? "", NOW_MS);
    return outcomeOf(status, body ?? null, null);
  });
}

/** Allocations per decision: the mean of several laps. The first lap does not count, because memory still grows. */
function allocations(document: Uint8Array): number | null {
  const bidder = new Bidder(counting, compiler, document, ZONES);
  const next = cycling((at) => bidder.decide(requests[at] as Uint8Array, NOW_MS));
  for (let count = 0; count < requests.length; count++) next();
  const before = bidder.allocations;
  for (let count = 0; count < LAPS_COUNTED * requests.length; count++) next();
  const after = bidder.allocations;
  return before === null || after === null ? null : (after - before) / (LAPS_COUNTED * requests.length);
}

/** Growth of memory during the decisions. It is measured after a first lap, in which memory may grow. */
function growth(bidder: Bidder, decisions: number): number {
  const next = cycling((at) => bidder.decide(requests[at] as Uint8Array, NOW_MS));
  for (let count = 0; count < requests.length; count++) next();
  const before = bidder.memoryBytes;
  for (let count = 0; count < decisions; count++) next();
  return bidder.memoryBytes - before;
}
