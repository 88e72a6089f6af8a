//! The Worker of the suite `writers`: all writers in one isolate. A way is a writer; an input is the name of a list and
//! what to write: response, records, stream or gzip. Its own routes:
//!
//!     lists                  loads the lists of bids from JSON
//!     writers                the names of the writers
//!     written?way=…&input=…  the bytes of its output; none if it cannot write that way
//!
//! A stream gets the records in slices, like an export that must not hold all of them.

import { isolate, type Work } from "../isolate.ts";
import { instance, load, write, writers } from "../measured/module.ts";
import { type Bid, LIST_NAMES } from "./records.ts";

/** V8's writer. All others are in the module. */
const STRINGIFY = "JSON.stringify";
/** Records per write to a stream, as in `measured/src/native.rs`. */
const SLICE = 100;

/** What one writer does with one list. */
interface Output {
  count: number;
  form: string;
  /** Writes the bids `from` to `to`. */
  write(from: number, to: number): Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();
let lists: Bid[][] = [];

export default isolate(workOf, {
  lists: (body) => {
    load(body);
    lists = JSON.parse(new TextDecoder().decode(body));
  },
  writers: () => [...writers, STRINGIFY],
  written: (_, query) => {
    const output = outputOf(query("way"), query("input"));
    return new Response(isStreamed(output) ? streamed(output) : output.write(0, output.count));
  },
});

function workOf(writer: string, input: string): Work {
  const output = outputOf(writer, input);
  const isAsync = isStreamed(output);
  const call = isAsync ? () => drained(streamed(output)) : () => output.write(0, output.count).byteLength;
  const work = { call, count: 1, isAsync };
  return writer === STRINGIFY ? work : { ...work, counter: instance.exports.bench_allocated };
}

function outputOf(writer: string, input: string): Output {
  const at = input.lastIndexOf(" ");
  const [list, form] = [LIST_NAMES.indexOf(input.slice(0, at)), input.slice(at + 1)];
  const bids = lists[list] ?? [];
  const count = bids.length;
  const isResponse = form === "response";
  const number = writers.indexOf(writer);
  if (number >= 0) return { count, form, write: (from, to) => write(number, isResponse, list, from, to) };
  const stringify = (from: number, to: number) => {
    const some = to - from === count ? bids : bids.slice(from, to);
    if (!isResponse) return some.map((bid) => `${JSON.stringify(bid)}\n`).join("");
    return JSON.stringify({ id: "5f0c1d3e-response", cur: "USD", seatbid: [{ bid: some, seat: "seat-17" }] });
  };
  return { count, form, write: (from, to) => encoder.encode(stringify(from, to)) as Uint8Array<ArrayBuffer> };
}

function isStreamed({ form }: Output): boolean {
  return form === "stream" || form === "gzip";
}

function streamed({ count, form, write }: Output): ReadableStream {
  const stream = form === "gzip" ? new CompressionStream("gzip") : new TransformStream<Uint8Array, Uint8Array>();
  const into = stream.writable.getWriter();
  const fill = async () => {
    for (let from = 0; from < count; from += SLICE) await into.write(write(from, Math.min(count, from + SLICE)));
    await into.close();
  };
  fill().catch((error) => into.abort(error));
  return stream.readable;
}

/** Reads a stream to its end, as a sender would. */
async function drained(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.byteLength;
  return bytes;
}
