//! Keeps what one SSP says about its deals, and what the buyer has decided. Nothing bids because of it: only a campaign
//! of the catalog does.
//!
//! Version 1.0 of the API has no versions of a deal and no time of a message. So the object keeps each different message
//! once, and a message that is known already changes nothing. Which one counts: an archived deal "cannot be active
//! again"; then the latest `ext.updated`, if the seller says it; then the message that came last when it was new.

import { DurableObject } from "cloudflare:workers";
import { KEEP_OVER_DAYS, MAX_DEAL_VERSIONS, MAX_DEALS, MAX_DEALS_BYTES } from "../limits.ts";
import { ARCHIVED } from "./message.ts";

/** A message that may be new. */
export interface Message {
  origin: string;
  id: string;
  /** The deal as JSON. */
  deal: string;
  /** Hashes of the deal and of its terms. */
  digest: string;
  terms: string;
  sellerstatus: number;
  /** `ext.updated` in milliseconds since the epoch, or 0. */
  updated: number;
}

/** What the buyer says to the seller: 1 approved, 2 rejected. */
export interface Decision {
  status: 1 | 2;
  /** The buyer's seat; empty if the deal is rejected for all of them. */
  seat: string;
  /** The digest of the message that was decided on. */
  digest: string;
  campaign?: string;
  reason?: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A deal as it counts now. */
export interface KeptDeal {
  origin: string;
  id: string;
  /** The message that counts, as JSON. */
  deal: string;
  digest: string;
  /** When it came, in milliseconds since the epoch. */
  received: number;
  /** Different messages about the deal, and how many of them could count as well, because nothing orders them. */
  versions: number;
  unordered: number;
  /** `deal`: what was decided on, if the terms have changed since. */
  decisions: (Decision & { deal?: string })[];
}

/** The answer to a seller, as the specification has it. */
export interface BuyerSeat {
  version: "1.0";
  id: string;
  buyerstatus: { buyerseatid?: string; status: 0 | 1 | 2; ext?: { reason: string } }[];
}

/** More than any time in milliseconds. */
const AFTER_ALL = 1e15;

export type Kept = "new" | "known" | "full" | "too many versions";
type Row = Message & { n: number; received: number };

export class Deals extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  #exists: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#exists = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'messages'").toArray().length > 0;
  }

  /** Keeps a message unless it is known. `full`: there is no room for another one. */
  async keep({ origin, id, deal, digest, terms, sellerstatus, updated }: Message): Promise<Kept> {
    const now = Date.now();
    return this.ctx.storage.transactionSync((): Kept => {
      this.#open();
      const known = this.#versions(origin, id);
      if (known.some((one) => one.digest === digest)) return "known";
      if (known.length >= MAX_DEAL_VERSIONS) return "too many versions";
      if (!this.#hasRoom(deal.length)) {
        this.#forgetOver(now - KEEP_OVER_DAYS * 86_400_000);
        if (!this.#hasRoom(deal.length)) return "full";
      }
      this.#sql.exec(
        `INSERT INTO messages (origin, id, deal, digest, terms, sellerstatus, updated, received)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[origin, id, deal, digest, terms, sellerstatus, updated, now],
      );
      return "new";
    });
  }

  /** What the buyer has decided about a deal; null if no seller has sent it, and a text if several origins have. */
  async status(id: string, origin?: string): Promise<BuyerSeat | "several origins" | null> {
    if (!this.#exists) return null;
    const origins = this.#sql
      .exec<{ origin: string }>(
        "SELECT DISTINCT origin FROM messages WHERE id = ? AND origin = IFNULL(?, origin)",
        id,
        origin ?? null,
      )
      .toArray();
    if (origins.length > 1) return "several origins";
    const [found] = origins;
    if (found === undefined) return null;
    const { decisions } = this.#current(found.origin, id);
    const buyerstatus = decisions.map(({ seat, status, deal, reason }) => ({
      ...(seat && { buyerseatid: seat }),
      // New terms wait for a new decision.
      status: deal === undefined ? status : (0 as const),
      ...(reason && { ext: { reason } }),
    }));
    return { version: "1.0", id, buyerstatus: buyerstatus.length > 0 ? buyerstatus : [{ status: 0 }] };
  }

  /** All deals, by origin and id. */
  async all(): Promise<KeptDeal[]> {
    if (!this.#exists) return [];
    const deals = this.#sql.exec<{ origin: string; id: string }>(
      "SELECT DISTINCT origin, id FROM messages ORDER BY 1, 2",
    );
    return deals.toArray().map(({ origin, id }) => this.#current(origin, id));
  }

  /**
   * Records a decision on a message. A rejection replaces all earlier decisions, and an approval those for its seat and
   * rejections. False if the message is not known.
   */
  async decide(origin: string, id: string, { seat, status, digest, campaign, reason, at }: Decision): Promise<boolean> {
    return this.ctx.storage.transactionSync(() => {
      if (!this.#exists || !this.#versions(origin, id).some((one) => one.digest === digest)) return false;
      const replaced = status === 2 ? "" : " AND (status = 2 OR seat = ?)";
      this.#sql.exec(
        `DELETE FROM decisions WHERE origin = ? AND id = ?${replaced}`,
        origin,
        id,
        ...(status === 2 ? [] : [seat]),
      );
      const values = [origin, id, seat, status, digest, campaign ?? null, reason ?? null, at];
      this.#sql.exec("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ...values);
      return true;
    });
  }

  #current(origin: string, id: string): KeptDeal {
    const versions = this.#versions(origin, id);
    const rank = ({ sellerstatus, updated }: Row) => updated + (sellerstatus === ARCHIVED ? AFTER_ALL : 0);
    const best = Math.max(...versions.map(rank));
    const candidates = versions.filter((one) => rank(one) === best);
    const current = candidates.at(-1) as Row;
    const decisions = this.#sql
      .exec<Record<string, SqlStorageValue>>(
        "SELECT seat, status, digest, campaign, reason, at FROM decisions WHERE origin = ? AND id = ? ORDER BY seat",
        ...[origin, id],
      )
      .toArray()
      .map((row) => {
        const decision = Object.fromEntries(
          Object.entries(row).filter(([, value]) => value !== null),
        ) as unknown as Decision;
        const decided = versions.find(({ digest }) => digest === decision.digest);
        return { ...decision, ...(decided && decided.terms !== current.terms && { deal: decided.deal }) };
      });
    const { deal, digest, received } = current;
    return {
      origin,
      id,
      deal,
      digest,
      received,
      versions: versions.length,
      unordered: candidates.length - 1,
      decisions,
    };
  }

  /** The messages about a deal, in the order in which they came. */
  #versions(origin: string, id: string): Row[] {
    const query = "SELECT * FROM messages WHERE origin = ? AND id = ? ORDER BY n";
    return this.#sql.exec(query, origin, id).toArray() as unknown as Row[];
  }

  #hasRoom(length: number): boolean {
    const { messages, bytes } = this.#sql
      .exec<{ messages: number; bytes: number }>(
        "SELECT COUNT(*) AS messages, IFNULL(SUM(LENGTH(deal)), 0) AS bytes FROM messages",
      )
      .one();
    return messages < MAX_DEALS && bytes + length <= MAX_DEALS_BYTES;
  }

  /** Forgets the deals that are complete or archived, and of which nothing came since `before`. */
  #forgetOver(before: number): void {
    this.#sql.exec(
      `DELETE FROM messages WHERE (origin, id) IN (SELECT origin, id FROM messages GROUP BY origin, id
        HAVING MAX(sellerstatus) >= 3 AND MAX(received) < ?)`,
      before,
    );
    this.#sql.exec("DELETE FROM decisions WHERE (origin, id) NOT IN (SELECT origin, id FROM messages)");
  }

  #open(): void {
    if (this.#exists) return;
    this.#sql.exec(`
      CREATE TABLE messages (n INTEGER PRIMARY KEY, origin TEXT NOT NULL, id TEXT NOT NULL, deal TEXT NOT NULL,
        digest TEXT NOT NULL, terms TEXT NOT NULL, sellerstatus INTEGER NOT NULL, updated INTEGER NOT NULL,
        received INTEGER NOT NULL, UNIQUE (origin, id, digest));
      CREATE TABLE decisions (origin TEXT NOT NULL, id TEXT NOT NULL, seat TEXT NOT NULL, status INTEGER NOT NULL,
        digest TEXT NOT NULL, campaign TEXT, reason TEXT, at INTEGER NOT NULL, PRIMARY KEY (origin, id, seat))
        WITHOUT ROWID`);
    this.#exists = true;
  }
}
