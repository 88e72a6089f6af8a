//! Writes the isolate's counters to the Analytics Engine if a dataset is bound: one point per counter, with the
//! increase since the last point.
//!
//!     SELECT blob1 AS name, SUM(_sample_interval * double1) AS count FROM edgebid GROUP BY name

import { MAX_POINTS, METRICS_MS } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { Tick } from "../time/tick.ts";

export class Metrics {
  readonly #counters: Counters;
  readonly #written = new Map<string, number>();
  readonly #tick = new Tick<Bindings>(METRICS_MS, (env) => this.#write(env));

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Starts the next write. */
  due(env: Bindings, ctx: Background): void {
    if (env.METRICS) this.#tick.start(env, ctx);
  }

  /** Writes the counters that grew most. Further counters wait for the next write. */
  #write({ METRICS: dataset }: Bindings): void {
    const grown = Object.entries(this.#counters.toJSON())
      .map(([name, count]) => ({ name, count, added: count - (this.#written.get(name) ?? 0) }))
      .filter(({ added }) => added > 0)
      .sort((a, b) => b.added - a.added);
    for (const { name, count, added } of grown.slice(0, MAX_POINTS)) {
      dataset?.writeDataPoint({ indexes: [name], blobs: [name], doubles: [added] });
      this.#written.set(name, count);
    }
  }
}
