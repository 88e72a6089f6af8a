//! Work that is done once for all requests of a while: the first of them sees to it, behind its answer.

const LOST_AFTER = 3;

export class Tick<E> {
  readonly #ms: number;
  readonly #work: (env: E) => Promise<void> | void;
  #startedAt = Number.NEGATIVE_INFINITY;
  #isRunning = false;

  /** Does `work` at most `ms` milliseconds after each {@link start}. */
  constructor(ms: number, work: (env: E) => Promise<void> | void) {
    this.#ms = ms;
    this.#work = work;
  }

  start(env: E, ctx: Pick<ExecutionContext, "waitUntil">): void {
    const now = Date.now();
    const since = now - this.#startedAt;
    // A request that is ended takes its timer along; the next one then begins anew.
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
