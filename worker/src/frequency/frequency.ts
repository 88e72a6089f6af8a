//! Counts how often people have seen campaigns and creatives, for the caps in the catalog. One object counts for a 64th
//! of the people of a region.
//!
//! A question only reads. The object writes bids and bills after the answer, several in one transaction. Rows expire
//! when no cap counts them any more.

import { DurableObject } from "cloudflare:workers";
import { keptSeconds } from "../../../shared/frequency/buckets.ts";
import type { Limited } from "../../../shared/frequency/decide.ts";
import { COMMIT_BILLS, COMMIT_MS, EXPIRE_BATCH, EXPIRE_MS } from "../../../shared/limits.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { Commits } from "../commits.ts";
import { type Kept, Tables } from "./tables.ts";

/** A bid that was sent. */
export interface Sent {
  /** `bid.id`, 18 hex digits. */
  bid: string;
  /** Whether the bid itself or its billed impression counts. */
  on: "bid" | "bill";
  subjects: Limited[];
}

export class Frequency extends DurableObject<Env> {
  #tables: Tables;
  readonly #commits: Commits<() => void, void>;
  /** Whether an alarm is known to be set. */
  #isWatched = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#tables = new Tables(ctx.storage.sql);
    this.#commits = new Commits(COMMIT_MS, COMMIT_BILLS, (writes) => {
      try {
        return ctx.storage.transactionSync(() => writes.map((write) => write()));
      } catch (error) {
        // The failed transaction's tables and rows do not exist any more.
        this.#tables = new Tables(ctx.storage.sql);
        throw error;
      }
    });
  }

  /** How often the person may still see each of the subjects. */
  async left(key: string, subjects: Limited[]): Promise<number[]> {
    const now = seconds();
    return subjects.map((subject) => this.#tables.left(key, subject, now));
  }

  /** Counts bids, or remembers them until they are billed. `hours`: the validity of their notices. */
  async bid(key: string, bids: Sent[], hours: number): Promise<void> {
    await this.#watch();
    await this.#commits.add(() => {
      const now = seconds();
      for (const { bid, on, subjects } of bids) {
        const kept = subjects.map(({ subject, caps }): Kept => [subject, keptSeconds(caps)]);
        if (on === "bid") this.#tables.count(key, kept, now);
        else this.#tables.expect({ bid, key, subjects: kept, expires: now + hours * 3600 }, now);
      }
    });
  }

  /** Counts the impression of a bid. A bid that is billed again counts once. */
  async bill(bid: string): Promise<void> {
    await this.#commits.add(() => this.#tables.bill(bid, seconds()));
  }

  /** Deletes everything about a person. Returns the number of rows deleted. */
  async forget(key: string): Promise<number> {
    this.#commits.commit();
    return this.#tables.forget(key);
  }

  /** The rows written in SQLite since this instance started. */
  async rowsWritten(): Promise<number> {
    return this.#tables.rowsWritten;
  }

  /** Deletes expired rows. If there are many, the rest waits for the next alarm, which then comes at once. */
  override async alarm(): Promise<void> {
    this.#isWatched = false;
    const deleted = this.#tables.expire(seconds(), EXPIRE_BATCH);
    if (this.#tables.isEmpty()) return;
    const wait = deleted >= EXPIRE_BATCH ? 0 : EXPIRE_MS;
    await this.ctx.storage.setAlarm(Date.now() + wait);
    this.#isWatched = true;
  }

  /** Sets the alarm if there is none, also if the platform has lost it. */
  async #watch(): Promise<void> {
    if (this.#isWatched) return;
    this.#isWatched = true;
    try {
      if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + EXPIRE_MS);
    } catch (error) {
      this.#isWatched = false;
      fail("frequency-alarm", error);
    }
  }
}

/** Seconds since the epoch. */
function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
