//! The isolate's part of pacing: every few seconds, after an answer, it sends its counts to a relay and gets the newest
//! shares for its bidders.
//!
//! No bid request waits for this. An isolate without shares does not bid for campaigns with a budget, and the module
//! itself stops them if its shares get too old. Without budgets and learned shading, nothing here runs.

import {
  CLOCKS_MS,
  EXCHANGE_ATTEMPTS,
  EXCHANGE_MS,
  EXCHANGE_TIMEOUT_MS,
  IDLE_MS,
  KV_CACHE_TTL_SECONDS,
  LATE_TICKS,
  MAX_TOLD,
  PACER_MS,
  SHARES_FALLBACK_MS,
} from "../../../shared/limits.ts";
import { headOf, SHARES_KEY, sharesAt } from "../../../shared/pacing/shares.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { fail, messageOf } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { regionOf } from "../regions.ts";
import { within } from "../time/retry.ts";
import { Tick } from "../time/tick.ts";
import { anyRelay, pairsOf, relayOf } from "./objects.ts";

export type PacingEnv = Pick<Env, "CATALOG" | "RELAY">;

/** The part of a bidder that pacing uses. */
export type Paced = Pick<Bidder, "isPaced" | "shares" | "useShares" | "takeCounts">;

/** Pacing as `GET /healthz` shows it. */
export interface PacingState {
  /** The campaigns with a budget, and how much of the pacers they take: see `PACER_PAIRS`. */
  budgets: number;
  pairs: number;
  /** Seconds since the pacer made the shares in use; null without shares. */
  age: number | null;
  /** Seconds since a relay took this isolate's counts; null if none has yet. */
  exchanged: number | null;
  /** Why the last exchange failed; null if it succeeded. */
  failure: string | null;
}

export class PacingExchange {
  readonly #counters: Counters;
  readonly #tick: Tick<PacingEnv>;
  /** The newest shares, as text. */
  #shares: Uint8Array | null = null;
  #number = 0;
  /** Whether they come from KV. */
  #isStored = true;
  /** When the pacer made them, by this isolate's clock. */
  #madeAt = 0;
  /** The bidders that may have counts, and whether their bids are sent. */
  readonly #bidders = new Map<Paced, boolean>();
  /** What notices told about the prices that win, and how often. */
  readonly #told = new Map<string, number>();
  /** When the last exchange began. */
  #beganAt = Number.NEGATIVE_INFINITY;
  /** The last exchange that did not wait for its turn. */
  #catchingUp: Promise<void> | undefined;
  #relay = Number.NaN;
  #region = 0;
  #exchangedAt: number | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #failure: string | null = null;

  /** Raises `pacing-lost` for exchanges whose counts reached no relay. `ms`: the time between two exchanges. */
  constructor(counters: Counters, ms = EXCHANGE_MS) {
    this.#counters = counters;
    this.#tick = new Tick(ms, (env) => this.#exchange(env));
  }

  /**
   * Gives the bidder the newest shares before it decides, and takes its counts with the next exchange. The counts of a
   * bidder whose bids are not sent, a shadow, are thrown away.
   */
  use(bidder: Paced, isServing: boolean, request: Pick<Request, "cf">, env: PacingEnv, ctx: Background): void {
    if (!bidder.isPaced) return;
    this.#start(request, env, ctx);
    if (bidder.shares !== this.#shares) bidder.useShares(this.#shares);
    this.#bidders.set(bidder, isServing);
  }

  /** Takes what a notice told about the prices that win: see `Verdict.observed`. */
  observe(told: string, request: Pick<Request, "cf">, env: PacingEnv, ctx: Background): void {
    if (this.#told.size >= MAX_TOLD && !this.#told.has(told)) {
      this.#counters.add("told-lost");
      return;
    }
    this.#told.set(told, (this.#told.get(told) ?? 0) + 1);
    this.#start(request, env, ctx);
  }

  #start(request: Pick<Request, "cf">, env: PacingEnv, ctx: Background): void {
    if (Number.isNaN(this.#relay)) {
      this.#region = regionOf(request);
      this.#relay = anyRelay();
    }
    const since = Date.now() - this.#beganAt;
    if (!(since >= 0 && since < IDLE_MS)) {
      this.#catchingUp = this.#exchange(env);
      ctx.waitUntil(this.#catchingUp);
    }
    this.#tick.start(env, ctx);
  }

  /** Waits until the shares are not old because there were no requests. Only for questions of the operator. */
  async caughtUp(): Promise<void> {
    await this.#catchingUp;
  }

  /** Null without budgets. */
  state(bidder: Pick<Bidder, "budgets" | "ssps"> | undefined): PacingState | null {
    if (!bidder?.budgets) return null;
    const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
    return {
      budgets: bidder.budgets,
      pairs: pairsOf(bidder),
      age: this.#shares && seconds(this.#madeAt),
      exchanged: this.#exchangedAt === null ? null : seconds(this.#exchangedAt),
      failure: this.#failure,
    };
  }

  /** At the start, KV may answer before a relay does. Later it is only asked if no relay answers. */
  async #exchange(env: PacingEnv): Promise<void> {
    const now = Date.now();
    // The clock was set back, so nobody knows how old the shares are.
    if (now < this.#beganAt) [this.#shares, this.#number, this.#isStored] = [null, 0, true];
    this.#beganAt = now;
    const counts = this.#takeCounts();
    const start = this.#exchangedAt === null ? this.#readStored(env) : undefined;
    await this.#askRelay(counts, env);
    await (start ?? this.#readStored(env));
  }

  async #askRelay(counts: string | null, env: PacingEnv): Promise<void> {
    for (let attempt = 0; attempt < EXCHANGE_ATTEMPTS; attempt++) {
      try {
        const answer = relayOf(env, this.#region, this.#relay).exchange(counts);
        this.#take(await within(EXCHANGE_TIMEOUT_MS, answer), false);
        this.#exchangedAt = Date.now();
        this.#failure = null;
        return;
      } catch (error) {
        this.#failure = `relay ${this.#relay}: ${messageOf(error)}`;
        fail("pacing-exchange", this.#failure);
        this.#relay = anyRelay(this.#relay);
      }
    }
    if (counts !== null) this.#counters.add("pacing-lost");
  }

  /** Reads the shares in KV, unless they were read lately or a relay answered. */
  async #readStored(env: PacingEnv): Promise<void> {
    const now = Date.now();
    const since = Math.max(this.#readAt, this.#exchangedAt ?? this.#readAt);
    if (now >= since && now - since < SHARES_FALLBACK_MS) return;
    this.#readAt = now;
    try {
      const stored = await env.CATALOG.get(SHARES_KEY, { type: "text", cacheTtl: KV_CACHE_TTL_SECONDS });
      this.#take(stored ?? "", true);
    } catch (error) {
      fail("pacing-stored", error);
    }
  }

  /**
   * Keeps the shares if they are newer: by their number, or by their age if the number has fallen, as that of several
   * pacers may. A relay without shares answers with an empty text. Shares in KV have no age, so their age is computed from
   * the pacer's clock. Those from the future are of a wrong clock, and not used. Who can write KV could store shares with
   * any number, so those of a relay always replace them.
   */
  #take(shares: string, isStored: boolean): void {
    const { number, age, made } = headOf(shares);
    const isFirst = this.#isStored && !isStored && number > 0;
    const now = Date.now();
    const isYounger = !isStored && age !== null && now - this.#madeAt - age > LATE_TICKS * PACER_MS;
    const isNewer = number > this.#number || (number < this.#number && isYounger);
    if (!isNewer && !isFirst) return;
    if (isStored && made > now + CLOCKS_MS) return;
    [this.#number, this.#isStored] = [number, isStored];
    this.#madeAt = age === null ? Math.min(made, now) : now - age;
    this.#shares = new TextEncoder().encode(sharesAt(shares, this.#madeAt));
  }

  /** The counts of all bidders as one text; null if there are none. */
  #takeCounts(): string | null {
    const texts: string[] = [];
    for (const [bidder, isServing] of this.#bidders) {
      const counts = bidder.takeCounts(Date.now());
      if (isServing && counts !== null) texts.push(new TextDecoder().decode(counts));
    }
    this.#bidders.clear();
    if (this.#told.size > 0) {
      for (const [told, count] of this.#told) texts.push(`${told} ${count}\n`);
      this.#told.clear();
    }
    return texts.join("") || null;
  }
}
