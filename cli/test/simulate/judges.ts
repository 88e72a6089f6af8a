//! The judges: what must hold in each world, whatever fails. A broken rule ends the run.
//!
//! While things fail: an answered bill is booked and stays so, nothing is booked that no exchange has sent, budgets and
//! caps hold, a stop reaches all isolates, and old shares buy nothing. When everything is healed, all figures are the
//! same to the nano.

import { QUARTER_SECONDS } from "../../../shared/ledger/rows.ts";
import { nanosOf } from "../../../shared/report/decimal.ts";
import { dayAt } from "../../../shared/time/days.ts";
import { Broken } from "./broken.ts";
import { CAMPAIGNS, isPaced, OWNERS, type Variant } from "./catalog.ts";
import { BudgetsJudge } from "./judge-budgets.ts";
import { CapsJudge } from "./judge-caps.ts";
import { judgeEvents } from "./judge-events.ts";
import { type Bid, dayOf, largest, leastOf, type Market, mostOf } from "./market.ts";
import type { Platform } from "./platform/platform.ts";
import { SHARDS } from "./platform/program.ts";
import type { Rates } from "./platform/rates.ts";

/** A row of a report and of the ledger, the health of an isolate, and a budget. */
interface Row {
  day: string;
  campaign: string;
  billed: number;
  spend: string;
}
interface Seen {
  id: string;
  quarter: number;
  nanos: number;
  own: number;
}
interface Health {
  catalog: { version: string; failure: string | null; stopped: object | null };
  pacing: { age: number | null; failure: string | null };
}
interface Told {
  cid?: string;
  order?: string;
  day: string;
  spent: string;
  spent_total?: string;
}

type Sums = Map<string, bigint>;

/**
 * A stop or a push reaches every isolate in this time: KV needs a minute, its cache half a minute, and an isolate looks
 * each half a minute.
 */
export const STOP_MS = 125_000;
/** Shares buy nothing when they are 120 seconds old, besides the time of calls, and 4 seconds by which clocks differ. */
const SHARES_MS = 140_000;
/** The age of shares at which an isolate halves them. With some requests a minute, they are about 20 seconds old. */
const HEALTHY_SECONDS = 60;
/** The most alarms of an object in a minute. The pacer has twelve. */
const MOST_RINGS = 20;

export class Judges {
  readonly #platform: Platform;
  readonly #market: Market;
  readonly caps: CapsJudge;
  readonly budgets: BudgetsJudge;
  /** The variants of the catalog that were pushed, and the stops with their times. */
  readonly variants: Variant[] = [];
  readonly stops: { cid: string; from: number; to: number }[] = [];
  #sharesAt = Number.NEGATIVE_INFINITY;
  /** The number of the last shares, by pacer. */
  readonly #numbers = new Map<string, number>();

  constructor(platform: Platform, market: Market) {
    [this.#platform, this.#market] = [platform, market];
    platform.onShares = (shares, pacer) => this.#judgeNumber(shares, pacer);
    this.caps = new CapsJudge(platform, market);
    this.budgets = new BudgetsJudge(platform.world, market);
    platform.onCall = (...call) => this.caps.onCall(...call);
  }

  /**
   * Of two shares of a pacer, the later ones have the higher number, whichever instance has made them. Those of several
   * pacers in KV have the mean of their numbers, which falls if one is silent.
   */
  #judgeNumber(shares: string, pacer: string): void {
    if (pacer === "KV" && [...this.#platform.actorsOf("Pacer")].length > 1) return;
    const number = Number(/^\d+\nnumber (\d+)/.exec(shares)?.[1] ?? 0);
    const last = this.#numbers.get(pacer) ?? 0;
    if (number === last || number === 0) return;
    if (number < last) {
      this.#platform.world.fail(new Broken("numbers", `shares ${number} follow ${last}`, [`Pacer ${pacer}`]));
    }
    this.#numbers.set(pacer, number);
    this.#sharesAt = this.#platform.world.now;
  }

  /** A bid was answered. */
  onBid(bid: Bid): void {
    this.#judgeStop(bid);
    this.#judgeShares(bid);
    this.caps.onBid(bid);
  }

  #judgeStop({ id, campaign: { cid }, askedAt, isolate }: Bid): void {
    const stop = this.stops.find(
      ({ cid: stopped, from, to }) => stopped === cid && from + STOP_MS < askedAt && askedAt < to,
    );
    if (stop === undefined) return;
    const refusedAt = this.#platform.kvRefusedAt.get(isolate.instance.name) ?? Number.NEGATIVE_INFINITY;
    if (askedAt - refusedAt < STOP_MS) return;
    const seconds = Math.round((askedAt - stop.from) / 1000);
    throw new Broken("stop", `${cid} bids ${seconds} seconds after it was stopped`, [id, isolate.instance.name]);
  }

  #judgeShares({ id, campaign, askedAt, isolate, isAgreed }: Bid): void {
    if (!isPaced(campaign) || isAgreed || this.variants.at(-1) === "plain" || !this.variants.includes("budgets"))
      return;
    const age = askedAt - this.#sharesAt;
    if (age <= SHARES_MS || !Number.isFinite(age)) return;
    throw new Broken("shares", `${campaign.cid} bids with shares of ${Math.round(age / 1000)} seconds`, [
      ...[id, isolate.instance.name, "Pacer"],
    ]);
  }

  /** A report, while things fail: it has what was answered when it was asked for, and no more than what is sent now. */
  judgeReport(text: string, answered: Sums): void {
    const { rows, missing = [] }: { rows: Row[]; missing?: string[] } = JSON.parse(text);
    const reported = sumsOf(rows, ({ campaign }) => campaign);
    const sent = this.sums((bid) => mostOf(bid, bid.sent && largest(bid.highest, bid.sent)));
    // The summary learns names behind an answer.
    const isNamed = rows.every(({ campaign }) => !campaign.startsWith("#"));
    const total = (sums: Sums) => [...sums.values()].reduce((sum, one) => sum + one, 0n);
    if (total(reported) > total(sent))
      throw new Broken("report", `${total(reported)} of ${total(sent)} that were sent`);
    if (missing.length === 0 && total(reported) < total(answered)) {
      throw new Broken("report", `${total(reported)} of ${total(answered)} that were answered`);
    }
    for (const { cid } of isNamed ? CAMPAIGNS : []) {
      const [own, most] = [reported.get(cid) ?? 0n, sent.get(cid) ?? 0n];
      if (own > most) throw new Broken("report", `${cid} has ${own} of ${most} that were sent`, [cid]);
    }
  }

  /** The sums of all bids by campaign. */
  sums(of: (bid: Bid) => bigint): Sums {
    const sums: Sums = new Map();
    for (const bid of this.#market.bids.values()) add(sums, bid.campaign.cid, of(bid));
    return sums;
  }

  /** The rows of all objects of the ledger are the bills of the exchanges. */
  judgeLedger(): void {
    const query = "SELECT lower(hex(bid)) AS id, quarter, nanos, own_nanos AS own FROM seen";
    const ledgers = this.#platform.actorsOf("Ledger").filter(({ storage }) => !storage.isEmpty);
    const rows = ledgers.flatMap(({ storage }) => storage.peek<Seen>(query));
    const booked = new Map(rows.map((row) => [row.id, row]));
    if (booked.size < rows.length) throw new Broken("ledger", "a bid is booked in two objects");
    for (const { id, quarter, nanos, own } of rows) {
      const bid = this.#market.bids.get(id);
      if (bid?.sent === undefined) throw new Broken("ledger", `${id} is booked, and nobody has billed it`, [id]);
      if (bid.sent !== BigInt(nanos)) {
        throw new Broken("ledger", `${id} is booked at ${nanos}, and was billed at ${bid.sent}`, [id]);
      }
      if (quarter < quarterAt(bid.issued[0]) || quarter > quarterAt(bid.issued[1])) {
        throw new Broken("ledger", `${id} is booked in the quarter ${quarter}`, [id]);
      }
      [bid.quarter, bid.own] = [quarter, undefined];
      if (own < leastOf(bid, bid.sent) || own > mostOf(bid, bid.sent)) {
        throw new Broken("ledger", `${id} counts ${own}, and was billed at ${bid.sent} ${bid.cur}`, [id]);
      }
      bid.own = BigInt(own);
    }
    const absorbed = this.#platform
      .actor("Summary", "summary")
      .storage.peek<{ place: string }>("SELECT place FROM absorbed");
    const gone = new Set(absorbed.map(({ place }) => place));
    for (const { id, issued, booked: answered } of this.#market.bids.values()) {
      if (answered === undefined || booked.has(id) || gone.has(`${dayAt(issued[0])}/${shardOf(id)}`)) continue;
      throw new Broken("ledger", `${id} was answered, and is not booked`, [id]);
    }
    this.caps.judgeTelling();
    const asleep = ledgers.find(({ storage }) => storage.alarm === null);
    if (asleep) throw new Broken("alarms", `${asleep.name} has bills and no alarm`, [asleep.name]);
  }

  /** A report by day and campaign is what the exchanges have charged. */
  judgeWholeReport(text: string): void {
    const { rows, missing = [] }: { rows: Row[]; missing?: string[] } = JSON.parse(text);
    if (missing.length > 0) throw new Broken("report", `${missing} do not answer`, missing);
    // The days of a campaign that has moved are those of the zone that the summary has learnt last.
    const moving = new Set(CAMPAIGNS.filter(({ moved }) => moved).map(({ cid }) => cid));
    const keyOf = (cid: string, day: string) => (moving.has(cid) ? cid : `${cid} ${day}`);
    const reported = sumsOf(rows, ({ day, campaign }) => keyOf(campaign, day));
    const charged: Sums = new Map();
    for (const bid of this.#market.bids.values()) {
      add(charged, keyOf(bid.campaign.cid, dayOf(bid)), mostOf(bid, bid.sent));
    }
    this.#assertSame("report", reported, charged);
    const count = rows.reduce((sum, { billed }) => sum + billed, 0);
    const sold = [...this.#market.bids.values()].filter(({ sent }) => sent !== undefined).length;
    if (count !== sold) throw new Broken("report", `it counts ${count} impressions of ${sold}`);
  }

  /**
   * What the pacer knows of each budget is what the exchanges have charged. `variant`: the one that is served. A pacer whose
   * clock was set does not know when a campaign left its order.
   */
  judgeTold(text: string, variant: Variant, { jumps, leaves }: Rates): void {
    const { campaigns }: { campaigns: Told[] } = JSON.parse(text);
    for (const { cid, order, day, spent, spent_total } of campaigns) {
      const id = cid ?? order ?? "";
      if (order !== undefined && jumps > 0 && leaves > 0) continue;
      const members = OWNERS.find((owner) => owner.id === id)?.members ?? [];
      const bids = [...this.#market.bids.values()].filter(({ campaign }) => members.includes(campaign));
      const weightOf = (bid: Bid) => mostOf(bid, bid.sent ?? (bid.isHeld && bid.price));
      const sum = (some: Bid[]) => some.reduce((sum, bid) => sum + weightOf(bid), 0n);
      const today = sum(bids.filter((bid) => dayOf(bid, variant) === day));
      this.#assertSame("pacer", new Map([[id, nanosOf(spent) ?? 0n]]), new Map([[id, today]]));
      if (spent_total === undefined) continue;
      this.#assertSame("pacer", new Map([[id, nanosOf(spent_total) ?? 0n]]), new Map([[id, sum(bids)]]));
    }
    if (campaigns.length === OWNERS.length) return;
    throw new Broken("pacer", `it knows ${campaigns.length} budgets of ${OWNERS.length}`);
  }

  /** An isolate, some minutes after all is healed: it serves this version, and has new shares. */
  judgeHealth(text: string, version: string): void {
    const { catalog, pacing }: Health = JSON.parse(text);
    if (catalog.version !== version || catalog.failure !== null || catalog.stopped !== null) {
      throw new Broken("health", `an isolate should serve ${version}, and says ${text}`);
    }
    if (pacing.failure !== null || pacing.age === null || pacing.age > HEALTHY_SECONDS) {
      throw new Broken("health", `an isolate should have new shares, and says ${text}`, ["Pacer pacer"]);
    }
  }

  /** No alarm rings again and again, and the ledger takes none for lost that was not. */
  judgeAlarms({ throws, full, lostAlarms }: Rates): void {
    const rings = new Map<string, number>();
    for (const line of this.#platform.world.trace) {
      if (line.includes('"outcome":"ledger-alarm"') && throws + full + lostAlarms === 0) {
        throw new Broken("alarms", line, [line.slice(19)]);
      }
      if (!line.endsWith(" alarm rang")) continue;
      const [minute, name] = [line.slice(0, 11), line.slice(19, -" alarm rang".length)];
      const count = (rings.get(minute + name) ?? 0) + 1;
      rings.set(minute + name, count);
      if (count > MOST_RINGS) throw new Broken("alarms", `${name} rings ${count} times in a minute`, [name]);
    }
  }

  /** The operator asks about a bid. Its day is not handed over yet. */
  judgeWhy(text: string, { id, sent, why }: Bid): void {
    const { now, ledger }: { now: { bid: string }; ledger: { booked: object | null } } = JSON.parse(text);
    if (now.bid === id && (ledger.booked !== null) === (sent !== undefined)) return;
    throw new Broken("why", `${why} says ${text}`, [id]);
  }

  judgeEvents(): void {
    judgeEvents(this.#platform, this.#market.bids);
  }

  #assertSame(judge: string, told: Sums, expected: Sums): void {
    for (const key of new Set([...told.keys(), ...expected.keys()])) {
      const [is, should] = [told.get(key) ?? 0n, expected.get(key) ?? 0n];
      if (is !== should)
        throw new Broken(judge, `${key} has ${is}, and was charged ${should}`, [key.split(" ")[0] ?? ""]);
    }
  }
}

function sumsOf(rows: Row[], keyOf: (row: Row) => string): Sums {
  const sums: Sums = new Map();
  for (const row of rows) add(sums, keyOf(row), nanosOf(row.spend) ?? 0n);
  return sums;
}

function add(sums: Sums, key: string, amount: bigint): void {
  if (amount !== 0n) sums.set(key, (sums.get(key) ?? 0n) + amount);
}

/** The quarter of an hour of a time in milliseconds. */
function quarterAt(ms: number): number {
  return Math.floor(ms / (QUARTER_SECONDS * 1000));
}

/** The object of the ledger that books a bid, two digits. */
function shardOf(id: string): string {
  return String(Number.parseInt(id.slice(8, 16), 16) % SHARDS).padStart(2, "0");
}
