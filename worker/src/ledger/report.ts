//! The totals of the whole ledger, day by day: asks all objects that may hold days of the query, and the summary, and
//! adds up their answers as they come.

import { NO_PART, type Query, type Total } from "../../../shared/ledger/rows.ts";
import { type Group, Groups } from "../../../shared/ledger/sums.ts";
import {
  BOOK_BACKOFF_MS,
  HANDOVER_DAYS,
  MAX_REPORT_ROWS,
  MAX_REPORT_TOTALS,
  NOTICE_DAYS,
  PAGE_TOTALS,
  PAGES_AT_ONCE,
  REPORT_ATTEMPTS,
  REPORT_DAYS,
  REPORT_MS,
} from "../../../shared/limits.ts";
import { fail, messageOf, Refusal } from "../../../shared/telemetry/failures.ts";
import { dayAt, daysBetween, shifted } from "../../../shared/time/days.ts";
import { retrying, within } from "../time/retry.ts";
import { dayOfShard, ledgerAt, shardsOf, summaryOf } from "./shards.ts";

/** The answer of the ledger. */
export interface Totals {
  /** The groups of some days at a time, in order; all at once if the query does not ask for days. */
  days: AsyncIterable<Group[]>;
  /** The objects that do not answer: their totals are missing in the groups. */
  missing: string[];
}

/**
 * The totals of a query. `now` is in milliseconds since the epoch. Throws if the summary or no object at all answers, or
 * if there are too many rows; reading the later days throws for the same reasons, and if an object answers no more.
 */
export async function totals(env: Env, query: Query, now: number): Promise<Totals> {
  const reading = new Reading(env, query, now);
  const days = reading.days();
  const first = await days.next();
  async function* all() {
    if (!first.done) yield first.value;
    yield* days;
  }
  return { days: all(), missing: [...reading.missing].sort() };
}

class Reading {
  /** The objects that do not answer. */
  readonly missing = new Set<string>();
  readonly #env: Env;
  readonly #query: Query;
  /** The objects that are asked. */
  readonly #shards: readonly string[];
  /** The objects whose totals the summary has. */
  readonly #absorbed = new Set<string>();
  #groups = new Groups();
  /** The objects with totals in the groups. */
  readonly #added = new Set<string>();
  /** How many objects the summary had absorbed when it told what is in the groups. */
  readonly #absorptions = new Set<number>();
  /** How many totals came. */
  #count = 0;
  /** Whether groups are on their way to the caller, with the names of the missing objects in front. */
  #isSent = false;

  constructor(env: Env, query: Query, now: number) {
    [this.#env, this.#query, this.#shards] = [env, query, shardsIn(query, now)];
  }

  async *days(): AsyncGenerator<Group[], undefined> {
    const { from: first, to: last, by } = this.#query;
    const isDaily = by.includes("day");
    let [from, days, unread, attempts] = [first, 1, shifted(first, -1), REPORT_ATTEMPTS];
    while (from <= last) {
      const before = this.#count;
      const to = shifted(from, days - 1) < last ? shifted(from, days - 1) : last;
      // In some time zone, a day ends on the next day of UTC.
      const end = shifted(to, 1);
      const live = this.#shards.filter((shard) => unread <= dayOfShard(shard) && dayOfShard(shard) <= end);
      await this.#each(live, (shard) => this.#add(shard, from));
      unread = shifted(end, 1);
      // The summary is asked last. So the objects that it does not name still had their totals when they answered.
      await this.#each(["summary"], () => this.#addPast(from, to));
      if (this.#absorptions.size > 1 || [...this.#added].some((shard) => this.#absorbed.has(shard))) {
        if (--attempts === 0) throw new Error("the summary takes the totals of objects now");
        this.#groups = new Groups();
        for (const set of [this.#added, this.#absorptions]) set.clear();
        if (!isDaily) from = first;
        unread = shifted(from, -1);
        continue;
      }
      if (isDaily || to === last) {
        if (!this.#isSent)
          await this.#each(
            this.#shards.filter((shard) => dayOfShard(shard) > end),
            (shard) => this.#isThere(shard),
          );
        if (this.#shards.length > 0 && this.#shards.every((shard) => this.missing.has(shard)))
          throw new Error("no object of the ledger answers");
        this.#isSent = true;
        this.#absorptions.clear();
        yield this.#groups.take(to);
      }
      // As many days as have so many totals, if they are like those before.
      days = Math.max(1, Math.min(2 * days, REPORT_DAYS, Math.floor((days * PAGE_TOTALS) / (this.#count - before))));
      from = end;
    }
  }

  /** Asks some objects, except those that are missing or whose totals the summary has. */
  async #each(names: string[], ask: (name: string) => Promise<void>): Promise<void> {
    const left = names.filter((name) => !this.missing.has(name) && !this.#absorbed.has(name)).values();
    const asking = async () => {
      for (const name of left) {
        try {
          await ask(name);
        } catch (error) {
          // What is sent names the missing objects: from then on, all others must answer.
          if (this.#isSent || error instanceof Refusal) throw error;
          fail("report-ledger", `${name}: ${messageOf(error)}`);
          this.missing.add(name);
        }
      }
    };
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, asking));
  }

  /** Adds what an object has of the days from `from` on. */
  async #add(shard: string, from: string): Promise<void> {
    await this.#pages(async (part) => {
      const page = await ledgerAt(this.#env, shard).report({ ...this.#query, from }, part);
      if (page !== null && page.length > 0) this.#added.add(shard);
      return page;
    });
  }

  async #addPast(from: string, to: string): Promise<void> {
    await this.#pages(async (part) => {
      const page = await summaryOf(this.#env).report({ ...this.#query, from, to }, part);
      this.#absorptions.add(page.objects);
      for (const shard of page.places) {
        this.#absorbed.add(shard);
        this.missing.delete(shard);
      }
      // Of days before those whose objects are asked.
      const [first, last] = [shifted(this.#query.from, -1), shifted(this.#query.to, 1)];
      const isOfQuery = (day: string) => first <= day && day <= last;
      for (const shard of page.overdue ?? []) {
        if (isOfQuery(dayOfShard(shard)) && !this.#shards.includes(shard)) this.missing.add(shard);
      }
      return page.totals;
    });
  }

  /** Fails if an object does not answer: it is asked for no campaign. */
  async #isThere(shard: string): Promise<void> {
    await within(REPORT_MS, ledgerAt(this.#env, shard).report(this.#query, NO_PART));
  }

  /** Adds an answer; if it would be too long, the answers for sixteen parts of the campaigns. */
  async #pages(ask: (part: string) => Promise<Total[] | null>, part = ""): Promise<void> {
    const page = await retrying(this.#isSent ? 2 : 1, BOOK_BACKOFF_MS, () => within(REPORT_MS, ask(part)));
    if (page === null) {
      for (const digit of "0123456789abcdef") await this.#pages(ask, digit + part);
      return;
    }
    const { by } = this.#query;
    this.#groups.add(page);
    this.#count += page.length;
    const [rows, instead] = by.includes("day") ? ["rows on two successive days", ""] : ["rows", ", day among them"];
    if (this.#groups.size > MAX_REPORT_ROWS) throw this.#tooMany(`${MAX_REPORT_ROWS} ${rows}`, instead);
    if (this.#count > MAX_REPORT_TOTALS)
      throw this.#tooMany(`${MAX_REPORT_TOTALS} sums of the ledger's objects`, ", fewer days");
  }

  #tooMany(what: string, instead: string): Refusal {
    const { by, campaign } = this.#query;
    const one = campaign === undefined ? ", or one campaign by campaign=ID" : "";
    return new Refusal(`by: ${by.join(",")} gives more than ${what}; expected fewer attributes${instead}${one}`, 400);
  }
}

/** The objects with quarters of these days in any time zone, except those that handed over their totals long ago. */
function shardsIn({ from, to }: Query, now: number): string[] {
  const today = dayAt(now);
  const last = [shifted(to, 1), today].sort()[0] ?? today;
  const first = [shifted(from, -1), shifted(today, -NOTICE_DAYS - HANDOVER_DAYS)].sort()[1] ?? today;
  return daysBetween(first, last).flatMap(shardsOf);
}
