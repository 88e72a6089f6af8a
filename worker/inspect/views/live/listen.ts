//! Listens to `GET /tail`, and reconnects if the bidder ends it or stops.

import type { Second } from "../../../src/tail/seconds.ts";
import { Refused, send } from "../../ask.ts";

/** Milliseconds until the next attempt, if the bidder does not answer. */
const AGAIN_MS = 2000;

export interface Listener {
  /** The bidder answers. */
  began(): void;
  second(second: Second): void;
  /** The bidder does not answer, and why. */
  failed(message: string): void;
}

/** Listens until the signal ends it. Gives up if the bidder refuses. */
export async function listen({ began, second, failed }: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await send("/tail?seconds=3600", { signal });
      began();
      if (body) for await (const line of linesOf(body)) second(JSON.parse(line));
    } catch (error) {
      if (signal.aborted) return;
      failed(error instanceof Refused ? error.message : "The bidder has stopped.");
      if (error instanceof Refused && error.status !== 0) return;
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncIterable<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let begun = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (begun + value).split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
}
