//! Delivers events from the queue to the collector: each batch of messages is one post. An event arrives at least once.
//! The queue delivers a failed batch again later, and after the last attempt moves it to its dead-letter queue.

import { type Event, FORMATS } from "../../../shared/events/schema.ts";
import { type Format, ndjson } from "../../../shared/formats/format.ts";
import {
  COLLECTOR_ATTEMPTS,
  COLLECTOR_TIMEOUT_MS,
  MAX_QUEUE_RETRY_SECONDS,
  QUEUE_RETRY_SECONDS,
} from "../../../shared/limits.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { postJson } from "../post/post.ts";
import { jittered } from "../time/retry.ts";
import { eventsIn } from "./pack.ts";

/** Messages are NDJSON already, so nothing parses or encodes their events. */
const WHOLE_MESSAGES: Format<Uint8Array> = { ...ndjson, encode: (message) => message };

/** Posts the events of a batch to the collector. */
export async function deliver(batch: MessageBatch<ArrayBuffer>, env: Env): Promise<void> {
  try {
    const format = FORMATS[env.COLLECTOR_FORMAT];
    if (!env.COLLECTOR_URL) throw new Error("COLLECTOR_URL is empty");
    if (!format)
      throw new Error(
        `COLLECTOR_FORMAT is ${env.COLLECTOR_FORMAT}; expected one of ${Object.keys(FORMATS).join(", ")}`,
      );
    const options = {
      gzip: true,
      idempotencyKey: await keyOf(batch),
      token: env.COLLECTOR_TOKEN,
      timeoutMs: COLLECTOR_TIMEOUT_MS,
      attempts: COLLECTOR_ATTEMPTS,
    };
    const messages = batch.messages.map(({ body }) => new Uint8Array(body));
    if (format === ndjson) await postJson(env.COLLECTOR_URL, messages, { ...options, format: WHOLE_MESSAGES });
    else await postJson(env.COLLECTOR_URL, eventsOf(messages), { ...options, format });
    batch.ackAll();
  } catch (error) {
    fail("collector", error);
    const attempts = Math.max(...batch.messages.map(({ attempts }) => attempts));
    const seconds = Math.min(QUEUE_RETRY_SECONDS * 2 ** (attempts - 1), MAX_QUEUE_RETRY_SECONDS);
    batch.retryAll({ delaySeconds: Math.ceil(jittered(seconds)) });
  }
}

/** The events of messages, parsed one message at a time. Each attempt to post iterates over them again. */
function eventsOf(messages: Uint8Array[]): Iterable<Event> {
  return {
    *[Symbol.iterator]() {
      for (const message of messages) for (const line of eventsIn([message])) yield JSON.parse(line);
    },
  };
}

/** The idempotency key of a batch: the same messages always get the same key. */
async function keyOf({ messages }: MessageBatch<ArrayBuffer>): Promise<string> {
  const ids = new TextEncoder().encode(messages.map(({ id }) => id).join("\n"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", ids));
  return Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
