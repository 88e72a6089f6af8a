//! Counts the isolate's bids, and notices that book nothing, and hands the counts to the ledger every few seconds.
//!
//! Counts are statistics: they are lost if the isolate ends before it hands them over. Money is never counted here.

import type { Count, Names } from "../../../shared/ledger/rows.ts";
import { Sums } from "../../../shared/ledger/sums.ts";
import { LEDGER_SHARDS, MAX_COUNTS, TALLY_MS } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { ledgerAt, shardsOf, utcDay } from "../ledger/shards.ts";
import { Tick } from "../time/tick.ts";

export class Tally {
  readonly #counters: Counters;
  readonly #tick: Tick<Env>;
  /** The bidders that may have counts. */
  readonly #bidders = new Set<Bidder>();
  #counts = newCounts();
  #names = new Map<string, Names>();

  /** Raises `counts-lost` for bids and notices that no report contains. `ms`: the time between two hand-overs. */
  constructor(counters: Counters, ms = TALLY_MS) {
    this.#counters = counters;
    this.#tick = new Tick(ms, (env) => this.#flush(env));
  }

  /** The next flush takes the counts of this bidder. */
  watch(bidder: Bidder, env: Env, ctx: Background): void {
    this.#bidders.add(bidder);
    this.#tick.start(env, ctx);
  }

  /** Counts notices. */
  add(count: Count, env: Env, ctx: Background): void {
    this.#add(count);
    this.#tick.start(env, ctx);
  }

  #add(count: Count): void {
    if (!this.#counts.add(count, MAX_COUNTS)) this.#counters.add("counts-lost", count.count);
  }

  #take(): void {
    for (const { bids = [], uncounted } of [...this.#bidders].flatMap((bidder) => bidder.takeTally())) {
      if (uncounted > 0) this.#counters.add("counts-lost", uncounted);
      for (const { quarter, count, arm = 0, ...names } of bids) {
        const { campaign, creative, ssp } = names;
        this.#names.set(`${campaign}${creative}${ssp}`, names);
        this.#add({ quarter, campaign, creative, ssp, arm, kind: "bid", detail: "", count });
      }
    }
    this.#bidders.clear();
  }

  /** Hands the counts of each day to any object of that day. */
  async #flush(env: Env): Promise<void> {
    this.#take();
    const [all, names] = [this.#counts, [...this.#names.values()]];
    [this.#counts, this.#names] = [newCounts(), new Map()];
    const handed = [...Map.groupBy(all, ({ quarter }) => utcDay(quarter))].map(async ([day, counts]) => {
      const shard = shardsOf(day)[Math.floor(Math.random() * LEDGER_SHARDS)] ?? "";
      try {
        await ledgerAt(env, shard).count(counts, names);
      } catch (error) {
        fail("tally", error);
        for (const { count } of counts) this.#counters.add("counts-lost", count);
      }
    });
    await Promise.all(handed);
  }
}

function newCounts(): Sums<Count> {
  return new Sums(["quarter", "campaign", "creative", "ssp", "arm", "kind", "detail"]);
}
