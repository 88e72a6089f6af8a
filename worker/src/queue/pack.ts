//! Packs events into messages, and messages into calls, within the limits of the queue.

import { concat } from "../bytes.ts";
import { EVENTS_FLUSH_BYTES, QUEUE_BATCH_BYTES, QUEUE_BATCH_MESSAGES, QUEUE_MESSAGE_BYTES } from "../limits.ts";

const LINE_FEED = 10;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Packs lines into messages of at most {@link EVENTS_FLUSH_BYTES}; a longer line has its own message. `tooLong` returns
 * the lines that are too long for any message.
 */
export function messages(lines: Uint8Array[]): { packed: Bytes[]; tooLong: Uint8Array[] } {
  const parts = lines.flatMap((some) => (some.byteLength > EVENTS_FLUSH_BYTES ? single(some) : [some]));
  const tooLong = parts.filter(({ byteLength }) => byteLength > QUEUE_MESSAGE_BYTES);
  const fitting = parts.filter(({ byteLength }) => byteLength <= QUEUE_MESSAGE_BYTES);
  return { packed: grouped(fitting, EVENTS_FLUSH_BYTES, Number.POSITIVE_INFINITY).map(copied), tooLong };
}

/** Groups messages into calls. */
export function batches(messages: Bytes[]): Bytes[][] {
  return grouped(messages, QUEUE_BATCH_BYTES, QUEUE_BATCH_MESSAGES);
}

/** The single lines of JSON in messages, or in the events of decisions. */
export function eventsIn(parts: Uint8Array[]): string[] {
  const utf8 = new TextDecoder();
  return parts.flatMap((part) => utf8.decode(part).split("\n").filter(Boolean));
}

/** Groups neighbours, as many as fit. A part that is larger than `maxBytes` gets its own group. */
function grouped<T extends Uint8Array>(parts: T[], maxBytes: number, maxParts: number): T[][] {
  const groups: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && last.length < maxParts && bytes + part.byteLength <= maxBytes) last.push(part);
    else {
      groups.push([part]);
      bytes = 0;
    }
    bytes += part.byteLength;
  }
  return groups;
}

/** The parts in a new buffer. The queue sends a whole buffer, so messages must not share one. */
function copied(parts: Uint8Array[]): Bytes {
  return concat(parts.map((part) => new Uint8Array(part)));
}

/** Splits lines into one part per line. */
function single(lines: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < lines.byteLength; ) {
    const feed = lines.indexOf(LINE_FEED, at);
    const end = feed < 0 ? lines.byteLength : feed + 1;
    parts.push(lines.subarray(at, end));
    at = end;
  }
  return parts;
}
