//! The one object that keeps the totals of past days for good, by local day, and the names of everything in the ledger.

import { DurableObject } from "cloudflare:workers";
import { inPart, type Query, type Total } from "../../../shared/ledger/rows.ts";
import type { Sum, Weights } from "../../../shared/ledger/sums.ts";
import {
  FOLDED_CHUNKS,
  HANDOVER_DAYS,
  IMPLAUSIBLE,
  NOTICE_DAYS,
  OVERDUE_MS,
  REPORT_MS,
} from "../../../shared/limits.ts";
import { assert } from "../../../shared/telemetry/assertions.ts";
import { fail, messageOf } from "../../../shared/telemetry/failures.ts";
import { DAY_MS, dayAt, daysBetween, shifted } from "../../../shared/time/days.ts";
import { within } from "../time/retry.ts";
import { Directory, type Name, totalsOf } from "./names.ts";
import { dayOfShard, ledgerAt, shardsOf } from "./shards.ts";

/** The totals of the days of a query. */
export interface Absorbed {
  /** Null if there are too many for one answer. */
  totals: Total[] | null;
  /** The objects of these days that have handed over their totals. */
  places: string[];
  /** How many objects have ever handed over their totals. */
  objects: number;
  /** The objects of any day whose totals are overdue, if there are any: see {@link Summary.alarm}. */
  overdue?: string[];
}

/** A campaign by its hash, and the first day that counts. */
export interface Since {
  campaign: string;
  from: string;
}

/** What campaigns have spent on past days. */
export interface Spent {
  /**
   * Sums for each SSP at which, and each currency in which a campaign has spent. `at` is the campaign's index in the
   * question; a campaign without spend has no sum. `nanos` are the booked prices, `bid` the prices of their bids, `held`
   * those of bids that were probably billed and never booked. Days whose bills are implausible have a sum of their own.
   */
  sums: { at: number; ssp: string; cur: string; nanos: string; bid: string; held: string }[];
  places: string[];
  /** As in {@link Absorbed}. */
  overdue?: string[];
}

/** What an object has staged: the name of its attempt, and the number of parts. */
interface Staged {
  attempt: string;
  chunks: number;
}

/** The parts that count, and are not in the tables yet. */
const COMPLETE = "(SELECT * FROM staged WHERE (place, attempt) IN (SELECT place, attempt FROM complete))";

const columns = (names: string) => names.split(" ").map((name) => `value ->> '${name}'`);

/** All sums and weights: those in the tables, and those in complete parts. */
const SUMS = `(SELECT * FROM sums UNION ALL SELECT
  ${columns("period campaign ssp creative kind detail cur ownCur count nanos usdNanos ownNanos")}
  FROM ${COMPLETE} JOIN json_each(chunk, '$[0]'))`;
const WEIGHTS = `(SELECT * FROM weights UNION ALL SELECT ${columns("campaign period ssp ownCur bidNanos heldNanos")}
  FROM ${COMPLETE} JOIN json_each(chunk, '$[1]'))`;

/** Billionths of a unit. */
const NANOS = 1_000_000_000n;

export class Summary extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // Amounts are text, because a sum may be over the 64 bits of SQLite's integers.
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS sums (day TEXT NOT NULL, campaign TEXT NOT NULL, ssp TEXT NOT NULL,
        creative TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL, cur TEXT NOT NULL, own_cur TEXT NOT NULL,
        count INTEGER NOT NULL, nanos TEXT NOT NULL, usd_nanos TEXT NOT NULL, own_nanos TEXT NOT NULL,
        PRIMARY KEY (day, campaign, ssp, creative, kind, detail, cur, own_cur)) STRICT, WITHOUT ROWID`,
    );
    // Budgets ask for the bills of campaigns, each hour.
    ctx.storage.sql.exec("CREATE INDEX IF NOT EXISTS bills ON sums (campaign, day) WHERE kind = 'bill'");
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS weights (campaign TEXT NOT NULL, day TEXT NOT NULL, ssp TEXT NOT NULL,
        own_cur TEXT NOT NULL, bid_nanos TEXT NOT NULL, held_nanos TEXT NOT NULL,
        PRIMARY KEY (campaign, day, ssp, own_cur)) STRICT, WITHOUT ROWID`,
    );
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS staged (place TEXT NOT NULL, attempt TEXT NOT NULL, number INTEGER NOT NULL,
        chunk TEXT NOT NULL, PRIMARY KEY (place, attempt, number)) STRICT, WITHOUT ROWID`,
    );
    // The attempts whose parts count.
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS complete (place TEXT PRIMARY KEY, attempt TEXT NOT NULL) STRICT, WITHOUT ROWID",
    );
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS absorbed (place TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS overdue (place TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS names (of TEXT NOT NULL, hash TEXT NOT NULL, name TEXT NOT NULL, cur TEXT NOT NULL,
        zone TEXT NOT NULL, PRIMARY KEY (of, hash)) STRICT, WITHOUT ROWID`,
    );
  }

  /** Keeps a part of an object's totals for {@link absorbStaged}. The first part replaces those of other attempts. */
  async stage(shard: string, attempt: string, number: number, sums: Sum<string>[], weights: Weights[]): Promise<void> {
    const chunk = JSON.stringify([sums, weights], (_, value) => (typeof value === "bigint" ? String(value) : value));
    assertOf(shard, sums, weights);
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      if (sql.exec("SELECT 1 FROM absorbed WHERE place = ?", shard).toArray().length > 0) return;
      if (number === 0) sql.exec("DELETE FROM staged WHERE place = ?", shard);
      sql.exec("INSERT OR REPLACE INTO staged VALUES (?, ?, ?, ?)", shard, attempt, number, chunk);
    });
  }

  /** Takes the totals of one object of the ledger by local day. A second call with the same `shard` adds nothing. */
  async absorb(shard: string, sums: Sum<string>[], weights: Weights[]): Promise<void> {
    this.#absorb(shard, { attempt: "", chunks: 0 }, sums, weights);
  }

  /**
   * Like {@link absorb}, with as many parts of the same attempt as were staged before. From now on all of them count; an
   * alarm adds the staged parts to the tables. Throws if parts are missing.
   */
  async absorbStaged(shard: string, staged: Staged, sums: Sum<string>[], weights: Weights[]): Promise<void> {
    this.#absorb(shard, staged, sums, weights);
    await this.ctx.storage.setAlarm(Date.now());
  }

  #absorb(shard: string, { attempt, chunks }: Staged, sums: Sum<string>[], weights: Weights[]): void {
    this.#watchAlarm();
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      const { rowsWritten } = sql.exec("INSERT OR IGNORE INTO absorbed VALUES (?)", shard);
      if (rowsWritten === 0) return;
      const of = "FROM staged WHERE (place, attempt) = (?, ?)";
      const { known } = sql.exec<{ known: number }>(`SELECT count(*) AS known ${of}`, shard, attempt).one();
      if (known !== chunks) throw new Error(`the summary has ${known} of ${chunks} parts of ${shard}`);
      sql.exec("DELETE FROM staged WHERE place = ? AND attempt <> ?", shard, attempt);
      if (chunks > 0) sql.exec("INSERT INTO complete VALUES (?, ?)", shard, attempt);
      sql.exec("DELETE FROM overdue WHERE place = ?", shard);
      assertOf(shard, sums, weights);
      this.#addAll(sums, weights);
    });
  }

  /** Sets the alarm if there is none: with the first names, and again if the platform has lost it. */
  #watchAlarm(): void {
    const watched = this.ctx.storage.getAlarm().then((alarm) => {
      return alarm === null ? this.ctx.storage.setAlarm(this.#nextAlarm()) : undefined;
    });
    this.ctx.waitUntil(watched.catch((error) => fail("summary-alarm", error)));
  }

  /** At once, if there are staged parts that count; else when the next objects are overdue, or soon if some are. */
  #nextAlarm(): number {
    const isAny = (query: string) => this.ctx.storage.sql.exec(`SELECT 1 FROM ${query} LIMIT 1`).toArray().length > 0;
    const now = Date.now();
    if (isAny(COMPLETE)) return now;
    return isAny("overdue") ? now + OVERDUE_MS : now - (now % DAY_MS) + DAY_MS + OVERDUE_MS;
  }

  /**
   * Adds staged parts to the tables: a few at a time, because the object answers nothing else meanwhile. Then calls the
   * objects whose totals are overdue: one that has lost its alarm sets it again, although nobody else asks for its day.
   */
  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    for (let n = 0; n < FOLDED_CHUNKS; n++) {
      const isDone = this.ctx.storage.transactionSync(() => {
        const query = `SELECT place, number, chunk FROM ${COMPLETE} LIMIT 1`;
        const [part] = sql.exec<{ place: string; number: number; chunk: string }>(query).toArray();
        if (part === undefined) return true;
        this.#addAll(...(JSON.parse(part.chunk) as [Sum<string>[], Weights[]]));
        sql.exec("DELETE FROM staged WHERE place = ? AND number = ?", part.place, part.number);
        sql.exec("DELETE FROM complete WHERE place NOT IN (SELECT place FROM staged)");
        return false;
      });
      if (isDone) {
        await this.#remind();
        break;
      }
    }
    await this.ctx.storage.setAlarm(this.#nextAlarm());
  }

  /** Calls all objects that should have handed over their totals, and remembers those that may still have some. */
  async #remind(): Promise<void> {
    const last = shifted(dayAt(Date.now() - OVERDUE_MS), -NOTICE_DAYS);
    const first = shifted(last, -HANDOVER_DAYS);
    const due = new Set([...this.#shardsOf("", "9999", "overdue"), ...daysBetween(first, last).flatMap(shardsOf)]);
    for (const shard of this.#shardsOf(first)) due.delete(shard);
    const remind = async (shard: string) => {
      const isEmpty = await within(REPORT_MS, ledgerAt(this.env, shard).isHandedOver()).catch((error) => {
        fail("summary-overdue", `${shard}: ${messageOf(error)}`);
        return false;
      });
      // It may have handed over meanwhile.
      const query = isEmpty
        ? "DELETE FROM overdue WHERE place = ?1"
        : "INSERT OR IGNORE INTO overdue SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM absorbed WHERE place = ?1)";
      this.ctx.storage.sql.exec(query, shard);
    };
    await Promise.all(Array.from(due, remind));
  }

  /** Keeps names. The last name, currency and time zone of a hash count. Known values write no rows. */
  async learn(names: Name[]): Promise<void> {
    this.#watchAlarm();
    this.ctx.storage.transactionSync(() => {
      for (const { of, hash, name, cur, zone } of names) {
        this.ctx.storage.sql.exec(
          `INSERT INTO names VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET name = excluded.name, cur = excluded.cur, zone = excluded.zone
            WHERE (name, cur, zone) IS NOT (excluded.name, excluded.cur, excluded.zone)`,
          ...[of, hash, name, cur, zone],
        );
      }
    });
  }

  /** The names that are known of these hashes. */
  async names(hashes: string[]): Promise<Name[]> {
    return this.#names(hashes);
  }

  #names(hashes: readonly unknown[]): Name[] {
    const query = `SELECT * FROM names
      WHERE of IN ('campaign', 'creative', 'ssp') AND hash IN (SELECT value FROM json_each(?))`;
    return this.ctx.storage.sql.exec<Name>(query, JSON.stringify(hashes)).toArray();
  }

  /**
   * What these campaigns have spent on absorbed days, and the objects since the name `since` whose totals are
   * included.
   */
  async spent(asked: Since[], since: string): Promise<Spent> {
    this.#watchAlarm();
    // Sums may be over the 64 bits of SQLite's integers, so units and the rest are added up apart. A row over 64 bits,
    // which is 9 billion units on one day, counts as 9 billion. Whether bills are implausible depends on the single days.
    const apart = (name: string) =>
      `sum(${name} / ${NANOS}) AS ${name}_units, sum(${name} % ${NANOS}) AS ${name}_nanos`;
    const again = (name: string) => `sum(${name}_units) AS ${name}_units, sum(${name}_nanos) AS ${name}_nanos`;
    const integer = (name: string) => `CAST(${name}_nanos AS INTEGER) AS ${name}`;
    // The campaigns first, because a search in the staged parts for each of them would take minutes.
    const query = `WITH
      asked AS MATERIALIZED (SELECT key AS at, value ->> 'campaign' AS of, value ->> 'from' AS since FROM json_each(?)),
      bills AS (
        SELECT campaign, day, ssp, own_cur AS cur, ${integer("own")}, 0 AS bid, 0 AS held FROM ${SUMS}
          WHERE kind = 'bill' AND campaign IN (SELECT of FROM asked)
        UNION ALL SELECT campaign, day, ssp, own_cur, 0, ${integer("bid")}, ${integer("held")} FROM ${WEIGHTS}
          WHERE campaign IN (SELECT of FROM asked)),
      days AS MATERIALIZED (
        SELECT campaign, day, ssp, cur, ${["own", "bid", "held"].map(apart).join(", ")},
          ${IMPLAUSIBLE} * sum(CAST(own AS REAL)) < sum(CAST(bid AS REAL)) AS is_implausible
        FROM bills GROUP BY campaign, day, ssp, cur)
      SELECT at, ssp, cur, ${["own", "bid", "held"].map(again).join(", ")}
        FROM asked CROSS JOIN days ON campaign = of AND day >= since GROUP BY at, ssp, cur, is_implausible`;
    const whole = (units: number, nanos: number) => String(BigInt(units) * NANOS + BigInt(nanos));
    const rows = this.ctx.storage.sql.exec<SpentRow>(query, JSON.stringify(asked)).toArray();
    const sums = rows.map(({ at, ssp, cur, ...sum }) => {
      const [bid, held] = [whole(sum.bid_units, sum.bid_nanos), whole(sum.held_units, sum.held_nanos)];
      return { at, ssp, cur, nanos: whole(sum.own_units, sum.own_nanos), bid, held };
    });
    return { sums, places: this.#shardsOf(since), ...this.#overdue() };
  }

  /** The totals of a part of the campaigns, or of all: see {@link totalsOf}. */
  async report(query: Query, part?: string): Promise<Absorbed> {
    this.#watchAlarm();
    const { from, to } = query;
    const sums = `${SUMS} WHERE day BETWEEN ?1 AND ?2 AND ${inPart("?3")}`;
    const bindings = [from, to, part ?? ""];
    const { sql } = this.ctx.storage;
    const rows = sql.exec(`SELECT DISTINCT campaign, creative, ssp FROM ${sums}`, ...bindings).raw();
    const hashes = new Set([...rows].flat());
    const directory = new Directory(this.#names([...hashes]));
    const totals = totalsOf(this.#sums(sums, bindings), directory, query, part);
    const { objects } = sql.exec<{ objects: number }>("SELECT count(*) AS objects FROM absorbed").one();
    const shards = this.#shardsOf(shifted(from, -1), shifted(to, 2));
    return { totals, places: shards, objects, ...this.#overdue() };
  }

  /** Amounts are BigInt, or text if they were staged. */
  #addAll(sums: Sum<string>[], weights: Weights[]): void {
    for (const sum of sums) this.#add(sum);
    for (const one of weights) this.#weigh(one);
  }

  /** Adds to the sum with the same key. */
  #add({ period, campaign, ssp, creative, kind, detail, cur, ownCur, ...more }: Sum<string>): void {
    const key = [period, campaign, ssp, creative, kind, detail, cur, ownCur];
    const [held] = this.ctx.storage.sql
      .exec<Amounts>(
        `SELECT count, nanos, usd_nanos, own_nanos FROM sums
          WHERE (day, campaign, ssp, creative, kind, detail, cur, own_cur) = (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...key,
      )
      .toArray();
    const plus = (nanos: bigint, before = "0") => String(BigInt(nanos) + BigInt(before));
    this.ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO sums VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[...key, more.count + (held?.count ?? 0), plus(more.nanos, held?.nanos)],
      ...[plus(more.usdNanos, held?.usd_nanos), plus(more.ownNanos, held?.own_nanos)],
    );
  }

  /** Adds to the weights with the same key. */
  #weigh({ campaign, period, ssp, ownCur, bidNanos, heldNanos }: Weights): void {
    const key = [campaign, period, ssp, ownCur];
    const [known] = this.ctx.storage.sql
      .exec<{ bid: string; held: string }>(
        `SELECT bid_nanos AS bid, held_nanos AS held FROM weights WHERE (campaign, day, ssp, own_cur) = (?, ?, ?, ?)`,
        ...key,
      )
      .toArray();
    const sums = [BigInt(bidNanos) + BigInt(known?.bid ?? 0), BigInt(heldNanos) + BigInt(known?.held ?? 0)];
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO weights VALUES (?, ?, ?, ?, ?, ?)", ...key, ...sums.map(String));
  }

  /** Some of the sums. Read them at once: a later write would end the reading. */
  *#sums(from: string, bindings: string[]): Generator<Sum<string>> {
    for (const row of this.ctx.storage.sql.exec<SumRow>(`SELECT * FROM ${from}`, ...bindings)) {
      const { day: period, own_cur: ownCur, nanos, usd_nanos, own_nanos, ...rest } = row;
      const amounts = { nanos: BigInt(nanos), usdNanos: BigInt(usd_nanos), ownNanos: BigInt(own_nanos) };
      yield { ...rest, period, ownCur, ...amounts };
    }
  }

  /** The overdue objects, if there are any. */
  #overdue(): Pick<Absorbed, "overdue"> {
    const overdue = this.#shardsOf("", "9999", "overdue");
    return overdue.length > 0 ? { overdue } : {};
  }

  /** The absorbed or overdue objects of the UTC days from `from` until before `end`. */
  #shardsOf(from: string, end = "9999", table: "absorbed" | "overdue" = "absorbed"): string[] {
    const query = `SELECT place FROM ${table} WHERE place >= ? AND place < ?`;
    const rows = this.ctx.storage.sql.exec<{ place: string }>(query, from, end).toArray();
    return rows.map(({ place }) => place);
  }
}

/** Throws if an object of the ledger cannot have these totals. */
function assertOf(shard: string, sums: Sum<string>[], weights: Weights[]): void {
  const [before, after] = [-1, 1].map((days) => shifted(dayOfShard(shard), days)) as [string, string];
  const isOfDay = ({ period }: { period: string }) => before <= period && period <= after;
  assert([...sums, ...weights].every(isOfDay), "the totals of an object are of its day, in some time zone");
  assert(!sums.some(({ count }) => count < 0), "no total of an object is below zero");
}

type Amounts = { count: number; nanos: string; usd_nanos: string; own_nanos: string };

type SumRow = Amounts &
  Pick<Sum<string>, "campaign" | "ssp" | "creative" | "kind" | "detail" | "cur"> & {
    day: string;
    own_cur: string;
  };

type SpentRow = { at: number; ssp: string; cur: string } & Record<
  `${"own" | "bid" | "held"}_${"units" | "nanos"}`,
  number
>;
