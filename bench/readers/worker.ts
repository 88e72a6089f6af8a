//! The Worker of the suite `readers`: all readers in one isolate, by name over HTTP.
//!
//!     POST /body/NAME                 stores the posted texts, one per line
//!     POST /messages/NAME             the same for texts in protobuf, in Base64
//!     GET  /readers                   the names of the readers
//!     GET  /seen?reader=…&body=…      the values that the reader found: a list of `{id, count}`, null for a refused text
//!     GET  /warm?…                    reads until the engine has compiled the code; returns the allocations per read,
//!                                     null for V8
//!     GET  /measure?…                 mean microseconds per read of one batch; after `warm`
//!
//! The texts of a body are read in turn. Readers in Wasm copy each text into the module's memory first, as the bidder
//! does.

import { batch, type Plan, warm } from "../measure.ts";
import { Readers } from "./module.ts";

/** The reader that reads messages. */
const PROTOBUF = "edgebid (protobuf)";

interface Seen {
  id: string;
  /** Number of impressions. */
  count: number;
}

interface Reader {
  /** Prepares to read these texts. The function reads the text with this number and counts its impressions. */
  open(body: Uint8Array<ArrayBuffer>[]): (text: number) => number;
  seen(text: Uint8Array<ArrayBuffer>): Seen | null;
  allocations(): number | null;
}

interface BidRequest {
  id: unknown;
  imp: unknown[];
}

const WARM_MS = 250;
/** How often each text is read while allocations are counted. */
const READS_COUNTED = 20;

const EMPTY = new Uint8Array();

const compiled = new Readers();
const decoder = new TextDecoder();
const bodies = new Map<string, Uint8Array<ArrayBuffer>[]>();
const messages = new Map<string, Uint8Array<ArrayBuffer>[]>();
const readers = new Map<string, Reader>();
const warmed = new Map<string, { readNext: () => void; plan: Plan }>();

for (const [number, name] of compiled.names.entries()) {
  // `copy` reads nothing. Only the suite `decide` uses it.
  if (name !== "copy") readers.set(name, wasmReader(number));
}
readers.set(
  "JSON.parse(TextDecoder.decode(bytes))",
  v8Reader((body) => (text) => JSON.parse(decoder.decode(body[text]))),
);
readers.set(
  "JSON.parse(string)",
  v8Reader((body) => {
    const texts = body.map((bytes) => decoder.decode(bytes));
    return (text) => JSON.parse(texts[text] ?? "");
  }),
);

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (request.method === "POST") {
      const lines = (await request.text()).split("\n");
      if (url.pathname.startsWith("/messages/")) {
        messages.set(
          decodeURIComponent(url.pathname.slice("/messages/".length)),
          lines.map((line) => Uint8Array.from(atob(line), (character) => character.charCodeAt(0))),
        );
        return new Response(null, { status: 204 });
      }
      const texts = lines.map((line) => new TextEncoder().encode(line) as Uint8Array<ArrayBuffer>);
      bodies.set(decodeURIComponent(url.pathname.slice("/body/".length)), texts);
      return new Response(null, { status: 204 });
    }
    if (url.pathname === "/readers") return Response.json([...readers.keys()]);
    if (url.pathname === "/measure") {
      const ready = warmed.get(url.search);
      return ready ? Response.json(batch(ready.readNext, ready.plan)) : new Response("not warm", { status: 404 });
    }
    const name = url.searchParams.get("reader") ?? "";
    const reader = readers.get(name);
    const body = (name === PROTOBUF ? messages : bodies).get(url.searchParams.get("body") ?? "");
    if (!body || !reader) return new Response("no such reader or body", { status: 404 });
    return Response.json(answer(url, reader, body));
  },
} satisfies ExportedHandler;

function answer(url: URL, reader: Reader, body: Uint8Array<ArrayBuffer>[]): unknown {
  if (url.pathname === "/seen") return body.map((text) => reader.seen(text));
  const read = reader.open(body);
  const expected = body.map((_, text) => read(text));
  let text = 0;
  const readNext = () => {
    if (read(text) !== expected[text]) throw new Error("a reader returned another count than before");
    text = text + 1 < body.length ? text + 1 : 0;
  };
  warmed.set(url.search, { readNext, plan: warm(readNext, WARM_MS) });
  return allocations(reader, readNext, READS_COUNTED * body.length);
}

function allocations(reader: Reader, readNext: () => void, reads: number): number | null {
  const before = reader.allocations();
  for (let count = 0; count < reads; count++) readNext();
  const after = reader.allocations();
  return before === null || after === null ? null : (after - before) / reads;
}

function wasmReader(reader: number): Reader {
  return {
    open: (body) => (text) => compiled.read(reader, body[text] ?? EMPTY),
    seen(text) {
      const count = compiled.read(reader, text);
      const id = compiled.id(reader, text);
      return id === null ? null : { id, count };
    },
    allocations: () => compiled.allocations,
  };
}

function v8Reader(parser: (body: Uint8Array<ArrayBuffer>[]) => (text: number) => BidRequest): Reader {
  return {
    open(body) {
      const parse = parser(body);
      return (text) => parse(text).imp.length;
    },
    seen(text) {
      const { id, imp } = parser([text])(0);
      return { id: String(id), count: imp.length };
    },
    allocations: () => null,
  };
}
