//! Sends notices as exchanges do: many at a time, and each again until the answer is 204.

import { setTimeout as sleep } from "node:timers/promises";
import type { Sale } from "./exchange.ts";

/** Milliseconds until a notice is sent again. Exchanges wait seconds. */
const PAUSE_MS = 50;
const TIMEOUT_MS = 20_000;

interface Notice {
  sale: Sale;
  call: string;
}

export class Senders {
  /** How often each thing happened. `unavailable`: the answer was 503. `cut`: the connection ended before the answer. */
  readonly counts = { sent: 0, answered: 0, unavailable: 0, refused: 0, cut: 0 };
  /** Sales of which a notice was sent at all, or was answered with 204. */
  readonly sent = new Set<Sale>();
  readonly answered = new Set<Sale>();
  readonly #notices: Notice[];
  #origin: string;
  /** Set while no notice may be sent. */
  #gate: PromiseWithResolvers<void> | undefined;
  #inFlight = 0;

  constructor(origin: string, sales: Sale[]) {
    this.#origin = origin;
    this.#notices = shuffled(sales.flatMap((sale) => sale.calls.map((call) => ({ sale, call }))));
  }

  /** The number of notices. */
  get size(): number {
    return this.#notices.length;
  }

  /**
   * Sends all notices, so many at a time. After each that is answered with 204, the sender waits for `progress`; the
   * others go on.
   */
  async run(atOnce: number, progress: () => Promise<void> = async () => {}): Promise<void> {
    let next = 0;
    const sender = async () => {
      for (let at = next++; at < this.#notices.length; at = next++) {
        const { sale, call } = this.#notices[at] as Notice;
        while (!(await this.#send(sale, call, at % 3 === 0 ? "POST" : "GET"))) await sleep(PAUSE_MS);
        this.counts.answered++;
        this.answered.add(sale);
        await progress();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
  }

  /** Sends nothing until {@link release}. Resolves when no answer is awaited any more. */
  async hold(): Promise<void> {
    this.#gate ??= Promise.withResolvers();
    while (this.#inFlight > 0) await sleep(1);
  }

  /** Goes on with a server that may have another address. */
  release(origin: string): void {
    this.#origin = origin;
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  /** Whether the answer is 204. */
  async #send(sale: Sale, call: string, method: string): Promise<boolean> {
    await this.#gate?.promise;
    this.#inFlight++;
    this.counts.sent++;
    this.sent.add(sale);
    try {
      const response = await fetch(this.#origin + call, { method, signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.arrayBuffer();
      if (response.status === 503) this.counts.unavailable++;
      else if (response.status !== 204) throw new Error(`${call}: ${response.status}`);
      return response.status === 204;
    } catch (error) {
      const { cause, name } = error as Error & { cause?: { code?: string } };
      if (cause === undefined && name !== "TimeoutError") throw error;
      this.counts[cause?.code === "ECONNREFUSED" ? "refused" : "cut"]++;
      return false;
    } finally {
      this.#inFlight--;
    }
  }
}

/** In another order each time. So the notices of one bid come at once or far apart. */
function shuffled<T>(items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const at = Math.floor(Math.random() * (last + 1));
    [items[last], items[at]] = [items[at] as T, items[last] as T];
  }
  return items;
}
