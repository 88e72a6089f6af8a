//! The one object that keeps the totals of past days for good, by local day, and the names of everything in the ledger.

import { DurableObject } from "cloudflare:workers";
import { Directory, Groups, type Hashes, type Name, type Named, totalOf } from "./groups.ts";
import { shifted } from "./places.ts";
import type { Query, Total } from "./rows.ts";
import { type Sum, SumTable } from "./sums.ts";

/** The totals of the days of a query. */
export interface Absorbed {
  totals: Total[];
  /** The objects of these days that have handed over their totals. */
  places: string[];
}

const NAMED: readonly Named[] = ["campaign", "creative", "ssp"];

export class Summary extends DurableObject<Env> {
  readonly #sums: SumTable<string>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sums = new SumTable(ctx.storage.sql, "TEXT");
    this.#sums.create();
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS absorbed (place TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS names (of TEXT NOT NULL, hash TEXT NOT NULL, name TEXT NOT NULL, cur TEXT NOT NULL,
        zone TEXT NOT NULL, PRIMARY KEY (of, hash)) STRICT, WITHOUT ROWID`,
    );
  }

  /** Takes the totals of one object of the ledger by local day. A second call with the same `place` adds nothing. */
  async absorb(place: string, sums: Sum<string>[]): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      const { rowsWritten } = this.ctx.storage.sql.exec("INSERT OR IGNORE INTO absorbed VALUES (?)", place);
      if (rowsWritten === 0) return;
      for (const sum of sums) this.#sums.add(sum);
    });
  }

  /** Keeps names. The last name, currency and time zone of a hash count. Known ones write nothing. */
  async learn(names: Name[]): Promise<void> {
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
  async names(hashes: Hashes): Promise<Name[]> {
    return this.#names(hashes);
  }

  async report(query: Query): Promise<Absorbed> {
    const { from, to } = query;
    const hashes: Hashes = { campaign: [], creative: [], ssp: [] };
    for (const of of NAMED) hashes[of] = this.#sums.distinct(of, from, to);
    const directory = new Directory(hashes, this.#names(hashes));
    const groups = new Groups();
    for (const sum of this.#sums.between(from, to)) groups.add(totalOf(sum, sum.period, directory, query));
    return { totals: groups.sorted(), places: this.#placesOf(shifted(from, -1), shifted(to, 1)) };
  }

  #names(hashes: Hashes): Name[] {
    const query =
      "SELECT of, hash, name, cur, zone FROM names WHERE of = ? AND hash IN (SELECT value FROM json_each(?))";
    const known = (of: Named) => this.ctx.storage.sql.exec<Row>(query, of, JSON.stringify(hashes[of])).toArray();
    return NAMED.flatMap((of) => known(of).map((row) => ({ ...row, of })));
  }

  /** The absorbed objects of the UTC days from `from` to `to`. */
  #placesOf(from: string, to: string): string[] {
    const query = "SELECT place FROM absorbed WHERE place >= ? AND place < ?";
    const rows = this.ctx.storage.sql.exec<{ place: string }>(query, from, shifted(to, 1)).toArray();
    return rows.map(({ place }) => place);
  }
}

interface Row extends Record<string, SqlStorageValue> {
  of: string;
  hash: string;
  name: string;
  cur: string;
  zone: string;
}
