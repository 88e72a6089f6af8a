//! Packs events into messages, and messages into calls, within the limits of the queue.

import { concat } from "../../../shared/bytes.ts";
import {
  EVENTS_FLUSH_BYTES,
  QUEUE_BATCH_BYTES,
  QUEUE_BATCH_MESSAGES,
  QUEUE_MESSAGE_BYTES,
} from "../../../shared/limits.ts";

/**
 * Packs lines into messages of at most {@link EVENTS_FLUSH_BYTES}; a longer line has its own message. `tooLong` returns
 * the lines that are too long for any message.
 */
export function messages(lines: Uint8Array[]): { packed: Uint8Array<ArrayBuffer>[]; tooLong: Uint8Array[] } {
  const parts = lines.flatMap((some) => (some.byteLength > EVENTS_FLUSH_BYTES ? single(some) : [some]));
  const tooLong = parts.filter(({ byteLength }) => byteLength > QUEUE_MESSAGE_BYTES);
  const fitting = parts.filter(({ byteLength }) => byteLength <= QUEUE_MESSAGE_BYTES);
  // The queue sends a whole buffer, so messages must not share one.
  const copied = (parts: Uint8Array[]) => concat(parts.map((part) => new Uint8Array(part)));
  return { packed: grouped(fitting, EVENTS_FLUSH_BYTES, Number.POSITIVE_INFINITY).map(copied), tooLong };
}

/** Groups messages into calls. */
export function batches<T extends Uint8Array>(messages: T[]): T[][] {
  return grouped(messages, QUEUE_BATCH_BYTES, QUEUE_BATCH_MESSAGES);
}

/** The single lines of JSON in messages, or in the events of decisions. */
export function eventsIn(parts: Uint8Array[]): string[] {
  const utf8 = new TextDecoder();
  return parts.flatMap((part) => utf8.decode(part).split("\n").filter(Boolean));
}

/** Splits lines into one part per line. */
function single(lines: Uint8Array): Uint8Array[] {
  const utf8 = new TextEncoder();
  return eventsIn([lines]).map((line) => utf8.encode(`${line}\n`));
}

/** Groups neighbours, as many as fit. A part that is larger than `maxBytes` gets its own group. */
function grouped<T extends Uint8Array>(parts: T[], maxBytes: number, maxParts: number): T[][] {
  const groups: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    bytes += part.byteLength;
    const last = groups.at(-1);
    if (last && last.length < maxParts && bytes <= maxBytes) last.push(part);
    else {
      groups.push([part]);
      bytes = part.byteLength;
    }
  }
  return groups;
}
