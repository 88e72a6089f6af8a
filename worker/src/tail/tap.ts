//! Captures requests for tails and for the console. Without either, the bid route passes nothing, at the cost of one
//! comparison. The route passes only the bytes of the body: they are redacted and written after the answer.
//! `crates/validate/src/redact` removes everything that identifies a person.

import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { CAPTURE_BYTES, MAX_TAILS, TAIL_LOST_MS, TAIL_WAITING, TAIL_WAITING_BYTES } from "../../../shared/limits.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { type Compiling, Instance, isTrue } from "../../../shared/wasm/instance.ts";
import type { Decided, Option, Visit } from "../seams.ts";

/** A request with its answer's outcome. */
export interface Captured {
  /** The SSP's id in the catalog. */
  ssp: string;
  /** The time of the decision in milliseconds since the epoch. */
  at: number;
  /** `bid`, or the reason why there is none. */
  outcome: string;
  /** It was drawn among so many; absent for one that was not drawn. */
  oneIn?: number;
  body: Uint8Array;
}

export class Tap implements Option {
  readonly #listeners = new Set<Listener>();
  readonly #redactor = new Redactor();

  /** Whether {@link capture} has anything to do. */
  isOn(env: Partial<Env>): boolean {
    return this.#listeners.size > 0 || (env.CAPTURE_ONE_IN ?? "0") !== "0";
  }

  take({ question: { now: at, body }, outcome }: Decided, { rest: ssp, env, ctx }: Visit): void {
    if (this.isOn(env)) this.capture({ ssp, at, outcome: outcome.count, body }, env, ctx);
  }

  /** Passes an answered request to the listeners, and one in CAPTURE_ONE_IN to the console. */
  capture(captured: Captured, env: Partial<Env>, ctx: Background): void {
    for (const listener of this.#listeners) {
      // The platform may end the request of a tail without a signal.
      if (captured.at - listener.drainedAt > TAIL_LOST_MS) this.#listeners.delete(listener);
      else listener.offer(captured);
    }
    const oneIn = Math.floor(Number(env.CAPTURE_ONE_IN));
    if (oneIn >= 1 && Math.random() * oneIn < 1 && captured.body.byteLength <= CAPTURE_BYTES)
      ctx.waitUntil(this.#log({ ...captured, oneIn }));
  }

  /** Starts to keep one in `oneIn` requests for a listener; null if there are {@link MAX_TAILS} already. */
  listen(oneIn: number, now: number): Listener | null {
    if (this.#listeners.size >= MAX_TAILS) return null;
    const listener = new Listener(oneIn, now);
    this.#listeners.add(listener);
    return listener;
  }

  /** The requests that wait for a listener as lines of JSON, and how many were lost. The listener stays. */
  drain(listener: Listener, now: number): { lines: string[]; lost: number } {
    // A slow listener was removed; it may return.
    if (this.#listeners.size < MAX_TAILS) this.#listeners.add(listener);
    const { waiting, lost } = listener.drain(now);
    return { lines: waiting.map((captured) => this.#redactor.line(captured)).filter((line) => line !== null), lost };
  }

  end(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  async #log(captured: Captured): Promise<void> {
    // The answer goes out first.
    await scheduler.wait(0);
    const line = this.#redactor.line(captured);
    if (line !== null) console.info(`{"captured":${line}}`);
  }
}

/** The requests that wait for one tail. */
export class Listener {
  readonly #oneIn: number;
  #waiting: Captured[] = [];
  #bytes = 0;
  #lost = 0;
  /** When the listener last came, in milliseconds since the epoch. */
  drainedAt: number;

  constructor(oneIn: number, now: number) {
    this.#oneIn = oneIn;
    this.drainedAt = now;
  }

  /** Keeps the request if it is drawn and there is room. */
  offer(captured: Captured): void {
    if (Math.random() * this.#oneIn >= 1) return;
    const { byteLength } = captured.body;
    const hasRoom = this.#waiting.length < TAIL_WAITING && this.#bytes + byteLength <= TAIL_WAITING_BYTES;
    if (!hasRoom || byteLength > CAPTURE_BYTES) {
      this.#lost++;
      return;
    }
    this.#waiting.push({ ...captured, oneIn: this.#oneIn });
    this.#bytes += byteLength;
  }

  drain(now: number): { waiting: Captured[]; lost: number } {
    const drained = { waiting: this.#waiting, lost: this.#lost };
    [this.#waiting, this.#bytes, this.#lost, this.drainedAt] = [[], 0, 0, now];
    return drained;
  }
}

/** Writes requests without data that identifies a person. */
export class Redactor {
  /** Made with the first request, so that an unused redactor costs nothing. */
  #instance: Instance<Compiling> | undefined;

  /**
   * The request as a line of JSON without a line break: `{"ssp","at","outcome","one_in","request"}`, with the time in ISO
   * 8601, and without `one_in` if each request was drawn. Null if the body is not a JSON object.
   */
  line({ body, at, ssp, outcome, oneIn = 1 }: Captured): string | null {
    try {
      this.#instance ??= new Instance<Compiling>(compiler);
      if (!isTrue(this.#instance.exports.redact(this.#instance.put(body)))) return null;
      const request = new TextDecoder().decode(this.#instance.output());
      const about = JSON.stringify({
        ssp,
        at: new Date(at).toISOString(),
        outcome,
        ...(oneIn > 1 && { one_in: oneIn }),
      });
      return `${about.slice(0, -1)},"request":${request}}`;
    } catch (error) {
      fail("trap", error);
      this.#instance = undefined;
      return null;
    }
  }
}
