//! A queue that keeps its events for a test.

import type { Event } from "../../../shared/events/schema.ts";
import { text } from "./fixtures.ts";

/** The binding of a queue that appends its events to `events`. */
export function queueInto(events: Event[]): { sendBatch(messages: { body: Uint8Array }[]): Promise<void> } {
  return {
    async sendBatch(messages) {
      for (const { body } of messages) {
        for (const line of text(body).split("\n").filter(Boolean)) events.push(JSON.parse(line));
      }
    },
  };
}
