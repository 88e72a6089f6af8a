//! The ledger of one UTC day and shard: books each bid at most once, and counts bids, wins, losses and refused notices.
//!
//! Booked means durable: the runtime holds an answer back until the writes before it are on disk. Counts are statistics
//! without duplicates removed: they wait in memory for {@link COUNTS_MS} and may be lost. {@link NOTICE_DAYS} after the
//! start of its day, the object takes no more bills and counts. It then hands its totals to the summary and deletes
//! itself.

import { DurableObject } from "cloudflare:workers";
import {
  type Bill,
  type Booked,
  type Count,
  type Known,
  type Names,
  QUARTER_SECONDS,
  type Query,
  type Subject,
  type Total,
  type Weight,
} from "../../../shared/ledger/rows.ts";
import { AMOUNTS, KEY, newWeights, type Sum, Sums, sumOfCount, type Weights } from "../../../shared/ledger/sums.ts";
import {
  CLOCKS_MS,
  COMMIT_BILLS,
  COMMIT_MS,
  COUNTS_MS,
  HANDOVER_RETRY_MS,
  HANDOVER_SUMS,
  SEALED_DAYS,
} from "../../../shared/limits.ts";
import { holds } from "../../../shared/telemetry/assertions.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { Commits } from "../commits.ts";
import { type Ack, type Batch, Changes, type Reader } from "./changes.ts";
import { Directory, isNamed, type Name, type Named, namesIn, totalsOf } from "./names.ts";
import { closesAt, dayOfShard, handoverAt, localDay, summaryOf, utcDay } from "./shards.ts";
import { Tables, type Written } from "./tables.ts";

/** Known names, and the hashes whose names were asked for. */
type Found = { hashes: ReadonlySet<string>; directory: Directory };

const NOTHING: Known = { booked: null, refused: null };

export class Ledger extends DurableObject<Env> {
  readonly #tables: Tables;
  readonly #commits: Commits<Bill, Booked>;
  /** By the name of the reader. */
  readonly #changes = new Map<string, Changes>();
  #counts = newCounts();
  #countsTimer: ReturnType<typeof setTimeout> | undefined;
  #isHandingOver = false;
  /** The names that this instance has sent to the summary. */
  readonly #told = new Map<string, string>();

  /** `most`: the most bills of one transaction. With 1, each bill has its own transaction at once. */
  constructor(ctx: DurableObjectState, env: Env, most = COMMIT_BILLS) {
    super(ctx, env);
    this.#tables = new Tables(ctx.storage);
    this.#commits = new Commits(COMMIT_MS, most, (bills) => {
      this.#open();
      return this.#tables.book(bills).map((written, i) => this.#changed(bills[i] as Bill, written));
    });
  }

  /**
   * Books one impression. If any notice has booked this bid before, a price that is higher or more certain replaces the
   * booked one. Throws if nothing was booked: then the caller answers 503, and the notice must be sent again. The summary
   * learns `names`, if they are known.
   */
  async book(bill: Bill, names: Names[] = []): Promise<Booked> {
    const booked = await this.#book(bill);
    this.ctx.waitUntil(this.#tell(names).catch((error) => fail("ledger-names", error)));
    return booked;
  }

  /**
   * Takes a price that the exchange's server tells for a bid that a page bills. If the bid is booked, it counts now, and
   * otherwise as soon as the bid is booked.
   */
  async price(bill: Bill): Promise<Booked> {
    return this.#book({ ...bill, isPrice: true });
  }

  #book(bill: Bill): Promise<Booked> {
    this.#assertTakes(bill.quarter);
    assertBid(bill.bid);
    for (const nanos of [bill.nanos, bill.usdNanos, bill.ownNanos, bill.bidNanos]) assertNanos(nanos);
    return this.#commits.add(bill);
  }

  /** Whether an encoded price of a page belongs to this bid: see {@link Tables.claim}. */
  async claim(price: string, bid: string): Promise<boolean> {
    assertBid(bid);
    const now = Math.floor(Date.now() / 1000);
    return this.#tables.claim(price, bid, now, now + SEALED_DAYS * 86_400);
  }

  /** Tells the pacers what a bill has changed. */
  #changed(bill: Bill, written: Written): Booked {
    const { booking, now, ownNanos } = written;
    const isBooked = holds(booking !== true || now !== null, "a booked bill has a price");
    const isKept = holds(now !== null || ownNanos === 0, "no spend changes without a booked bid");
    // The pacers read all bills again.
    if (!isBooked || !isKept) this.#changes.clear();
    if (booking === true || ownNanos !== 0) for (const changes of this.#changes.values()) changes.add(bill, written);
    return { booking, now: now && { notice: now.notice, cur: now.cur, nanos: now.nanos } };
  }

  /** Adds counts. `names` has the names of their subjects; the summary keeps them. */
  async count(counts: Count[], names: Names[]): Promise<void> {
    for (const { quarter } of counts) this.#assertTakes(quarter);
    await this.#tell(names);
    for (const count of counts) this.#add(count);
  }

  /**
   * Counts a notice that booked nothing, and remembers the first reason for its bid. With a `weight`, the bid counts
   * against its budget until it is booked.
   */
  async refuse(bid: string, why: string, subject: Subject, weight?: Weight): Promise<void> {
    const { quarter, campaign, ssp } = subject;
    this.#assertTakes(quarter);
    assertBid(bid);
    if (weight) assertNanos(weight.bidNanos);
    this.#open();
    this.#tables.refuse(bid, why);
    const held = weight && { campaign, ssp, ...weight };
    if (held && this.#tables.hold(bid, held)) for (const changes of this.#changes.values()) changes.hold(held);
    this.#add({ ...subject, kind: "refused", detail: why, count: 1 });
  }

  /** What is known about a bid. */
  async why(bid: string): Promise<Known> {
    return this.#tables.shard === null ? NOTHING : this.#tables.known(bid);
  }

  /**
   * The bills since a reader's last batch: see {@link Changes.take}. `ack` names that batch; null if the reader has none. A
   * reader without a name gets the bills of all campaigns. An object without bills answers with no rows, and makes no tables.
   */
  async spent(ack: Ack | null, midnights?: number[], { name, only }: Partial<Reader> = {}): Promise<Batch> {
    this.#watchAlarm();
    const newReader = () =>
      new Changes(
        () => this.#tables.bills(),
        () => this.#tables.held(),
      );
    const changes = this.#changes.get(name ?? "") ?? newReader();
    this.#changes.set(name ?? "", changes);
    return changes.take(ack, midnights, only);
  }

  /**
   * The totals of this object, by the days of each campaign's time zone; null if a part of the campaigns has too many for
   * one answer. A part is the last digits of their hashes.
   */
  async report(query: Query, part?: string): Promise<Total[] | null> {
    this.#writeCounts();
    if (this.#tables.shard === null) return [];
    this.#watchAlarm();
    const known = await this.#known(["campaign", ...query.by.filter(isNamed)], part);
    // The totals may have been handed over in the meantime.
    if (this.#tables.shard === null) return [];
    const sums = this.#sumsByDay(known, part).filter(({ period: day }) => query.from <= day && day <= query.to);
    return totalsOf(sums, known.directory, query, part);
  }

  /** Whether it has nothing to hand over, now and later. Sets the alarm again if it was lost. */
  async isHandedOver(): Promise<boolean> {
    this.#watchAlarm();
    return this.#tables.shard === null && Date.now() >= handoverAt(this.#shard());
  }

  /** The rows that bills wrote in SQLite since this instance started: one for each new bid, two if it has an arm. */
  async rowsWritten(): Promise<number> {
    return this.#tables.rowsWritten;
  }

  /**
   * Hands the totals over, and deletes everything. An alarm may run twice. So the summary takes each object's totals
   * only once, and nothing is deleted before the summary has them.
   */
  override async alarm(): Promise<void> {
    const { shard } = this.#tables;
    if (shard === null) return;
    const missing = handoverAt(shard) - Date.now();
    if (missing > 0) {
      // The platform's clock is ahead of this one, perhaps by hours: an earlier alarm would ring again and again.
      await this.ctx.storage.setAlarm(handoverAt(shard) + missing + CLOCKS_MS);
      return;
    }
    this.#isHandingOver = true;
    try {
      this.#commits.commit();
      this.#writeCounts();
      if (!holds(this.#tables.areSumsOfBills(), "the sums of a day are those of its bills")) this.#tables.addUp();
      if (!holds(!this.#tables.holdsBooked(), "no booked bid still counts as one that is not")) this.#tables.release();
      const known = await this.#known(["campaign"]);
      const days = new Sums<Sum<string>>(KEY, AMOUNTS);
      const weights = newWeights();
      for (const sum of this.#sumsByDay(known)) {
        days.add(sum);
        const { bidNanos, period, campaign, ssp, ownCur } = sum;
        if (bidNanos) weights.add({ period, campaign, ssp, ownCur, count: 0, bidNanos, heldNanos: 0n });
      }
      for (const { campaign, ssp, ownCur, issued, bidNanos } of this.#tables.held()) {
        const period = localDay(Math.floor(issued / QUARTER_SECONDS), known.directory.zoneOf(campaign));
        weights.add({ period, campaign, ssp, ownCur, count: 0, bidNanos: 0n, heldNanos: BigInt(bidNanos) });
      }
      await this.#handOver(shard, [...days], [...weights]);
    } catch (error) {
      fail("ledger-handover", error);
      await this.ctx.storage.setAlarm(Date.now() + HANDOVER_RETRY_MS);
      return;
    } finally {
      this.#isHandingOver = false;
    }
    const deleted = this.ctx.storage.deleteAll();
    this.#tables.forget();
    await deleted;
    await this.ctx.storage.deleteAlarm();
  }

  /** Hands over in calls of limited length. The totals count with the last call, which needs all others. */
  async #handOver(shard: string, sums: Sum<string>[], weights: Weights[]): Promise<void> {
    const summary = summaryOf(this.env);
    const [attempt, first] = [crypto.randomUUID(), <T>(all: T[]) => all.splice(0, HANDOVER_SUMS)];
    let chunks = 0;
    while (Math.max(sums.length, weights.length) > HANDOVER_SUMS) {
      await summary.stage(shard, attempt, chunks++, first(sums), first(weights));
    }
    if (chunks === 0) await summary.absorb(shard, sums, weights);
    else await summary.absorbStaged(shard, { attempt, chunks }, sums, weights);
  }

  /**
   * Sets the alarm again if the platform has lost it: without an alarm, the totals would never reach the summary. Each
   * write, report, reading of the pacer and call of the summary looks.
   */
  #watchAlarm(): void {
    const { shard } = this.#tables;
    // While an alarm runs, none is set.
    if (shard === null || this.#isHandingOver) return;
    const watched = this.ctx.storage.getAlarm().then((alarm) => {
      if (alarm !== null || this.#tables.shard !== shard) return undefined;
      fail("ledger-alarm", `the alarm of ${shard} was lost`);
      return this.ctx.storage.setAlarm(Math.max(handoverAt(shard), Date.now() + HANDOVER_RETRY_MS));
    });
    this.ctx.waitUntil(watched.catch((error) => fail("ledger-alarm", error)));
  }

  /** Throws if a bid of this quarter does not belong to this object, or is too old. */
  #assertTakes(quarter: number): void {
    const day = dayOfShard(this.#shard());
    if (utcDay(quarter) !== day) throw new RangeError(`quarter ${quarter} is not of ${day}`);
    if (Date.now() >= closesAt(day)) throw new Error(`the ledger of ${day} is closed`);
  }

  #shard(): string {
    const shard = this.#tables.shard ?? this.ctx.id.name;
    if (shard === undefined) throw new Error("a ledger needs a name");
    return shard;
  }

  /** Makes the tables before the first write, and sets the alarm with them. */
  #open(): void {
    if (this.#tables.shard !== null) {
      this.#watchAlarm();
      return;
    }
    const shard = this.#shard();
    this.#tables.create(shard);
    // Without an await between them, the runtime writes both or none.
    this.ctx.waitUntil(this.ctx.storage.setAlarm(handoverAt(shard)));
  }

  #add(count: Count): void {
    this.#counts.add(sumOfCount(count));
    this.#countsTimer ??= setTimeout(() => {
      try {
        this.#writeCounts();
      } catch (error) {
        fail("ledger-counts", error);
      }
    }, COUNTS_MS);
  }

  #writeCounts(): void {
    clearTimeout(this.#countsTimer);
    this.#countsTimer = undefined;
    if (this.#counts.size === 0) return;
    this.#open();
    this.#tables.count(this.#counts);
    this.#counts = newCounts();
  }

  /** Tells the summary the names that this instance has not told it yet. */
  async #tell(names: Names[]): Promise<void> {
    const texts = new Map(names.flatMap(namesIn).map((name) => [JSON.stringify(name), name]));
    const unknown = [...texts].filter(([text, { of, hash }]) => this.#told.get(of + hash) !== text);
    if (unknown.length === 0) return;
    await summaryOf(this.env).learn(unknown.map(([, name]) => name));
    for (const [text, { of, hash }] of unknown) this.#told.set(of + hash, text);
  }

  /** The names of all campaigns, creatives or SSPs in the sums, and the hashes that were asked for. */
  async #known(wanted: Named[], part?: string): Promise<Found> {
    const hashes = new Set<string>();
    for (const sum of this.#tables.sums(part)) for (const of of wanted) hashes.add(sum[of]);
    // The count of a refused bill may be lost, and its weight is not.
    if (wanted.includes("campaign")) for (const { campaign } of this.#tables.held()) hashes.add(campaign);
    const [left, names]: [string[], Name[]] = [[...hashes], []];
    while (left.length > 0) names.push(...(await summaryOf(this.env).names(left.splice(0, HANDOVER_SUMS))));
    return { hashes, directory: new Directory(names) };
  }

  /**
   * All sums by their local day and quarter, without campaigns that appeared after the names were asked for: the next report has
   * them.
   */
  *#sumsByDay({ hashes, directory }: Found, part?: string): Generator<Sum<string> & { quarter: number }> {
    for (const sum of this.#tables.sums(part)) {
      if (!hashes.has(sum.campaign)) continue;
      yield { ...sum, quarter: sum.period, period: localDay(sum.period, directory.zoneOf(sum.campaign)) };
    }
  }
}

function newCounts(): Sums<Sum<number>> {
  return new Sums(KEY, AMOUNTS);
}

function assertNanos(nanos: number): void {
  if (!Number.isSafeInteger(nanos) || nanos < 0) throw new RangeError(`${nanos} is no price in nanos`);
}

function assertBid(bid: string): void {
  if (!/^[0-9a-f]{18}$/.test(bid)) throw new RangeError(`${bid} is no bid id`);
}
