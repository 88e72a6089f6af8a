//! Reads the ledger for the pacer: the new bills, from all objects that may still get bills, and the totals of past
//! days.
//!
//! If an object does not answer, its old sums count for a minute, and the other objects do not wait for it. After that,
//! and at once if this instance has no sums of it, the mean of the day's other objects counts: the ids of bids spread
//! bills evenly. If most objects of a day are silent, a pacer that has just started waits for them: otherwise it would
//! take a part of the spend for the whole, and spend it again.

import {
  ASKED_AT_ONCE,
  DAY_END_MS,
  HANDOVER_DAYS,
  LEDGER_SHARDS,
  MISSED_READINGS,
  NOTICE_DAYS,
  OLDER_MS,
  PAST_MS,
  PAST_RETRY_MS,
  PULL_MS,
  READ_AT_ONCE,
  SUMMARY_MS,
  YESTERDAY_MS,
} from "../../../shared/limits.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { DAY_MS, dayAt, shifted } from "../../../shared/time/days.ts";
import type { Ack, Batch, Reader } from "../ledger/changes.ts";
import { ledgerAt, shardsOf, summaryOf } from "../ledger/shards.ts";
import type { Since, Spent } from "../ledger/summary.ts";
import { within } from "../time/retry.ts";
import type { PacingModule, Past } from "./module.ts";

/** Readings that are not due with each tick. */
type Reading = "yesterday" | "older" | "past";

/** The state of an object of the ledger. */
interface Known {
  /** The last batch that the module has; null if all of it has to be read again. */
  ack: Ack | null;
  /** How many times in a row it did not answer. */
  silent: number;
  /** Whether the mean of the others counts for it. */
  isMissing: boolean;
  /** The campaigns whose bills the module has of it. */
  only: Only;
}

/** The hashes of some campaigns; undefined: of all. */
type Only = readonly string[] | undefined;

export class Bills {
  readonly #env: Env;
  /** The name of the reader for the ledger. */
  readonly #name: string;
  readonly #module: PacingModule;
  /** The objects that the module knows. */
  readonly #objects = new Map<string, Known>();
  readonly #due = new Map<Reading, number>();
  /** The campaigns with a total budget. Only they need the days before yesterday. */
  #ask: (now: number) => Past[] = () => [];
  #asked: Past[] = [];
  /** The campaigns whose bills since yesterday count, if not all. */
  #recent: Only;
  /** The campaigns whose bills before yesterday count: those that are asked for. */
  #old: Only = [];
  /** The campaigns whose past days have been read, each with the first day. */
  #known = new Set<string>();
  /** The objects whose totals the summary has. */
  #absorbed = new Set<string>();
  /** What the summary did when it was asked for the past days of the present campaigns; null if it was not asked yet. */
  #summary: "told" | "silent" | null = null;
  #hasRecent = false;
  #hasOlder = false;
  /** Rises when something else must be read. Answers to earlier questions are then dropped, and the objects repeat them. */
  #reading = 0;

  constructor(env: Env, module: PacingModule, name = "") {
    [this.#env, this.#name] = [env, name];
    this.#module = module;
  }

  /**
   * Also reads past days, for some campaigns: `ask` says for which at a time. `own`: the campaigns of this pacer, if there
   * are several pacers. For more of them, all bills are read again before {@link isComplete}.
   */
  want(ask: (now: number) => Past[], now: number, own?: string[]): void {
    this.#reading++;
    if (own !== undefined && !new Set(own).isSubsetOf(new Set(this.#recent))) {
      this.#recent = own;
      this.#hasRecent = false;
    }
    this.#ask = ask;
    this.#asked = ask(now);
    this.#wantOld(this.#asked);
    this.#summary = null;
    this.#due.clear();
  }

  /** Bills of old days are read again, as a whole, if those of other campaigns count now. */
  #wantOld(asked: Past[]): void {
    const [all, known] = [new Set(asked.map(({ campaign }) => campaign)), new Set(this.#old)];
    if (all.isSubsetOf(known)) return;
    this.#old = [...all];
    this.#hasOlder = false;
    this.#due.delete("older");
  }

  /** Reads everything again. */
  repeat(): void {
    this.#reading++;
    for (const known of this.#objects.values()) known.ack = null;
    this.#due.clear();
  }

  /** The objects for which the mean of the others counts, and the summary if it does not answer. */
  get missing(): string[] {
    const missing = [...this.#objects].filter(([, { isMissing }]) => isMissing).map(([shard]) => shard);
    return [...missing, ...(this.#summary === "silent" ? ["summary"] : [])].sort();
  }

  /**
   * Whether each object has sums or a mean, and the past days are known, or the module holds back the budgets that need
   * them.
   */
  get isComplete(): boolean {
    if (!this.#hasRecent) return false;
    return this.#asked.length === 0 || (this.#hasOlder && (this.#summary !== null || this.#isPastKnown));
  }

  get #isPastKnown(): boolean {
    return this.#asked.every((one) => this.#known.has(nameOf(one)));
  }

  /**
   * Reads all that is due. `isWaiting`: waits for the days before yesterday too, as a pacer does that has no shares yet.
   * Rejects only if the module traps.
   */
  async pull(now: number, isWaiting: boolean): Promise<void> {
    const today = dayAt(now);
    const yesterday = shifted(today, -1);
    // A total needs old days until the summary tells them. Without totals, nobody needs them.
    if (this.#asked.length === 0) {
      this.#hasOlder = false;
      if (this.#known.size > 0) this.#module.tell("past", "");
      this.#known.clear();
      for (const shard of this.#objects.keys()) if (shard < yesterday) this.#close(shard);
    }
    const isJustOver = now - Date.parse(today) < DAY_END_MS;
    const isWithYesterday = this.#isDue("yesterday", now, isJustOver ? 0 : YESTERDAY_MS) || !this.#hasRecent;
    const readings = [this.#readRecent(isWithYesterday ? [today, yesterday] : [today])];
    if (this.#asked.length > 0) {
      const slow = [
        ...(this.#isDue("older", now, OLDER_MS) ? [this.#readOlder(today, now)] : []),
        ...(this.#isDue("past", now, PAST_MS) ? [this.#readPast(today, now)] : []),
      ];
      if (isWaiting) readings.push(...slow);
      else for (const reading of slow) reading.catch((error) => fail("pacer-trap", error));
    }
    await Promise.all(readings);
  }

  /** Whether a reading is due, which it is once in `ms`. A time beyond that is from before the clock was set back. */
  #isDue(what: Reading, now: number, ms: number): boolean {
    const wait = (this.#due.get(what) ?? 0) - now;
    if (wait > 0 && wait <= ms) return false;
    this.#due.set(what, now + ms);
    return true;
  }

  async #readRecent(days: string[]): Promise<void> {
    await this.#read(days, this.#recent);
    this.#hasRecent ||= this.#knows(days, this.#recent);
  }

  /** Reads the days before yesterday whose objects still take bills. */
  async #readOlder(today: string, now: number): Promise<void> {
    const days = Array.from({ length: NOTICE_DAYS - 2 }, (_, n) => shifted(today, -2 - n));
    const isWhole = await this.#read(days, this.#old);
    this.#hasOlder ||= this.#knows(days, this.#old);
    if (!isWhole) this.#due.set("older", now + PAST_RETRY_MS);
  }

  /** Books the bills of these days. False if an object does not answer in time: it repeats its answer next time. */
  async #read(days: string[], only: Only): Promise<boolean> {
    let isWhole = true;
    for (const day of days) {
      // Even without new bills: the module must know how old its sums are.
      const silent = await this.#answers(day, only, (shard, batch) => this.#book(shard, only, batch));
      if (areFew(silent)) for (const shard of silent) this.#miss(shard, only);
      isWhole &&= silent.length === 0;
    }
    return isWhole;
  }

  /** Takes the answers of a day's objects, without those that the summary has. Returns those that do not answer. */
  async #answers(day: string, only: Only, take: (shard: string, batch: Batch) => void): Promise<string[]> {
    const silent: string[] = [];
    const [reading, midnights] = [this.#reading, this.#module.midnights(day)];
    const left = shardsOf(day)
      .filter((shard) => !this.#absorbed.has(shard))
      .values();
    const ask = async () => {
      for (const shard of left) {
        if (reading !== this.#reading) return;
        const known = this.#objects.get(shard);
        // Of other campaigns, its new bills alone would not do.
        const ack = (known?.only === only && known?.ack) || null;
        const spent = (more: Reader["only"]) =>
          answered(ledgerAt(this.#env, shard).spent(ack, midnights, only && { name: this.#name, only: more }), PULL_MS);
        let batch = await spent(ack && only ? null : (only ?? null));
        if (batch?.isForgotten && only) batch = await spent(only);
        if (batch === null) silent.push(shard);
        else if (reading === this.#reading) take(shard, batch);
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, ask));
    return silent;
  }

  #book(shard: string, only: Only, { rows, whole, ...ack }: Batch): void {
    this.#objects.set(shard, { ack, silent: 0, isMissing: false, only });
    this.#module.booked(shard, rows, whole);
  }

  /** Notes that the object did not answer. */
  #miss(shard: string, only: Only): void {
    const known = this.#objects.get(shard);
    const silent = (known?.silent ?? 0) + 1;
    if (known?.only === only && known && !known.isMissing && silent < MISSED_READINGS) {
      known.silent = silent;
      return;
    }
    // The mean replaces its sums, so it must send all of them again.
    this.#objects.set(shard, { ack: null, silent, isMissing: true, only });
    this.#module.tell("missing", shard);
  }

  #knows(days: string[], only: Only): boolean {
    return days.flatMap(shardsOf).every((shard) => this.#objects.has(shard) && this.#objects.get(shard)?.only === only);
  }

  /**
   * Reads the totals of the days whose objects take no more bills. A total is either in its object or in the summary.
   * The summary is asked last: the objects that it does not name still had their totals when they answered. For a
   * silent object, its known sums count; without any, the mean of the objects that have not handed over yet.
   */
  async #readPast(today: string, now: number): Promise<void> {
    const reading = this.#reading;
    // Another flight may have started.
    const asked = this.#ask(now);
    this.#wantOld(asked);
    const only = this.#old;
    const [silent, empty]: [string[], string[]] = [[], []];
    const take = (shard: string, batch: Batch) => {
      // Until the summary tells its totals, what is known of it counts.
      if (batch.whole && batch.rows === "") empty.push(shard);
      else this.#book(shard, only, batch);
    };
    for (let n = 0; n <= HANDOVER_DAYS; n++) {
      silent.push(...(await this.#answers(shifted(today, -NOTICE_DAYS - n), only, take)));
    }
    const end = shifted(today, -NOTICE_DAYS - HANDOVER_DAYS);
    const [since = end] = [...this.#objects.keys(), end].sort();
    const spent = await this.#past(asked, since);
    // Some objects were not read, and the next tick begins again.
    if (reading !== this.#reading) return;
    this.#summary = spent === null ? "silent" : "told";
    const absorbed = new Set(spent?.places);
    const left = silent.filter((shard) => !absorbed.has(shard));
    if (spent === null || left.length > 0) this.#due.set("past", now + PAST_RETRY_MS);
    if (spent === null || !areFew(left)) return;
    this.#absorbed = absorbed;
    for (const shard of [...absorbed, ...empty]) this.#close(shard);
    const overdue = spent.overdue?.filter((shard) => shard < end) ?? [];
    for (const shard of [...left, ...overdue]) if (!this.#objects.has(shard)) this.#miss(shard, only);
    this.#module.tell("past", pastOf(asked, spent));
    this.#asked = asked;
    this.#known = new Set(asked.map(nameOf));
  }

  /**
   * What the summary tells, with the objects since `since` that it has absorbed; null if it does not answer, or absorbs an
   * object in each of the `attempts`.
   */
  async #past(asked: Past[], since: string, attempts = 3): Promise<Spent | null> {
    const all: Spent = { sums: [], places: [] };
    for (let first = 0; first < asked.length; first += ASKED_AT_ONCE) {
      const part = asked.slice(first, first + ASKED_AT_ONCE).map(sinceOf);
      const told = await answered(summaryOf(this.#env).spent(part, since), SUMMARY_MS);
      if (told === null) return null;
      // It has absorbed an object meanwhile, whose totals the former parts lack.
      if (first > 0 && told.places.length !== all.places.length)
        return attempts === 1 ? null : this.#past(asked, since, attempts - 1);
      for (const sum of told.sums) all.sums.push({ ...sum, at: first + sum.at });
      [all.places, all.overdue] = [told.places, told.overdue ?? []];
    }
    return all;
  }

  /** Forgets an object: the summary has its totals, or no budget counts its day. */
  #close(shard: string): void {
    if (this.#objects.delete(shard)) this.#module.tell("closed", shard);
  }
}

/** Whether so few objects of a day are silent that the others can replace them. */
function areFew(silent: string[]): boolean {
  return 2 * silent.length <= LEDGER_SHARDS;
}

/** The lines for the module: for each campaign, a line without bills, and its sums. */
function pastOf(asked: Past[], { sums }: Spent): string {
  const none = asked.map((one) => `${nameOf(one)}\n`);
  const some = sums.map(({ at, ssp, cur, nanos, bid, held }) => {
    return `${nameOf(asked[at] as Past)} ${ssp} ${nanos} ${bid} ${held} ${cur}\n`;
  });
  return [...none, ...some].join("");
}

function nameOf({ campaign, day }: Past): string {
  return `${campaign} ${day}`;
}

function sinceOf({ campaign, day }: Past): Since {
  return { campaign, from: dayAt(day * DAY_MS) };
}

/** The answer of the ledger; null if it does not answer in time. */
async function answered<T>(answer: Promise<T>, ms: number): Promise<T | null> {
  try {
    return await within(ms, answer);
  } catch (error) {
    fail("pacer-ledger", error);
    return null;
  }
}
