//! Reads a request's body whole, inflated where it came as gzip, and never more than the limit.

import { gunzipSync } from "node:zlib";
import { MAX_BODY_BYTES } from "./limits.ts";

/** The body's bytes, or the HTTP status that says why there are none. */
export type Body = Uint8Array | 400 | 413 | 415;

export async function readBody(request: Request): Promise<Body> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > MAX_BODY_BYTES) return 413;
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") return 415;
  // A body of unknown length has to be counted while it comes.
  const sent = length === null ? await collect(request.body) : new Uint8Array(await request.arrayBuffer());
  return encoding === "identity" || typeof sent === "number" ? sent : inflated(sent);
}

/** The runtime hands over an inbound gzip body as it came. A stream through the inflater costs more than the decision. */
function inflated(bytes: Uint8Array): Body {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    // What does not inflate is as malformed as what does not parse.
    return error instanceof RangeError ? 413 : 400;
  }
}

async function collect(stream: ReadableStream<Uint8Array> | null): Promise<Body> {
  if (stream === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) return 413;
      chunks.push(chunk);
    }
  } catch {
    return 400;
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}
