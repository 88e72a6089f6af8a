//! What the pacer knows of the ledger: reads what was billed since it asked last, from all objects that may still get
//! bills, and the totals of past days.
//!
//! An object that does not answer keeps its old sums, and the other objects do not wait for it. Only the first reading
//! must be complete: a pacer that has just started and takes a part of the spend for the whole would spend it again.

import { DAY_MS, dayAt, shifted } from "../days.ts";
import type { Ack } from "../ledger/changes.ts";
import { ledgerAt, placesOf, summaryOf } from "../ledger/places.ts";
import type { Since } from "../ledger/summary.ts";
import {
  DAY_END_MS,
  HANDOVER_DAYS,
  NOTICE_DAYS,
  OLDER_MS,
  PAST_MS,
  PAST_RETRY_MS,
  PULL_MS,
  YESTERDAY_MS,
} from "../limits.ts";
import { within } from "../post/retry.ts";
import { fail } from "../telemetry/failures.ts";
import type { Asked, PacingModule } from "./module.ts";

type BillsEnv = Pick<Env, "LEDGER" | "SUMMARY">;

/** Readings that are not due with each tick. */
type Reading = "yesterday" | "older" | "past";

export class Bills {
  readonly #env: BillsEnv;
  readonly #module: Pick<PacingModule, "booked" | "closed" | "past">;
  /** The last batch of each object that the module knows; null if all of it has to be read again. */
  readonly #acks = new Map<string, Ack | null>();
  readonly #due = new Map<Reading, number>();
  /** The campaigns with a total budget. Only they need the days before yesterday. */
  #ask: (now: number) => Asked[] = () => [];
  #asked: Asked[] = [];
  /** The campaigns whose past days have been read, each with the first day. */
  #known = new Set<string>();
  /** The objects whose totals the summary has. */
  #absorbed = new Set<string>();
  #hasRecent = false;
  #hasOlder = false;

  constructor(env: BillsEnv, module: Pick<PacingModule, "booked" | "closed" | "past">) {
    this.#env = env;
    this.#module = module;
  }

  /** Also reads past days, for the campaigns that `ask` names at a time. */
  want(ask: (now: number) => Asked[], now: number): void {
    this.#ask = ask;
    this.#asked = ask(now);
    this.#due.clear();
  }

  /** Reads everything again. */
  repeat(): void {
    for (const place of this.#acks.keys()) this.#acks.set(place, null);
    this.#due.clear();
    this.#absorbed.clear();
  }

  /** Whether everything has been read at least once. */
  get isComplete(): boolean {
    if (!this.#hasRecent) return false;
    return this.#asked.length === 0 || (this.#hasOlder && this.#asked.every((one) => this.#known.has(nameOf(one))));
  }

  /**
   * Reads all that is due. Waits for the days before yesterday only until they have been read once. Rejects only if the
   * module traps.
   */
  async pull(now: number): Promise<void> {
    const today = dayAt(now);
    const end = shifted(today, -NOTICE_DAYS - HANDOVER_DAYS);
    for (const place of this.#acks.keys()) if (place < end) this.#close(place);
    const isJustOver = now - Date.parse(today) < DAY_END_MS;
    const readings = [this.#readRecent(today, this.#isDue("yesterday", now, isJustOver ? 0 : YESTERDAY_MS))];
    if (this.#asked.length > 0) {
      const slow = [
        ...(this.#isDue("older", now, OLDER_MS) ? [this.#readOlder(today, now)] : []),
        ...(this.#isDue("past", now, PAST_MS) ? [this.#readPast(today, end, now)] : []),
      ];
      if (this.isComplete) for (const reading of slow) reading.catch((error) => fail("pacer-trap", error));
      else readings.push(...slow);
    }
    await Promise.all(readings);
  }

  /** Whether a reading is due. If it is, the next one is due in `ms`. */
  #isDue(what: Reading, now: number, ms: number): boolean {
    if (now < (this.#due.get(what) ?? 0)) return false;
    this.#due.set(what, now + ms);
    return true;
  }

  async #readRecent(today: string, withYesterday: boolean): Promise<void> {
    const days = withYesterday || !this.#hasRecent ? [today, shifted(today, -1)] : [today];
    const isWhole = await this.#read(days.flatMap(placesOf));
    this.#hasRecent ||= isWhole;
  }

  /** Reads the days before yesterday whose objects still take bills. */
  async #readOlder(today: string, now: number): Promise<void> {
    const days = Array.from({ length: NOTICE_DAYS - 2 }, (_, n) => shifted(today, -2 - n));
    const isWhole = await this.#read(days.flatMap(placesOf));
    this.#hasOlder ||= isWhole;
    if (!isWhole) this.#due.set("older", now + PAST_RETRY_MS);
  }

  /** Asks these objects at once. False if any does not answer in time: it repeats its answer next time. */
  async #read(places: string[]): Promise<boolean> {
    const answers = places.map(async (place) => {
      const question = ledgerAt(this.#env, place).spent(this.#acks.get(place) ?? null);
      const batch = await answered(question);
      if (batch === null) return false;
      this.#acks.set(place, { instance: batch.instance, batch: batch.batch });
      // Also without new bills: the module has to know how far it can trust its sums.
      this.#module.booked(place, batch.rows, batch.whole);
      return true;
    });
    return (await Promise.all(answers)).every((isRead) => isRead);
  }

  /**
   * Reads the totals of the days whose objects take no more bills. A total is either in its object or in the summary.
   * The summary is asked last: the objects that it does not name still had their totals when they answered.
   */
  async #readPast(today: string, end: string, now: number): Promise<void> {
    // Another flight may have started.
    const asked = this.#ask(now);
    const closed = Array.from({ length: HANDOVER_DAYS + 1 }, (_, n) => shifted(today, -NOTICE_DAYS - n))
      .flatMap(placesOf)
      .filter((place) => !this.#absorbed.has(place));
    const ask = async (place: string) => ({ place, batch: await ledgerAt(this.#env, place).spent(null) });
    const left = await answered(Promise.all(closed.map(ask)));
    const spent = left && (await answered(summaryOf(this.#env).spent(asked.map(sinceOf), end)));
    if (left === null || spent === null) {
      this.#due.set("past", now + PAST_RETRY_MS);
      return;
    }
    this.#absorbed = new Set(spent.places);
    for (const { place, batch } of left) {
      if (this.#absorbed.has(place) || batch.rows === "") {
        this.#close(place);
      } else {
        this.#module.booked(place, batch.rows, true);
        this.#acks.set(place, batch);
      }
    }
    this.#module.past(asked.map((one, at) => `${one.campaign} ${one.day} ${spent.nanos[at]}\n`).join(""));
    this.#asked = asked;
    this.#known = new Set(asked.map(nameOf));
  }

  /** The object takes no more bills, and if it has any, the summary tells them. */
  #close(place: string): void {
    if (this.#acks.delete(place)) this.#module.closed(place);
  }
}

function nameOf({ campaign, day }: Asked): string {
  return `${campaign} ${day}`;
}

function sinceOf({ campaign, day }: Asked): Since {
  return { campaign, from: dayAt(day * DAY_MS) };
}

/** The answer of the ledger; null if it does not answer in time. */
async function answered<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await within(PULL_MS, answer);
  } catch (error) {
    fail("pacer-ledger", error);
    return null;
  }
}
