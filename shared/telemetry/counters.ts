//! The counters of this isolate since it started. `GET /healthz` shows them, and `metrics.ts` writes them to a dataset.

/** The start of the counters of bid requests that were refused for their token; the id of the SSP follows. */
export const UNAUTHORIZED = "unauthorized-";

/** The start of the counters of requests that no campaign targets; the id of the SSP follows. */
export const UNTARGETED = "untargeted-";

export class Counters {
  readonly #counts = new Map<string, number>();

  /** Adds to a counter, and returns the new count. */
  add(name: string, added = 1): number {
    const count = (this.#counts.get(name) ?? 0) + added;
    this.#counts.set(name, count);
    return count;
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
