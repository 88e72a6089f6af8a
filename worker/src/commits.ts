//! Group commit: calls that arrive within some milliseconds share one transaction, because one transaction for each
//! call would limit an object to a few hundred calls a second.

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export class Commits<T, R> {
  readonly #ms: number;
  readonly #most: number;
  readonly #write: (items: T[]) => R[];
  #waiting: Waiting<T, R>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Calls `write` with the items of at most `ms` milliseconds, and at most `most` at once. `write` returns a result for
   * each, or throws if it has written nothing.
   */
  constructor(ms: number, most: number, write: (items: T[]) => R[]) {
    this.#ms = ms;
    this.#most = most;
    this.#write = write;
  }

  /** Resolves with the result of the item once it is written. Rejects if the write throws. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= this.#most) this.commit();
      else this.#timer ??= setTimeout(() => this.commit(), this.#ms);
    });
  }

  /** Writes all waiting items now. */
  commit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      const results = this.#write(waiting.map(({ item }) => item));
      for (const [i, { resolve }] of waiting.entries()) resolve(results[i] as R);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
