//! The Worker of the suite `post`: posts records in one of two ways.
//!
//!     patterns    stores the events that the records are made of
//!     post        makes the posts of an `Order`

import type { Event } from "../../shared/events/schema.ts";
import { ndjson } from "../../shared/formats/format.ts";
import { postJson } from "../../worker/src/post/post.ts";
import { routed } from "../isolate.ts";
import { type Order, records } from "./records.ts";

const PATIENCE_MS = 600_000;

let patterns: Event[] = [];

export default routed({
  patterns: (body) => {
    patterns = JSON.parse(new TextDecoder().decode(body));
  },
  async post(body) {
    const { way, gzip, url, first, count, times }: Order = JSON.parse(new TextDecoder().decode(body));
    for (let time = 0; time < times; time++) {
      const some = records(patterns, first + time * count, count);
      const options = {
        format: ndjson,
        gzip,
        idempotencyKey: crypto.randomUUID(),
        timeoutMs: PATIENCE_MS,
        attempts: 1,
      };
      await (way === "whole" ? postWhole(url, some, gzip) : postJson(url, some, options));
    }
  },
});

/** The usual way: the whole text, then its bytes, then the compressed bytes, then the request. */
async function postWhole(url: string, records: Iterable<Event>, gzip: boolean): Promise<void> {
  const text = [...records].map((record) => `${JSON.stringify(record)}\n`).join("");
  let body: ArrayBuffer | Uint8Array = new TextEncoder().encode(text);
  const headers: Record<string, string> = { "content-type": ndjson.type };
  if (gzip) {
    headers["content-encoding"] = "gzip";
    const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
    body = await new Response(stream).arrayBuffer();
  }
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`the collector answered ${response.status}`);
}
