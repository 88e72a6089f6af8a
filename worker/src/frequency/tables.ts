//! The tables of one object of frequency caps. They hold hashes with secret keys, and counts: no id of a person and no
//! name of a campaign.
//!
//! `seen` has a row for each person and subject, `pending` one for each bid that may still be billed. The first write
//! makes the tables.

import { added, type Counts, seen } from "../../../shared/frequency/buckets.ts";
import type { Limited } from "../../../shared/frequency/decide.ts";
import {
  MAX_BILLED,
  MAX_PENDING,
  MAX_SEEN,
  MAX_SUBJECTS,
  MAX_WAITING,
  MAX_WAITING_PEOPLE,
} from "../../../shared/limits.ts";
import { holds } from "../../../shared/telemetry/assertions.ts";

/** A subject, and the seconds that its counts are kept. */
export type Kept = [subject: string, seconds: number];

/** A bid whose impression counts when it is billed. */
export interface Pending {
  /** 18 hex digits. */
  bid: string;
  /** The person's key for writing, 32 hex digits. */
  key: string;
  subjects: Kept[];
  /** When no notice is valid any more, in seconds since the epoch. */
  expires: number;
}

export class Tables {
  readonly #sql: SqlStorage;
  #exists: boolean;
  readonly #most: number;
  /** Rows in `pending`. */
  #pending: number;
  /** Rows in `seen`: an estimate, and the changes since then. */
  #seen: number;
  /**
   * How many bids of each person wait for a bill, counted since the last deletion of expired rows. The table has no
   * index by person, because that would double the rows written.
   */
  readonly #waiting = new Map<string, number>();
  /**
   * The last bids that were billed, and whether their impressions count. If the call that tells of a bid had to be tried
   * again, it may come after the bill.
   */
  readonly #billed = new Map<string, boolean>();
  #rowsWritten = 0;

  /** `most`: the most rows in `seen`. */
  constructor(sql: SqlStorage, most = MAX_SEEN) {
    [this.#sql, this.#most] = [sql, most];
    this.#exists = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'seen'").toArray().length > 0;
    this.#pending = this.#countPending();
    this.#seen = this.#estimate();
  }

  /** The rows written since the start of this instance. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  /** How often the person may still see the subject; 0 if there is no room to count more. */
  left(key: string, { subject, caps }: Limited, now: number): number {
    if (this.#isTooMuch(key)) return 0;
    const counts = this.#counts(key, subject, now);
    if (counts === null && this.#isFull(key)) return 0;
    return Math.max(0, Math.min(...caps.map(({ n, per }) => n - (counts === null ? 0 : seen(counts, per, now)))));
  }

  /** Counts one impression of each subject. */
  count(key: string, subjects: readonly Kept[], now: number): void {
    this.#open();
    for (const [subject, seconds] of subjects) {
      const before = this.#counts(key, subject, now);
      if (before === null && this.#isFull(key)) continue;
      if (before === null) this.#seen++;
      this.#write(
        `INSERT INTO seen VALUES (unhex(?), ?, ?, ?)
          ON CONFLICT DO UPDATE SET counts = excluded.counts, expires = MAX(expires, excluded.expires)`,
        ...[key, subject, JSON.stringify(added(before, now)), now + seconds],
      );
    }
  }

  /** Remembers a bid until it is billed. If it was billed already, its impression counts now, once. */
  expect({ bid, key, subjects, expires }: Pending, now: number): void {
    this.#open();
    const counts = this.#billed.get(bid);
    if (counts === false) {
      this.#billed.set(bid, true);
      this.count(key, subjects, now);
    }
    if (counts !== undefined) return;
    if (this.#isTooMuch(key)) return;
    const waits = this.#waits(key);
    if (this.#waiting.size >= MAX_WAITING_PEOPLE) this.#waiting.clear();
    this.#waiting.set(key, waits + 1);
    this.#pending += this.#write(
      "INSERT INTO pending VALUES (unhex(?), unhex(?), ?, ?) ON CONFLICT DO NOTHING",
      ...[bid, key, JSON.stringify(subjects), expires],
    );
  }

  /** Counts the impression of a billed bid, once even if it is billed again. */
  bill(bid: string, now: number): void {
    const query = "SELECT hex(key) AS key, subjects FROM pending WHERE bid = unhex(?)";
    const found = this.#first<{ key: string; subjects: string }>(query, bid);
    if (this.#billed.size >= MAX_BILLED) this.#billed.clear();
    this.#billed.set(bid, found !== undefined || this.#billed.get(bid) === true);
    if (found === undefined) return;
    this.#settle(this.#write("DELETE FROM pending WHERE bid = unhex(?)", bid));
    const key = found.key.toLowerCase();
    this.#waiting.set(key, Math.max(0, this.#waits(key) - 1));
    this.count(found.key, JSON.parse(found.subjects), now);
  }

  /** Deletes everything about a person. Returns the rows deleted. */
  forget(key: string): number {
    this.#waiting.delete(key);
    const bids = this.#write("DELETE FROM pending WHERE key = unhex(?)", key);
    this.#settle(bids);
    const rows = this.#write("DELETE FROM seen WHERE key = unhex(?)", key);
    this.#seen -= rows;
    return bids + rows;
  }

  /** Deletes at most this many expired rows of each table. Returns how many rows it deleted. */
  expire(now: number, most: number): number {
    this.#waiting.clear();
    const expired = (table: string, key: string) =>
      this.#write(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE expires <= ? LIMIT ?)`,
        now,
        most,
      );
    const bids = expired("pending", "bid");
    this.#settle(bids);
    const rows = expired("seen", "key, subject");
    this.#seen = this.#estimate();
    return bids + rows;
  }

  /** Whether nothing is stored. */
  isEmpty(): boolean {
    return this.#pending === 0 && this.#first("SELECT 1 FROM seen LIMIT 1") === undefined;
  }

  /** Some bids wait no longer. */
  #settle(bids: number): void {
    this.#pending -= bids;
    const isPossible = holds(this.#pending >= 0, "no more bids stop waiting for a bill than have waited");
    const isRight = this.#pending > 0 || this.#first("SELECT 1 FROM pending LIMIT 1") === undefined;
    if (!isPossible || !holds(isRight, "no bid waits if none is counted")) this.#pending = this.#countPending();
  }

  #countPending(): number {
    return this.#first<{ n: number }>("SELECT COUNT(*) AS n FROM pending")?.n ?? 0;
  }

  #waits(key: string): number {
    return this.#waiting.get(key) ?? 0;
  }

  /** Whether the limit of waiting bids is reached, for this person or in all. */
  #isTooMuch(key: string): boolean {
    return this.#pending >= MAX_PENDING || this.#waits(key) >= MAX_WAITING;
  }

  #counts(key: string, subject: string, now: number): Counts | null {
    const query = "SELECT counts FROM seen WHERE key = unhex(?) AND subject = ? AND expires > ?";
    const row = this.#first<{ counts: string }>(query, key, subject, now);
    return row === undefined ? null : JSON.parse(row.counts);
  }

  /**
   * The rows in `seen`, from those of a 256th of the people: keys are hashes. To count all of them could take longer than
   * the platform allows.
   */
  #estimate(): number {
    return 256 * (this.#first<{ n: number }>("SELECT COUNT(*) AS n FROM seen WHERE key < x'01'")?.n ?? 0);
  }

  /** Whether there are too many rows in all, or of the person. */
  #isFull(key: string): boolean {
    if (this.#seen >= this.#most) return true;
    const query = "SELECT COUNT(*) AS n FROM seen WHERE key = unhex(?)";
    return (this.#first<{ n: number }>(query, key)?.n ?? 0) >= MAX_SUBJECTS;
  }

  /** The first row of a query; undefined without one, and as long as there are no tables. */
  #first<T extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): T | undefined {
    return this.#exists ? this.#sql.exec<T>(query, ...values).toArray()[0] : undefined;
  }

  /** Returns the rows that the statement wrote; 0 as long as there are no tables. */
  #write(statement: string, ...values: SqlStorageValue[]): number {
    if (!this.#exists) return 0;
    const { rowsWritten } = this.#sql.exec(statement, ...values);
    this.#rowsWritten += rowsWritten;
    return rowsWritten;
  }

  #open(): void {
    if (this.#exists) return;
    this.#sql.exec(
      `CREATE TABLE seen (key BLOB NOT NULL, subject TEXT NOT NULL, counts TEXT NOT NULL, expires INTEGER NOT NULL,
        PRIMARY KEY (key, subject)) STRICT, WITHOUT ROWID`,
    );
    this.#sql.exec(
      `CREATE TABLE pending (bid BLOB PRIMARY KEY, key BLOB NOT NULL, subjects TEXT NOT NULL, expires INTEGER NOT NULL)
        STRICT, WITHOUT ROWID`,
    );
    this.#exists = true;
  }
}
