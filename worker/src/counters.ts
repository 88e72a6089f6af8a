//! Counts what happened in this isolate since it started. Nothing leaves the isolate but through
//! `GET /healthz`.

export class Counters {
  readonly #counts = new Map<string, number>();

  /** Adds one, and returns the new count. */
  add(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
