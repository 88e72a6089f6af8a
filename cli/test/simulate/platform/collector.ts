//! The receiver of events, which an operator runs: it refuses posts, is slow, or takes a post and its answer gets lost.

import { Dice } from "./dice.ts";
import { Returned } from "./http.ts";
import type { Instance } from "./instance.ts";
import type { Rates } from "./rates.ts";
import type { World } from "./world.ts";

/** An event, as far as it is judged. */
export interface Event {
  type: string;
  id: string;
  ssp?: string;
  cid?: string;
  price_micros?: number;
  cur?: string;
}

/** The `fetch` of an instance. */
export type Fetch = (
  url: string,
  init: { body: Uint8Array<ArrayBuffer> | ReadableStream; signal: { timeoutMs: number } },
) => Promise<Response>;

/** Milliseconds until an answer, and until one that comes too late. */
const ANSWER_MS = [5, 200] as const;
const LATE_MS = [1000, 20_000] as const;

export class Collector {
  /** The events of all posts that were taken; some came twice. */
  readonly events: Event[] = [];
  readonly #world: World;
  readonly #rates: Rates;
  readonly #dice: Dice;

  constructor(world: World, rates: Rates) {
    [this.#world, this.#rates, this.#dice] = [world, rates, Dice.of(world.seed, "collector")];
  }

  /** The `fetch` of an instance. */
  fetchOf(caller: Instance): Fetch {
    return async (_, { body, signal: { timeoutMs } }) => {
      const text = await new Returned(body).text();
      return new Promise<Response>((resolve, reject) => {
        const answer = (ms: number, result: () => void) => this.#world.after(ms, () => caller.enter(result));
        const soon = this.#dice.between(...ANSWER_MS);
        const broken = () => reject(new TypeError("the connection to the simulated collector breaks"));
        if (this.#dice.chance(this.#rates.collectorRefuses)) {
          const status = [400, 429, 503, 0][this.#dice.below(4)] as number;
          answer(soon, () => (status === 0 ? broken() : resolve(new Response(null, { status }))));
          return;
        }
        this.events.push(...eventsIn(text));
        const isLost = this.#dice.chance(this.#rates.collectorLoses);
        const late = isLost ? this.#dice.between(...LATE_MS) : soon;
        if (late >= timeoutMs) answer(timeoutMs, () => reject(new DOMException("no answer in time", "TimeoutError")));
        else answer(late, () => (isLost ? broken() : resolve(new Response(null, { status: 200 }))));
      });
    };
  }
}

/** The events in NDJSON. */
export function eventsIn(text: string): Event[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** What the runtime has for posts, without real time and without other threads. Nothing is compressed. */
export const WEB = {
  AbortSignal: { timeout: (timeoutMs: number) => ({ timeoutMs }) },
  CompressionStream: class {
    #stream: TransformStream | undefined;

    get readable(): ReadableStream {
      this.#stream ??= new TransformStream();
      return this.#stream.readable;
    }

    get writable(): WritableStream {
      this.#stream ??= new TransformStream();
      return this.#stream.writable;
    }
  },
  /** Bytes whose stream, through {@link WEB.CompressionStream}, are the bytes. */
  Blob: class {
    readonly #bytes: Uint8Array;

    constructor([bytes]: [Uint8Array]) {
      this.#bytes = bytes;
    }

    stream() {
      return { pipeThrough: () => this.#bytes };
    }
  },
  Response: Returned,
};
