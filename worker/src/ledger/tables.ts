//! The tables of one object of the ledger, and the sums of its bills in memory. The first write makes the tables, so
//! that a question about a day without bids leaves nothing behind.
//!
//! A bill is one row, and one more in `arms` if it is compared with others. Besides that, a commit only deletes the bid's
//! row in `held`. So the sums cannot differ from the bills, whenever the process is killed: each start adds up the rows
//! again. The sums take memory for each key, not for each bill.

import {
  type Bill,
  type Booked,
  type Count,
  HASH_DIGITS,
  inPart,
  type Known,
  type Weight,
} from "../../../shared/ledger/rows.ts";
import { AMOUNTS, KEY, type Sum, type Summed, Sums, sumOfBill, sumOfCount } from "../../../shared/ledger/sums.ts";

/** The result of a bill. */
export interface Written extends Booked {
  /** Billionths of the campaign's currency by which the spend has risen or, below 0, fallen. */
  ownNanos: number;
  /** How much the bid has counted against its budget until now. */
  released: number;
}

/** A bid that counts against its budget although it is not booked. */
export type Held = Pick<Bill, "campaign" | "ssp"> & Weight;

export class Tables {
  readonly #storage: DurableObjectStorage;
  #bills = newBills();
  #shard: string | null;
  #rowsWritten = 0;

  /** Adds up the booked bills, which takes 1.1 to 1.4 s for 270,000. */
  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const exists = storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'place'").toArray().length > 0;
    this.#shard = exists ? storage.sql.exec<{ name: string }>("SELECT name FROM place").one().name : null;
    if (!exists) return;
    this.addUp();
  }

  /** Makes the sums from the rows. */
  addUp(): void {
    this.#bills = newBills();
    for (const bill of this.#booked()) this.#bills.add(sumOfBill(bill));
  }

  /** The name of the object; null if it has no tables. In some alarms, the runtime does not give the name. */
  get shard(): string | null {
    return this.#shard;
  }

  /** The rows that bills wrote since the start of this instance. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  create(shard: string): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec("CREATE TABLE place (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
      sql.exec("INSERT INTO place VALUES (?)", shard);
      sql.exec(
        `CREATE TABLE seen (bid BLOB PRIMARY KEY, notice TEXT NOT NULL, quarter INTEGER NOT NULL, campaign TEXT NOT NULL,
          creative TEXT NOT NULL, ssp TEXT NOT NULL, cur TEXT NOT NULL, own_cur TEXT NOT NULL,
          is_assumed INTEGER NOT NULL, nanos INTEGER NOT NULL, usd_nanos INTEGER NOT NULL,
          own_nanos INTEGER NOT NULL, bid_nanos INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
      );
      for (const table of [HELD, ARMS, PRICED]) sql.exec(table);
      sql.exec("CREATE TABLE refused (bid BLOB PRIMARY KEY, why TEXT NOT NULL) STRICT, WITHOUT ROWID");
      sql.exec(
        `CREATE TABLE counts (quarter INTEGER NOT NULL, campaign TEXT NOT NULL, creative TEXT NOT NULL,
          ssp TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL, count INTEGER NOT NULL,
          PRIMARY KEY (quarter, campaign, creative, ssp, kind, detail)) STRICT, WITHOUT ROWID`,
      );
    });
    this.#shard = shard;
  }

  /** Resets this state after the storage was emptied. */
  forget(): void {
    this.#shard = null;
    this.#bills = newBills();
  }

  /** Books the bills in one transaction: all or none. Returns the result of each. */
  book(bills: Bill[]): Written[] {
    const changes: Bills[] = [];
    const written = this.#storage.transactionSync(() => bills.map((bill) => this.#book(bill, changes)));
    // The sums change only after the transaction, which may throw. If the disk fails later, the runtime ends this
    // instance.
    for (const change of changes) this.#bills.add(change);
    return written;
  }

  /**
   * Whether a page may show this encoded price for this bid: only the first bid that shows it may. So a page cannot use the
   * price of a cheap impression again. `until`: when the row is forgotten, in seconds since the epoch.
   */
  claim(price: string, bid: string, now: number, until: number): boolean {
    const { sql } = this.#storage;
    return this.#storage.transactionSync(() => {
      sql.exec(SEALED);
      // The rows are in the order of their claims, so the oldest ones can go without an index.
      sql.exec(
        `DELETE FROM sealed WHERE until < ? AND rowid IN (SELECT rowid FROM sealed ORDER BY rowid LIMIT 2)`,
        now,
      );
      sql.exec("INSERT OR IGNORE INTO sealed VALUES (unhex(?), unhex(?), ?)", price, bid, until);
      const query = "SELECT 1 FROM sealed WHERE price = unhex(?) AND bid = unhex(?)";
      return sql.exec(query, price, bid).toArray().length > 0;
    });
  }

  /** Whether the sums in memory count as many bills as there are rows. */
  areSumsOfBills(): boolean {
    let bills = 0;
    for (const { count } of this.#bills) bills += count;
    return bills === this.#storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM seen").one().n;
  }

  /** Whether a booked bid is in `held` too. */
  holdsBooked(): boolean {
    const query = "SELECT 1 FROM held WHERE bid IN (SELECT bid FROM seen) LIMIT 1";
    return this.#storage.sql.exec(query).toArray().length > 0;
  }

  /** Booked bids do not count against their budgets a second time. */
  release(): void {
    this.#storage.sql.exec("DELETE FROM held WHERE bid IN (SELECT bid FROM seen)");
  }

  /** Adds counts in one transaction: all or none. */
  count(sums: Iterable<Sum<number>>): void {
    this.#storage.transactionSync(() => {
      for (const { period, campaign, creative, ssp, kind, detail, count } of sums) {
        this.#storage.sql.exec(
          "INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
          ...[period, campaign, creative, ssp, kind, detail, count],
        );
      }
    });
  }

  /** The sums of all bills, or of a part of the campaigns. After a raised price, a sum may have a count of 0. */
  *bills(part = ""): Generator<Sum<number>> {
    // The campaign is the first text of a key.
    const isWanted = (key: string) => key.startsWith(`${part}"`, key.indexOf('"') + 1 + HASH_DIGITS - part.length);
    for (const sum of this.#bills.rows(isWanted)) if (sum.count > 0) yield sum;
  }

  /** The sums of all bills and counts, or of a part. Read them at once: a later write would end the reading. */
  *sums(part = ""): Generator<Sum<number>> {
    if (this.#shard === null) return;
    yield* this.bills(part);
    const query = `SELECT quarter, campaign, creative, ssp, kind, detail, count FROM counts WHERE ${inPart("?1")}`;
    for (const row of this.#storage.sql.exec<CountRow>(query, part)) yield sumOfCount(row);
  }

  /** Remembers the first reason. Later reasons of the same bid write nothing. */
  refuse(bid: string, why: string): void {
    this.#storage.sql.exec("INSERT OR IGNORE INTO refused VALUES (unhex(?), ?)", bid, why);
  }

  /** Counts a bid against its budget until it is booked. False if it counts already, or is booked. */
  hold(bid: string, { campaign, ssp, issued, ownCur, bidNanos }: Held): boolean {
    return (
      this.#storage.sql.exec(
        `INSERT OR IGNORE INTO held SELECT unhex(?1), ?2, ?3, ?4, ?5, ?6
          WHERE NOT EXISTS (SELECT 1 FROM seen WHERE bid = unhex(?1))`,
        ...[bid, campaign, ssp, issued, ownCur, bidNanos],
      ).rowsWritten > 0
    );
  }

  /** All {@link Held} bids. Read them at once: a later write would end the reading. */
  *held(): Generator<Held> {
    if (this.#shard === null) return;
    const query = "SELECT campaign, ssp, issued, own_cur, nanos FROM held";
    for (const row of this.#storage.sql.exec(query).raw<[string, string, number, string, number]>()) {
      const [campaign, ssp, issued, ownCur, bidNanos] = row;
      yield { campaign, ssp, issued, ownCur, bidNanos };
    }
  }

  known(bid: string): Known {
    const { sql } = this.#storage;
    const seen = "SELECT notice, quarter FROM seen WHERE bid = unhex(?)";
    const [booked = null] = sql.exec<{ notice: Bill["notice"]; quarter: number }>(seen, bid).toArray();
    const [refused] = sql.exec<{ why: string }>("SELECT why FROM refused WHERE bid = unhex(?)", bid).toArray();
    return { booked, refused: refused?.why ?? null };
  }

  /** Books a bill, or changes the price of its bid. Appends the changes of the sums to `changes`. */
  #book(bill: Bill, changes: Bills[]): Written {
    const { sql } = this.#storage;
    const { bid, notice, quarter, campaign, creative, ssp, cur, ownCur, nanos, usdNanos, ownNanos } = bill;
    if (bill.isPrice) {
      const [before] = this.#booked(bid);
      if (before !== undefined) return this.#change(before, bill, changes);
      this.#tell(bill);
      return { booking: false, now: null, ownNanos: 0, released: 0 };
    }
    const isAssumed = bill.isAssumed ? 1 : 0;
    const rows = sql.exec(
      "INSERT INTO seen VALUES (unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      ...[bid, notice, quarter, campaign, creative, ssp, cur, ownCur, isAssumed, nanos, usdNanos, ownNanos],
      bill.bidNanos,
    ).rowsWritten;
    this.#rowsWritten += rows;
    if (rows === 0) {
      const [before] = this.#booked(bid);
      if (before === undefined) throw new Error(`the bid ${bid} is neither new nor booked`);
      return this.#change(before, bill, changes);
    }
    if (bill.arm) {
      const insert = "INSERT OR IGNORE INTO arms VALUES (unhex(?), ?)";
      this.#rowsWritten += sql.exec(insert, bid, bill.arm).rowsWritten;
    }
    changes.push(sumOfBill(bill));
    const held = sql.exec<{ nanos: number }>("DELETE FROM held WHERE bid = unhex(?) RETURNING nanos", bid).toArray();
    const released = held[0]?.nanos ?? 0;
    const told = notice === "imp" ? this.#told(bid) : undefined;
    if (told === undefined) return { booking: true, now: bill, ownNanos, released };
    // The server's price has come before the page's call.
    const { now, ownNanos: change } = this.#change(bill, { ...bill, ...told }, changes);
    return { booking: true, now, ownNanos: ownNanos + change, released };
  }

  /**
   * Replaces the price of a booked bid by a more certain one or, if it is equally certain, by a higher one: so the order of
   * the notices decides nothing.
   */
  #change(before: Row, bill: Bill, changes: Bills[]): Written {
    const { cur, nanos, usdNanos, ownNanos } = bill;
    // If both bills have one currency, a change of its rate must not make a difference.
    const rise = before.cur === cur ? nanos - before.nanos : ownNanos - before.ownNanos;
    const more = certainty(bill) - certainty(before);
    if (more < 0 || (more === 0 && rise <= 0)) {
      return { booking: rise < 0 && "lower", now: before, ownNanos: 0, released: 0 };
    }
    // A higher price must not take spend back because of a rate: budgets have counted it.
    const own = more > 0 ? ownNanos : Math.max(ownNanos, before.ownNanos);
    const after = { ...before, cur, isAssumed: bill.isAssumed, nanos, usdNanos, ownNanos: own };
    if (before.notice === "imp" && bill.notice !== "imp" && !bill.isAssumed) this.#tell({ ...bill, ownNanos: own });
    this.#rowsWritten += this.#storage.sql.exec(
      `UPDATE seen SET cur = ?, is_assumed = ?, nanos = ?, usd_nanos = ?, own_nanos = ? WHERE bid = unhex(?)`,
      ...[cur, bill.isAssumed ? 1 : 0, nanos, usdNanos, own, bill.bid],
    ).rowsWritten;
    changes.push(sumOfBill(before, -1), sumOfBill(after));
    const booking = rise > 0 ? "raised" : rise < 0 && "lowered";
    return { booking, now: after, ownNanos: own - before.ownNanos, released: 0 };
  }

  /** Keeps the highest price that the exchange's server tells. */
  #tell({ bid, cur, nanos, usdNanos, ownNanos }: Bill): void {
    this.#rowsWritten += this.#storage.sql.exec(
      `INSERT INTO priced VALUES (unhex(?), ?, ?, ?, ?) ON CONFLICT DO UPDATE SET cur = excluded.cur,
        nanos = excluded.nanos, usd_nanos = excluded.usd_nanos, own_nanos = excluded.own_nanos
        WHERE excluded.own_nanos > own_nanos`,
      ...[bid, cur, nanos, usdNanos, ownNanos],
    ).rowsWritten;
  }

  /** What the exchange's server has told about a bid that a page bills. */
  #told(bid: string): (Told & Pick<Bill, "notice" | "isAssumed">) | undefined {
    const query = `SELECT cur, nanos, usd_nanos AS usdNanos, own_nanos AS ownNanos FROM priced WHERE bid = unhex(?)`;
    const [told] = this.#storage.sql.exec<Told>(query, bid).toArray();
    return told && { ...told, notice: "win", isAssumed: false };
  }

  /**
   * All bills, or that of a bid. SQLite passes integers as doubles, which hold every price exactly, because none is over
   * 2^53. It adds up nothing itself: its sums could be over 2^53, and even over 2^63.
   */
  *#booked(bid?: string): Generator<Row> {
    const query = `SELECT quarter, campaign, creative, ssp, cur, own_cur, is_assumed, nanos, usd_nanos, own_nanos,
      bid_nanos, arm, notice FROM seen LEFT JOIN arms USING (bid) ${bid === undefined ? "" : "WHERE bid = unhex(?)"}`;
    // Rows as arrays take half of the time of rows as objects.
    for (const row of this.#storage.sql.exec(query, ...(bid === undefined ? [] : [bid])).raw<BillRow>()) {
      const [quarter, campaign, creative, ssp, cur, ownCur, isAssumed, nanos, usdNanos, ownNanos, price, arm, notice] =
        row;
      const amounts = { cur, ownCur, isAssumed: isAssumed !== 0, nanos, usdNanos, ownNanos, bidNanos: price };
      const isTold = bid !== undefined && notice === "imp" && this.#told(bid) !== undefined;
      yield { quarter, campaign, creative, ssp, ...(arm && { arm }), ...amounts, notice, isTold };
    }
  }
}

/** How certain the price of a bill is: assumed, shown by a page and believed, or told by the exchange's server. */
function certainty({ notice, isAssumed, isTold }: Pick<Row, "notice" | "isAssumed" | "isTold">): number {
  if (isTold) return 2;
  if (isAssumed) return 0;
  return notice === "imp" ? 1 : 2;
}

/** The bids that were probably billed and cannot be booked yet. */
const HELD = `CREATE TABLE held (bid BLOB PRIMARY KEY, campaign TEXT NOT NULL, ssp TEXT NOT NULL,
  issued INTEGER NOT NULL, own_cur TEXT NOT NULL, nanos INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** What billed bids are compared by. */
const ARMS = `CREATE TABLE arms (bid BLOB PRIMARY KEY, arm INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** The prices that the exchange's server has told for bids that a page bills. */
const PRICED = `CREATE TABLE priced (bid BLOB PRIMARY KEY, cur TEXT NOT NULL, nanos INTEGER NOT NULL,
  usd_nanos INTEGER NOT NULL, own_nanos INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** The encoded prices that pages have shown, and for which bid. Only objects of {@link sealedAt} have it. */
const SEALED = `CREATE TABLE IF NOT EXISTS sealed (price BLOB NOT NULL UNIQUE, bid BLOB NOT NULL, until INTEGER NOT NULL)
  STRICT`;

/** A booked bill. */
interface Row extends Summed, Pick<Bill, "notice"> {
  /** Whether its price is that of the exchange's server although a page has billed it. */
  isTold?: boolean;
}

type Told = Pick<Bill, "cur" | "nanos" | "usdNanos" | "ownNanos">;

type Bills = Required<Sum<number>>;

function newBills(): Sums<Bills> {
  return new Sums(KEY, [...AMOUNTS, "bidNanos"]);
}

type BillRow = [
  ...[number, string, string, string, string, string, number, number, number, number, number, number | null],
  Bill["notice"],
];

type CountRow = Record<string, SqlStorageValue> & Count;
