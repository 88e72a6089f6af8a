//! The Worker of the suite `readers`: all readers in one isolate. Its own routes:
//!
//!     body?input=NAME         stores the posted texts, one per line
//!     messages?input=NAME     the same for texts in protobuf, in Base64
//!     readers                 the names of the readers
//!     seen?way=…&input=…      what the reader found: a list of `{id, count}`, null for a refused text
//!
//! The texts of a body are read in turn. Readers in Wasm copy each text into the module's memory first, as the bidder
//! does.

import { isolate, linesOf, type Work } from "../isolate.ts";
import { instance, read, readers } from "../measured/module.ts";

/** The reader that reads messages. */
const PROTOBUF = "edgebid (protobuf)";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a reader finds in the text at this position. */
interface Reading {
  /** The number of impressions; -1 if it refuses the text. */
  count(at: number): number;
  /** The request's id in the text that was read last. */
  id(): string;
}

const decoder = new TextDecoder();
const bodies = new Map<string, Bytes[]>();
const messages = new Map<string, Bytes[]>();

/** V8's readers, each made for the texts of a body. */
const PARSERS: Record<string, (texts: Bytes[]) => (at: number) => { id: unknown; imp: unknown[] }> = {
  "JSON.parse(TextDecoder.decode(bytes))": (texts) => (at) => JSON.parse(decoder.decode(texts[at])),
  "JSON.parse(string)": (texts) => {
    const strings = texts.map((bytes) => decoder.decode(bytes));
    return (at) => JSON.parse(strings[at] ?? "");
  },
};

export default isolate(workOf, {
  body: (body, query) => void bodies.set(query("input"), linesOf(body)),
  messages: (body, query) => {
    const lines = decoder.decode(body).split("\n");
    const texts = lines.map((line) => Uint8Array.from(atob(line), (character) => character.charCodeAt(0)));
    messages.set(query("input"), texts);
  },
  // `copy` reads nothing. Only the suite `decide` uses it.
  readers: () => [...readers.filter((name) => name !== "copy"), ...Object.keys(PARSERS)],
  seen: (_, query) => {
    const texts = textsOf(query("way"), query("input"));
    const { count, id } = readingOf(query("way"), texts);
    return texts.map((_, at) => {
      const seen = count(at);
      return seen < 0 ? null : { id: id(), count: seen };
    });
  },
});

function textsOf(way: string, input: string): Bytes[] {
  return (way === PROTOBUF ? messages : bodies).get(input) ?? [];
}

function readingOf(way: string, texts: Bytes[]): Reading {
  const parse = PARSERS[way]?.(texts);
  if (parse === undefined) {
    const reader = readers.indexOf(way);
    const count = (at: number) => read(reader, texts[at] as Bytes);
    return { count, id: () => decoder.decode(instance.output()) };
  }
  let last: unknown;
  const count = (at: number) => {
    const { id, imp } = parse(at);
    last = id;
    return imp.length;
  };
  return { count, id: () => String(last) };
}

/** Each read must count as many impressions as the first one. */
function workOf(way: string, input: string): Work {
  const texts = textsOf(way, input);
  const { count } = readingOf(way, texts);
  const expected = texts.map((_, at) => count(at));
  const call = (at: number) => {
    if (count(at) !== expected[at]) throw new Error("a reader returned another count than before");
  };
  const work = { call, count: texts.length };
  return way in PARSERS ? work : { ...work, counter: instance.exports.bench_allocations };
}
