//! Keeps what one SSP says about its deals, and what the buyer has decided. Nothing bids because of it: only a campaign
//! of the catalog does.
//!
//! Version 1.0 of the API has no versions of a deal and no time of a message. So the object keeps each different message
//! once, and a message that is known already changes nothing. Which one counts: an archived deal "cannot be active
//! again"; then the latest `ext.updated`, if the seller says it; then the one whose first arrival was the last.

import { DurableObject } from "cloudflare:workers";
import type { Decided, Decision, KeptDeal } from "../../../shared/deals/deal.ts";
import { KEEP_OVER_DAYS, MAX_DEAL_VERSIONS, MAX_DEALS, MAX_DEALS_BYTES } from "../../../shared/limits.ts";
import { DAY_MS } from "../../../shared/time/days.ts";

/** A message that may be new. */
export interface Message {
  origin: string;
  id: string;
  /** The deal as JSON, and hashes of it and of its terms. */
  deal: string;
  digest: string;
  terms: string;
  /** Of two messages, that with the higher rank counts. */
  rank: number;
  /** When the deal is over, in milliseconds since the epoch; 0 if it is complete or archived. */
  over: number;
}

/** The answer to a seller, as the specification has it. Status 0: pending. */
export interface BuyerSeat {
  version: "1.0";
  id: string;
  buyerstatus: { buyerseatid?: string; status: 0 | 1 | 2; ext?: { reason: string } }[];
}

export type Kept = "new" | "known" | "full";
type Row = Message & { n: number; received: number };

export class Deals extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  #exists: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#exists = this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'messages'").length > 0;
  }

  /** Keeps a message unless it is known. `full`: there is no room for another one. */
  async keep({ origin, id, deal, digest, terms, rank, over }: Message): Promise<Kept> {
    this.#open();
    return this.ctx.storage.transactionSync((): Kept => {
      const now = Date.now();
      const known = this.#versions(origin, id);
      const same = known.find((one) => one.digest === digest);
      if (same) {
        if (now - same.received > DAY_MS) this.#sql.exec("UPDATE messages SET received = ? WHERE n = ?", now, same.n);
        return "known";
      }
      const { byteLength } = new TextEncoder().encode(deal);
      if (!this.#hasRoom(byteLength)) this.#forgetOver(now - KEEP_OVER_DAYS * DAY_MS);
      if (!this.#hasRoom(byteLength)) return "full";
      if (known.length >= MAX_DEAL_VERSIONS) this.#forgetVersion(origin, id);
      const values = [origin, id, deal, digest, terms, rank, over, now];
      this.#sql.exec("INSERT INTO messages VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", ...values);
      return "new";
    });
  }

  /** What the buyer has decided about a deal; null if no seller has sent it, and a text if several origins have. */
  async status(id: string, origin?: string): Promise<BuyerSeat | "several origins" | null> {
    if (!this.#exists) return null;
    const query = "SELECT DISTINCT origin FROM messages WHERE id = ? AND origin = IFNULL(?, origin)";
    const [found, other] = this.#rows<{ origin: string }>(query, id, origin ?? null);
    if (found === undefined || other !== undefined) return other ? "several origins" : null;
    const seats = new Map<string, BuyerSeat["buyerstatus"][number]>();
    for (const { seat, status, deal, reason } of this.#current(this.#versions(found.origin, id)).decisions) {
      // New terms wait for a new decision, which one campaign of the seat may have already.
      const now = deal === undefined ? status : (seats.get(seat)?.status ?? 0);
      const why = reason && now === 2 ? { ext: { reason } } : {};
      seats.set(seat, { ...(seat && { buyerseatid: seat }), status: now, ...why });
    }
    return { version: "1.0", id, buyerstatus: seats.size > 0 ? [...seats.values()] : [{ status: 0 }] };
  }

  /** All deals, by origin and id. */
  async all(): Promise<KeptDeal[]> {
    const query = "SELECT * FROM messages ORDER BY origin, id, rank, n";
    const rows = this.#exists ? this.#rows<Row>(query) : [];
    const deals = Map.groupBy(rows, ({ origin, id }) => JSON.stringify([origin, id]));
    return [...deals.values()].map((versions) => this.#current(versions));
  }

  /** Records a decision on a message. A rejection replaces all others. False if the message is not known. */
  async decide({ origin, id, seat, status, digest, campaign = "", reason, at }: Decided): Promise<boolean> {
    return this.ctx.storage.transactionSync(() => {
      if (!this.#exists || !this.#versions(origin, id).some((one) => one.digest === digest)) return false;
      const others = "DELETE FROM decisions WHERE origin = ? AND id = ? AND (campaign = ? OR 2 IN (?, status))";
      this.#sql.exec(others, origin, id, campaign, status);
      const values = [origin, id, seat, status, digest, campaign, reason ?? null, at];
      this.#sql.exec("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ...values);
      return true;
    });
  }

  /** The deal with these messages. The last one counts. */
  #current(versions: Row[]): KeptDeal {
    const { n, origin, id, deal, digest, terms, rank, received } = versions.at(-1) as Row;
    const query =
      "SELECT seat, status, digest, campaign, reason, at FROM decisions WHERE origin = ? AND id = ? ORDER BY seat, campaign";
    const decisions = this.#rows<Record<string, unknown>>(query, origin, id).map((row) => {
      const decided = versions.find((one) => one.digest === row["digest"]);
      const given = Object.entries(row).filter(([, value]) => value !== null);
      const decision = Object.fromEntries(given) as unknown as Decision;
      return { ...decision, ...(decided && decided.terms !== terms && { deal: decided.deal }) };
    });
    const unordered = versions.filter((one) => one.rank === rank).length - 1;
    const later = versions.filter((one) => one.n > n).length;
    return { origin, id, deal, digest, received, versions: versions.length, unordered, later, decisions };
  }

  /** The messages about a deal. The last one counts. */
  #versions(origin: string, id: string): Row[] {
    return this.#rows<Row>("SELECT * FROM messages WHERE origin = ? AND id = ? ORDER BY rank, n", origin, id);
  }

  #hasRoom(bytes: number): boolean {
    const query = "SELECT COUNT(*) AS messages, IFNULL(SUM(LENGTH(CAST(deal AS BLOB))), 0) AS bytes FROM messages";
    const [kept = { messages: 0, bytes: 0 }] = this.#rows<{ messages: number; bytes: number }>(query);
    return kept.messages < MAX_DEALS && kept.bytes + bytes <= MAX_DEALS_BYTES;
  }

  /** Forgets the oldest message about a deal that neither counts nor was decided on. */
  #forgetVersion(origin: string, id: string): void {
    const decided = "SELECT digest FROM decisions WHERE origin = ?1 AND id = ?2";
    const counts = "SELECT n FROM messages WHERE origin = ?1 AND id = ?2 ORDER BY rank DESC, n DESC LIMIT 1";
    const old = `SELECT MIN(n) FROM messages WHERE origin = ?1 AND id = ?2 AND digest NOT IN (${decided}) AND n NOT IN (${counts})`;
    this.#sql.exec(`DELETE FROM messages WHERE n = (${old})`, origin, id);
  }

  /** Forgets the deals that were over `before` a time, and of which nothing came since. */
  #forgetOver(before: number): void {
    const order = "PARTITION BY origin, id ORDER BY rank DESC, n DESC";
    const counting = `SELECT *, ROW_NUMBER() OVER (${order}) AS nth, MAX(received) OVER (PARTITION BY origin, id) AS heard FROM messages`;
    const over = `SELECT origin, id FROM (${counting}) WHERE nth = 1 AND over < ?1 AND heard < ?1`;
    this.#sql.exec(`DELETE FROM messages WHERE (origin, id) IN (${over})`, before);
    this.#sql.exec("DELETE FROM decisions WHERE (origin, id) NOT IN (SELECT origin, id FROM messages)");
  }

  #rows<T>(query: string, ...values: SqlStorageValue[]): T[] {
    return this.#sql.exec(query, ...values).toArray() as T[];
  }

  #open(): void {
    if (this.#exists) return;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS messages (n INTEGER PRIMARY KEY, origin TEXT NOT NULL, id TEXT NOT NULL, deal TEXT NOT NULL,
        digest TEXT NOT NULL, terms TEXT NOT NULL, rank INTEGER NOT NULL, over INTEGER NOT NULL,
        received INTEGER NOT NULL, UNIQUE (origin, id, digest));
      CREATE TABLE IF NOT EXISTS decisions (origin TEXT NOT NULL, id TEXT NOT NULL, seat TEXT NOT NULL, status INTEGER NOT NULL,
        digest TEXT NOT NULL, campaign TEXT NOT NULL, reason TEXT, at INTEGER NOT NULL, PRIMARY KEY (origin, id, campaign))
        WITHOUT ROWID`);
    this.#exists = true;
  }
}
