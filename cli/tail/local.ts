//! Listens to one isolate of a bidder through `GET /tail`.

import { MAX_TAIL_SECONDS } from "../../worker/src/limits.ts";
import { Failure } from "../failure.mjs";
import { ask } from "../money/client.ts";
import type { Heard, Source } from "./heard.ts";

/** The bidder at `url`. With `oneIn` above 0, it also tells one in so many requests. */
export function localSource(url: string, oneIn: number): Source {
  return async function* (signal) {
    // After the longest tail that a bidder allows, it is asked again.
    const query = { seconds: `${MAX_TAIL_SECONDS}`, one_in: `${oneIn}` };
    while (!signal.aborted) {
      const response = await ask(url, "tail", query, "application/x-ndjson", undefined, signal);
      if (response.body === null) throw new Failure(`${url} answers with nothing; is it edgebid?`);
      try {
        for await (const line of linesOf(response.body)) yield heardIn(line);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Failure) throw error;
        throw new Failure(`${url} has stopped`);
      }
    }
  };
}

function heardIn(line: string): Heard {
  const heard = JSON.parse(line);
  return "request" in heard ? { captured: line } : { second: heard };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const bytes of stream) {
    const lines = `${begun}${decoder.decode(bytes, { stream: true })}`.split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
}
