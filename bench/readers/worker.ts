//! The Worker of the suite `readers`: all readers in one isolate. Its own routes:
//!
//!     body?input=NAME           stores the posted texts, one per line
//!     messages?input=NAME       the same for texts in protobuf, in Base64
//!     readers                   the names of the readers
//!     seen?way=…&input=…        what the reader found: a list of `{id, count}`, null for a refused text
//!     allocations?way=…&input=… allocations per read, when warm; null for V8
//!
//! The texts of a body are read in turn. Readers in Wasm copy each text into the module's memory first, as the bidder
//! does.

import { counted, isolate, linesOf, type Work } from "../isolate.ts";
import { Readers } from "./module.ts";
import type { Seen } from "./seen.ts";

/** The reader that reads messages. */
const PROTOBUF = "edgebid (protobuf)";
/** How often each text is read while allocations are counted, after as many reads that warm up. */
const LAPS_COUNTED = 20;

type Bytes = Uint8Array<ArrayBuffer>;

interface BidRequest {
  id: unknown;
  imp: unknown[];
}

const compiled = new Readers();
const decoder = new TextDecoder();
const bodies = new Map<string, Bytes[]>();
const messages = new Map<string, Bytes[]>();

/** V8's readers, each made for the texts of a body. */
const PARSERS: Record<string, (texts: Bytes[]) => (at: number) => BidRequest> = {
  "JSON.parse(TextDecoder.decode(bytes))": (texts) => (at) => JSON.parse(decoder.decode(texts[at])),
  "JSON.parse(string)": (texts) => {
    const strings = texts.map((bytes) => decoder.decode(bytes));
    return (at) => JSON.parse(strings[at] ?? "");
  },
};

export default isolate(readingOf, {
  body: (body, query) => void bodies.set(query("input"), linesOf(body)),
  messages: (body, query) => {
    const lines = decoder.decode(body).split("\n");
    const texts = lines.map((line) => Uint8Array.from(atob(line), (character) => character.charCodeAt(0)));
    messages.set(query("input"), texts);
  },
  // `copy` reads nothing. Only the suite `decide` uses it.
  readers: () => [...compiled.names.filter((name) => name !== "copy"), ...Object.keys(PARSERS)],
  seen: (_, query) => textsOf(query("way"), query("input")).map((text) => seen(query("way"), text)),
  allocations: (_, query) => {
    const work = readingOf(query("way"), query("input"));
    const counter = () => (query("way") in PARSERS ? null : compiled.allocations);
    counted(work, counter, LAPS_COUNTED);
    return counted(work, counter, LAPS_COUNTED);
  },
});

function textsOf(way: string, input: string): Bytes[] {
  return (way === PROTOBUF ? messages : bodies).get(input) ?? [];
}

/** Each read must count as many impressions as the first one. */
function readingOf(way: string, input: string): Work {
  const texts = textsOf(way, input);
  const parse = PARSERS[way]?.(texts);
  const reader = compiled.names.indexOf(way);
  const read = parse
    ? (at: number) => parse(at).imp.length
    : (at: number) => compiled.read(reader, texts[at] ?? new Uint8Array());
  const expected = texts.map((_, at) => read(at));
  const call = (at: number) => {
    if (read(at) !== expected[at]) throw new Error("a reader returned another count than before");
  };
  return { call, count: texts.length };
}

function seen(way: string, text: Bytes): Seen | null {
  const parse = PARSERS[way];
  if (parse) {
    const { id, imp } = parse([text])(0);
    return { id: String(id), count: imp.length };
  }
  const reader = compiled.names.indexOf(way);
  const count = compiled.read(reader, text);
  const id = compiled.id(reader, text);
  return id === null ? null : { id, count };
}
