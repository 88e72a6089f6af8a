//! The tables of one object of the ledger: which bids are booked or refused, and the sums. The first write makes them,
//! so that a question about a day without bids leaves nothing behind.

import type { Bill, Known } from "./rows.ts";
import { Sums, SumTable, sumOfBill } from "./sums.ts";

export class Tables {
  readonly #storage: DurableObjectStorage;
  readonly sums: SumTable<number>;
  #place: string | null;
  #rowsWritten = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.sums = new SumTable(storage.sql, "INTEGER");
    const exists = storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'place'").toArray().length > 0;
    this.#place = exists ? storage.sql.exec<{ name: string }>("SELECT name FROM place").one().name : null;
  }

  /** The name of the object; null if it has no tables. The runtime does not tell the name to every alarm. */
  get place(): string | null {
    return this.#place;
  }

  /** The rows that bills wrote since the start of this instance. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  create(place: string): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec("CREATE TABLE place (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
      sql.exec("INSERT INTO place VALUES (?)", place);
      sql.exec(
        "CREATE TABLE seen (bid BLOB PRIMARY KEY, notice TEXT NOT NULL, quarter INTEGER NOT NULL) STRICT, WITHOUT ROWID",
      );
      sql.exec("CREATE TABLE refused (bid BLOB PRIMARY KEY, why TEXT NOT NULL) STRICT, WITHOUT ROWID");
      this.sums.create();
    });
    this.#place = place;
  }

  /** The storage was emptied. */
  forget(): void {
    this.#place = null;
  }

  /** Books the bills in one transaction: all or none. Tells for each whether it is new. */
  book(bills: Bill[]): boolean[] {
    let written = 0;
    const booked = this.#storage.transactionSync(() => {
      const sums = new Sums<number>();
      const news = bills.map((bill) => {
        const insert = "INSERT OR IGNORE INTO seen VALUES (unhex(?), ?, ?)";
        const rows = this.#storage.sql.exec(insert, bill.bid, bill.notice, bill.quarter).rowsWritten;
        if (rows > 0) sums.add(sumOfBill(bill));
        written += rows;
        return rows > 0;
      });
      for (const sum of sums.all()) written += this.sums.add(sum);
      return news;
    });
    this.#rowsWritten += written;
    return booked;
  }

  /** Remembers the first reason. Later reasons of the same bid write nothing. */
  refuse(bid: string, why: string): void {
    this.#storage.sql.exec("INSERT OR IGNORE INTO refused VALUES (unhex(?), ?)", bid, why);
  }

  known(bid: string): Known {
    const { sql } = this.#storage;
    const seen = "SELECT notice, quarter FROM seen WHERE bid = unhex(?)";
    const [booked = null] = sql.exec<{ notice: Bill["notice"]; quarter: number }>(seen, bid).toArray();
    const [refused] = sql.exec<{ why: string }>("SELECT why FROM refused WHERE bid = unhex(?)", bid).toArray();
    return { booked, refused: refused?.why ?? null };
  }
}
