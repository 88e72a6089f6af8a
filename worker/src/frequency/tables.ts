//! The tables of one object of frequency caps. They hold hashes with secret keys, and counts: no id of a person and no name
//! of a campaign.
//!
//! `seen` has a row for each person and subject, `pending` one for each bid that may still be billed. The first write makes
//! the tables.

import { MAX_PENDING, MAX_SUBJECTS, MAX_WAITING, MAX_WAITING_PEOPLE } from "../limits.ts";
import type { Limited } from "../wasm/answers.ts";
import { added, type Counts, seen } from "./buckets.ts";

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
  /** Rows in `pending`. */
  #pending = 0;
  /**
   * The bids of each person that wait for a bill, of those since the last deletion of what expired. The table has no
   * index by person, because that would double the rows written.
   */
  readonly #waiting = new Map<string, number>();
  #rowsWritten = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#exists = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'seen'").toArray().length > 0;
    if (this.#exists) this.#pending = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM pending").one().n;
  }

  /** The rows written since the start of this instance. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  /** How often the person may still see the subject; 0 if nothing more could be counted. */
  left(key: string, { subject, caps }: Limited, now: number): number {
    if (this.#pending >= MAX_PENDING || this.#waits(key) >= MAX_WAITING) return 0;
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
      this.#write(
        `INSERT INTO seen VALUES (unhex(?), ?, ?, ?)
          ON CONFLICT DO UPDATE SET counts = excluded.counts, expires = MAX(expires, excluded.expires)`,
        ...[key, subject, JSON.stringify(added(before, now)), now + seconds],
      );
    }
  }

  /** Remembers a bid until it is billed. */
  expect({ bid, key, subjects, expires }: Pending): void {
    this.#open();
    if (this.#pending >= MAX_PENDING || this.#waits(key) >= MAX_WAITING) return;
    const waits = this.#waits(key);
    if (this.#waiting.size >= MAX_WAITING_PEOPLE) this.#waiting.clear();
    this.#waiting.set(key, waits + 1);
    this.#pending += this.#write(
      "INSERT INTO pending VALUES (unhex(?), unhex(?), ?, ?) ON CONFLICT DO NOTHING",
      ...[bid, key, JSON.stringify(subjects), expires],
    );
  }

  /** Counts the impression of a bid that is billed; once, if it is billed again. */
  bill(bid: string, now: number): void {
    if (!this.#exists) return;
    const query = "SELECT hex(key) AS key, subjects FROM pending WHERE bid = unhex(?)";
    const [found] = this.#sql.exec<{ key: string; subjects: string }>(query, bid).toArray();
    if (found === undefined) return;
    this.#pending -= this.#write("DELETE FROM pending WHERE bid = unhex(?)", bid);
    const key = found.key.toLowerCase();
    this.#waiting.set(key, Math.max(0, this.#waits(key) - 1));
    this.count(found.key, JSON.parse(found.subjects), now);
  }

  /** Deletes everything about a person. Returns the rows deleted. */
  forget(key: string): number {
    if (!this.#exists) return 0;
    this.#waiting.delete(key);
    const bids = this.#write("DELETE FROM pending WHERE key = unhex(?)", key);
    this.#pending -= bids;
    return bids + this.#write("DELETE FROM seen WHERE key = unhex(?)", key);
  }

  /** Deletes at most this many expired rows of each table. Returns how many rows it deleted. */
  expire(now: number, most: number): number {
    if (!this.#exists) return 0;
    this.#waiting.clear();
    const bids = this.#write(
      "DELETE FROM pending WHERE bid IN (SELECT bid FROM pending WHERE expires <= ? LIMIT ?)",
      ...[now, most],
    );
    this.#pending -= bids;
    const people = this.#write(
      "DELETE FROM seen WHERE (key, subject) IN (SELECT key, subject FROM seen WHERE expires <= ? LIMIT ?)",
      ...[now, most],
    );
    return bids + people;
  }

  /** Whether nothing is stored. */
  isEmpty(): boolean {
    return (
      !this.#exists || (this.#pending === 0 && this.#sql.exec("SELECT 1 FROM seen LIMIT 1").toArray().length === 0)
    );
  }

  #waits(key: string): number {
    return this.#waiting.get(key) ?? 0;
  }

  #counts(key: string, subject: string, now: number): Counts | null {
    if (!this.#exists) return null;
    const query = "SELECT counts FROM seen WHERE key = unhex(?) AND subject = ? AND expires > ?";
    const [row] = this.#sql.exec<{ counts: string }>(query, key, subject, now).toArray();
    return row === undefined ? null : JSON.parse(row.counts);
  }

  /** Whether the person has as many rows as one may have. */
  #isFull(key: string): boolean {
    if (!this.#exists) return false;
    const query = "SELECT COUNT(*) AS n FROM seen WHERE key = unhex(?)";
    return this.#sql.exec<{ n: number }>(query, key).one().n >= MAX_SUBJECTS;
  }

  /** Returns the rows that the statement wrote. */
  #write(statement: string, ...values: SqlStorageValue[]): number {
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
