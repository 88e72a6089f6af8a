//! Listens to `GET /tail`, and reconnects if the bidder ends it or stops.

import { linesOf } from "../../../../shared/tail/lines.ts";
import type { Second } from "../../../../shared/tail/seconds.ts";
import { Refused, send } from "../../ask.ts";
import type { Captured } from "../request/own.ts";

/** Milliseconds until the next attempt, if the bidder does not answer. */
const AGAIN_MS = 2000;

export interface Listener {
  /** The bidder answers. */
  began(): void;
  second(second: Second): void;
  captured(request: Captured): void;
  /** The bidder does not answer, and why. */
  failed(message: string): void;
}

/** Listens until the signal ends it, and gets one in `oneIn` requests; 0: none. Gives up if the bidder refuses. */
export async function listen(
  { began, second, captured, failed }: Listener,
  oneIn: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await send(`/tail?seconds=3600&one_in=${oneIn}`, { signal });
      began();
      if (body === null) return;
      for await (const line of linesOf(body)) {
        const answer: Second | Captured = JSON.parse(line);
        if ("request" in answer) captured(answer);
        else second(answer);
      }
    } catch (error) {
      if (signal.aborted) return;
      failed(error instanceof Refused ? error.message : "The bidder has stopped.");
      if (error instanceof Refused && error.status !== 0) return;
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }
}
