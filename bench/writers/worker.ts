//! The Worker of the suite `writers`: all writers in one isolate, by name over HTTP.
//!
//!     POST /lists                           loads the lists of bids from JSON
//!     GET  /writers                         the names of the writers
//!     GET  /right?writer=…&way=…&list=N     whether its output reads back unchanged; null if it cannot write that way
//!     GET  /written?…                       the bytes of its output
//!     GET  /warm?…                          writes until the engine has compiled the code; returns the bytes allocated per
//!                                           write, null for V8
//!     GET  /measure?…                       mean microseconds of one batch; after `warm`
//!
//! A stream gets the records in slices, like an export that must not hold all of them.

import { batch, batchAwaiting, type Plan, warm, warmAwaiting } from "../measure.ts";
import { Writers } from "./module.ts";
import type { Bid } from "./records.ts";
import { SLICE, STRINGIFY, type Way } from "./ways.ts";

/** What one writer does with one list. */
interface Work {
  count: number;
  /** Writes the bids `from` to `to`. */
  write(from: number, to: number): Uint8Array<ArrayBuffer>;
}

type Measure = () => number | Promise<number>;

const WARM_MS = 100;
const WRITES_COUNTED = 5;

const encoder = new TextEncoder();
const warmed = new Map<string, Measure>();
/** Stores every result, so that the engine cannot skip a write. */
const kept: { bytes: number } = { bytes: 0 };
let lists: Bid[][] = [];
let writers: Writers | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    if (request.method === "POST") {
      const bytes = new Uint8Array(await request.arrayBuffer());
      writers = new Writers(bytes);
      lists = JSON.parse(new TextDecoder().decode(bytes));
      return new Response(null, { status: 204 });
    }
    if (!writers) return new Response("no lists", { status: 409 });
    if (pathname === "/writers") return Response.json([...writers.names, STRINGIFY]);
    if (pathname === "/measure") {
      const measure = warmed.get(search);
      return measure ? Response.json(await measure()) : new Response("not warm", { status: 404 });
    }
    const [writer, list] = [searchParams.get("writer") ?? "", Number(searchParams.get("list"))];
    const way = searchParams.get("way") as Way;
    if (pathname === "/right") return Response.json(isRight(writers, writer, way, list));
    const work = workOf(writers, writer, way, list);
    if (pathname === "/written") return new Response(written(work, way));
    return Response.json(await warmUp(writers, writer, work, way, search));
  },
} satisfies ExportedHandler;

function isRight(writers: Writers, writer: string, way: Way, list: number): boolean | null {
  const number = writers.names.indexOf(writer);
  // `rounds.ts` checks the output of V8.
  if (number < 0) return true;
  const isResponse = way === "response";
  return writers.can(number, isResponse) ? writers.isRight(number, isResponse, list) : null;
}

function workOf(writers: Writers, writer: string, way: Way, list: number): Work {
  const bids = lists[list] ?? [];
  const isResponse = way === "response";
  const number = writers.names.indexOf(writer);
  if (number >= 0) {
    return { count: bids.length, write: (from, to) => writers.write(number, isResponse, list, from, to) };
  }
  const objects = bids.map(({ micros, dealid, ...bid }) => {
    const { id, impid, ...known } = bid;
    return { id, impid, price: micros / 1e6, ...known, ...(dealid !== null && { dealid }) };
  });
  const stringify = (from: number, to: number) => {
    const some = to - from === objects.length ? objects : objects.slice(from, to);
    if (!isResponse) return some.map((bid) => `${JSON.stringify(bid)}\n`).join("");
    return JSON.stringify({ id: "5f0c1d3e-response", cur: "USD", seatbid: [{ bid: some, seat: "seat-17" }] });
  };
  return { count: bids.length, write: (from, to) => encoder.encode(stringify(from, to)) as Uint8Array<ArrayBuffer> };
}

function written(work: Work, way: Way): ReadableStream | Uint8Array<ArrayBuffer> {
  return way === "stream" || way === "gzip" ? streamed(work, way) : work.write(0, work.count);
}

function streamed({ count, write }: Work, way: "stream" | "gzip"): ReadableStream {
  const stream = way === "gzip" ? new CompressionStream("gzip") : new TransformStream<Uint8Array, Uint8Array>();
  const into = stream.writable.getWriter();
  const fill = async () => {
    for (let from = 0; from < count; from += SLICE) await into.write(write(from, Math.min(count, from + SLICE)));
    await into.close();
  };
  fill().catch((error) => into.abort(error));
  return stream.readable;
}

/** Reads a stream to its end, as a sender would. */
async function drained(stream: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.byteLength;
  kept.bytes = bytes;
}

async function warmUp(writers: Writers, writer: string, work: Work, way: Way, key: string): Promise<number | null> {
  let plan: Plan;
  let call: () => void | Promise<void>;
  if (way === "stream" || way === "gzip") {
    const awaited = () => drained(streamed(work, way));
    call = awaited;
    plan = await warmAwaiting(awaited, WARM_MS);
    warmed.set(key, () => batchAwaiting(awaited, plan));
  } else {
    const once = () => {
      kept.bytes = work.write(0, work.count).byteLength;
    };
    call = once;
    plan = warm(once, WARM_MS);
    warmed.set(key, () => batch(once, plan));
  }
  if (!writers.names.includes(writer)) return null;
  const before = writers.allocated;
  for (let count = 0; count < WRITES_COUNTED; count++) await call();
  return ((writers.allocated - before) >>> 0) / WRITES_COUNTED;
}
