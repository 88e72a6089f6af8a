//! A timer for work that many requests share. The first request starts it, and the work runs after that request's
//! answer.

/** A timer that has not fired after this many periods counts as lost. */
const LOST_AFTER = 3;

export class Tick<E> {
  readonly #ms: number;
  readonly #work: (env: E) => Promise<void> | void;
  #startedAt = Number.NEGATIVE_INFINITY;
  #isRunning = false;

  /** Does `work` at most `ms` milliseconds after a {@link start}, once for all starts until then. */
  constructor(ms: number, work: (env: E) => Promise<void> | void) {
    this.#ms = ms;
    this.#work = work;
  }

  start(env: E, ctx: Background): void {
    const now = Date.now();
    const since = now - this.#startedAt;
    // If the platform ends the request, its timer is lost. A later request then starts a new one.
    if (this.#isRunning && since >= 0 && since < LOST_AFTER * this.#ms) return;
    this.#isRunning = true;
    this.#startedAt = now;
    ctx.waitUntil(this.#wait(env));
  }

  async #wait(env: E): Promise<void> {
    await new Promise((done) => setTimeout(done, this.#ms));
    this.#isRunning = false;
    await this.#work(env);
  }
}
