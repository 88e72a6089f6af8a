//! Counts what happened in this isolate since it started. `GET /healthz` tells
//! them, and `metrics.ts` writes them where a dataset is bound.

export class Counters {
  readonly #counts = new Map<string, number>();

  /** Adds some, and returns the new count. */
  add(name: string, some = 1): number {
    const count = (this.#counts.get(name) ?? 0) + some;
    this.#counts.set(name, count);
    return count;
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
