//! The Worker of the suite `writers`: all writers in one isolate. A way is a writer; an input is the name of a list and
//! what to write: response, records, stream or gzip. Its own routes:
//!
//!     lists                    loads the lists of bids from JSON
//!     writers                  the names of the writers
//!     right?way=…&input=…      whether its output reads back unchanged; null if it cannot write that way
//!     written?way=…&input=…    the bytes of its output
//!     allocated?way=…&input=…  bytes allocated per write, when warm; null for V8
//!
//! A stream gets the records in slices, like an export that must not hold all of them.

import { isolate, type Work } from "../isolate.ts";
import { Writers } from "./module.ts";
import { type Bid, LIST_NAMES } from "./records.ts";

/** V8's writer. All others are in the module. */
const STRINGIFY = "JSON.stringify";
/** Records per write to a stream, as in `src/native.rs`. */
const SLICE = 100;
const WRITES_COUNTED = 5;

type Bytes = Uint8Array<ArrayBuffer>;

/** What one writer does with one list. */
interface Output {
  count: number;
  way: string;
  /** Writes the bids `from` to `to`. */
  write(from: number, to: number): Bytes;
}

const encoder = new TextEncoder();
let lists: Bid[][] = [];
let writers: Writers | undefined;

export default isolate(workOf, {
  lists: (body) => {
    writers = new Writers(body);
    lists = JSON.parse(new TextDecoder().decode(body));
  },
  writers: () => [...module().names, STRINGIFY],
  right: (_, query) => isRight(query("way"), query("input")),
  written: (_, query) => new Response(written(outputOf(query("way"), query("input")))),
  allocated: async (_, query) => {
    if (query("way") === STRINGIFY) return null;
    const { call } = workOf(query("way"), query("input"));
    await call(0);
    const before = module().allocated;
    for (let count = 0; count < WRITES_COUNTED; count++) await call(0);
    return ((module().allocated - before) >>> 0) / WRITES_COUNTED;
  },
});

function workOf(writer: string, input: string): Work {
  const output = outputOf(writer, input);
  const isAsync = isStreamed(output);
  const call = isAsync ? () => drained(streamed(output)) : () => output.write(0, output.count).byteLength;
  return { call, count: 1, isAsync };
}

function isRight(writer: string, input: string): boolean | null {
  const { list, way } = parsed(input);
  const isResponse = way === "response";
  const number = module().names.indexOf(writer);
  if (number >= 0) return module().can(number, isResponse) ? module().isRight(number, isResponse, list) : null;
  const text = new TextDecoder().decode(
    outputOf(writer, `${LIST_NAMES[list]} ${isResponse ? way : "records"}`).write(0, lists[list]?.length ?? 0),
  );
  const found = isResponse ? JSON.parse(text).seatbid[0].bid : JSON.parse(`[${text.trimEnd().replaceAll("\n", ",")}]`);
  return JSON.stringify(found) === JSON.stringify((lists[list] ?? []).map(objectOf));
}

function outputOf(writer: string, input: string): Output {
  const { list, way } = parsed(input);
  const bids = lists[list] ?? [];
  const isResponse = way === "response";
  const number = module().names.indexOf(writer);
  const count = bids.length;
  if (number >= 0) return { count, way, write: (from, to) => module().write(number, isResponse, list, from, to) };
  const objects = bids.map(objectOf);
  const stringify = (from: number, to: number) => {
    const some = to - from === count ? objects : objects.slice(from, to);
    if (!isResponse) return some.map((bid) => `${JSON.stringify(bid)}\n`).join("");
    return JSON.stringify({ id: "5f0c1d3e-response", cur: "USD", seatbid: [{ bid: some, seat: "seat-17" }] });
  };
  return { count, way, write: (from, to) => encoder.encode(stringify(from, to)) as Bytes };
}

/** A bid as JSON has it. */
function objectOf({ id, impid, micros, dealid, ...known }: Bid): object {
  return { id, impid, price: micros / 1e6, ...known, ...(dealid !== null && { dealid }) };
}

function written(output: Output): ReadableStream | Bytes {
  return isStreamed(output) ? streamed(output) : output.write(0, output.count);
}

function isStreamed({ way }: Output): boolean {
  return way === "stream" || way === "gzip";
}

function streamed({ count, way, write }: Output): ReadableStream {
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
async function drained(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.byteLength;
  return bytes;
}

function parsed(input: string): { list: number; way: string } {
  const at = input.lastIndexOf(" ");
  return { list: LIST_NAMES.indexOf(input.slice(0, at)), way: input.slice(at + 1) };
}

function module(): Writers {
  if (writers === undefined) throw new Error("no lists");
  return writers;
}
