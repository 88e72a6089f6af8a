//! Makes the body of a post or an answer: puts its pieces into one buffer, and sends the buffer whenever it is full.

import type { Piece } from "../../../shared/formats/format.ts";
import { BODY_BUFFER_BYTES } from "../../../shared/limits.ts";

export interface Body {
  /** Bytes if one buffer holds everything, otherwise a stream. */
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** Stops the writing, even if it is not finished. */
  stop(): Promise<void>;
}

/** The pieces of a body, in groups that may have to be waited for. Only groups are awaited, because there are fewer. */
export type Pieces = Iterable<Iterable<Piece>> | AsyncIterable<Iterable<Piece>>;

/** The body with all pieces, with or without gzip. Rejects if the pieces of the first buffer cannot be made. */
export async function bodyOf(pieces: Pieces, gzip: boolean): Promise<Body> {
  const parts = buffered(pieces);
  const first = (await parts.next()).value;
  if (first === undefined || first.isLast) {
    const bytes = first?.bytes.slice() ?? new Uint8Array();
    return { body: gzip ? await compressed(bytes) : bytes, async stop() {} };
  }
  const { readable, writable } = gzip ? new CompressionStream("gzip") : new IdentityTransformStream();
  const writer: WritableStreamDefaultWriter<Uint8Array> = writable.getWriter();
  const writing = write(writer, first.bytes, parts);
  const stop = async () => {
    await Promise.allSettled([writer.abort(), writing]);
  };
  return { body: readable, stop };
}

/** Each write waits until the reader has taken its bytes. Then the buffer is free for the next bytes. */
async function write(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  first: Uint8Array,
  others: AsyncIterable<{ bytes: Uint8Array }>,
): Promise<void> {
  try {
    await writer.write(first);
    for await (const { bytes } of others) await writer.write(bytes);
    await writer.close();
  } catch (error) {
    // `abort` passes the error to the reader of the stream.
    await writer.abort(error);
  }
}

/** The body in parts. All parts use the same buffer, so a part is valid only until the next one. */
async function* buffered(
  pieces: Pieces,
): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; isLast: boolean }, undefined> {
  const utf8 = new TextEncoder();
  const buffer = new Uint8Array(BODY_BUFFER_BYTES);
  let end = 0;
  for await (const group of pieces) {
    for (const piece of group) {
      for (let rest = piece; rest.length > 0; ) {
        const room = buffer.subarray(end);
        if (typeof rest === "string") {
          const { read, written } = utf8.encodeInto(rest, room);
          end += written;
          rest = rest.slice(read);
        } else {
          const fitting = rest.subarray(0, room.byteLength);
          room.set(fitting);
          end += fitting.byteLength;
          rest = rest.subarray(fitting.byteLength);
        }
        if (rest.length === 0) break;
        yield { bytes: buffer.subarray(0, end), isLast: false };
        end = 0;
      }
    }
  }
  yield { bytes: buffer.subarray(0, end), isLast: true };
}

async function compressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
