//! A pacer: with each tick, it reads the new bills and makes the shares of its budgets, which are all of them if the catalog
//! is not large. `crates/pacing` computes them; this object gives it the time, the budgets, the counts and the bills.
//!
//! An alarm starts each tick. If the platform is late with it, the next call of a relay starts one. After a restart,
//! the saved state and the ledger restore everything. Without budgets, there is no alarm.
//!
//! The first pacer says how many there are, by the catalog, and answers the operator for all. With another number, a pacer
//! starts again: it drops budgets that it has no more, and learns of new ones what was spent, from the ledger. Until it has
//! shares for them, nobody has; `shares.ts` says why nobody counts two.

import { DurableObject } from "cloudflare:workers";
import {
  LATE_TICKS,
  MAX_PARCELS,
  PACER_CATALOG_MS,
  PACER_IDLE_MS,
  PACER_MS,
  PULL_MS,
  SAVE_MS,
  SHARES_STORED_MS,
} from "../../../shared/limits.ts";
import type { Alarm, BudgetState, Learned } from "../../../shared/pacing/budgets.ts";
import {
  AllShares,
  type BudgetList,
  budgetListOf,
  headOf,
  numbered,
  type Pacers,
  SHARES_KEY,
  withPacers,
} from "../../../shared/pacing/shares.ts";
import { holds } from "../../../shared/telemetry/assertions.ts";
import { Counters } from "../../../shared/telemetry/counters.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { CatalogKeeper } from "../catalog/keeper.ts";
import { pause, within } from "../time/retry.ts";
import { Bills } from "./bills.ts";
import { type Order, PacingModule } from "./module.ts";
import { numberOfPacer, pacerOf, pacersFor } from "./objects.ts";
import type { Parcel } from "./relay.ts";
import { Saved } from "./saved.ts";

/** The spots of learned shading in a saved state: see `crates/shading/src/cells.rs`. */
const UNLEARNED = /^cell .*$/;

export class Pacer extends DurableObject<Env> {
  readonly #keeper = new CatalogKeeper(new Counters());
  readonly #saved: Saved;
  #module: PacingModule;
  #bills: Bills;
  /** The bidders whose budgets the module has, and those whose budgets it should have. */
  #planned: Bidder[] = [];
  #wanted: Bidder[] = [];
  /** Whether the ledger has answered with the spend of all budgets since this instance started. */
  #isReady = false;
  /** Whether this instance has asked the first pacer for the orders. */
  #knowsOrders = false;
  #shares = "";
  #madeAt = 0;
  #parcels = new Map<string, number>();
  #tickedAt = Number.NEGATIVE_INFINITY;
  #ticking: Promise<void> | undefined;
  #rangAt = Number.NEGATIVE_INFINITY;
  /** The last writes of the state and of the shares in KV. */
  #savedAt = Number.NEGATIVE_INFINITY;
  #storedAt = Number.NEGATIVE_INFINITY;
  readonly #number: number;
  /** How many pacers there are. For all but the first, callers say so; 0: none has called yet. */
  #pacers: Pacers;
  #calledAt = Number.NEGATIVE_INFINITY;
  /** The shares of all pacers; only in the first. */
  #all = new AllShares();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#saved = new Saved(ctx.storage);
    this.#number = numberOfPacer(env, ctx.id);
    this.#pacers = { of: this.#number === 0 ? 1 : 0, since: 0 };
    this.#module = this.#restored();
    this.#bills = new Bills(env, this.#module);
  }

  /** Takes the counts of a relay, and returns the newest shares; an empty text if there are none yet. */
  async exchange(parcel: Parcel | null, pacers: Pacers = { of: 1, since: 0 }): Promise<string> {
    this.#calledAt = Date.now();
    if (this.#number > 0 && pacers.since >= this.#pacers.since) this.#become(pacers);
    if (parcel !== null && this.#parcels.get(parcel.relay) !== parcel.number) {
      if (this.#parcels.size > MAX_PARCELS) this.#parcels.clear();
      this.#parcels.set(parcel.relay, parcel.number);
      this.#module.tell("report", parcel.counts);
    }
    await this.#watch();
    return numbered(this.#shares, headOf(this.#shares).number, Date.now() - this.#madeAt);
  }

  /**
   * The state of all budgets, or of the budget of a campaign or an order; null if the ledger has not answered since the
   * last start.
   */
  async told(id?: string): Promise<BudgetState[] | null> {
    await this.#watch();
    if (this.#planned.length === 0) return this.#number === 0 ? [] : null;
    if (!this.#isReady) return null;
    const others = await this.#others((pacer) => pacer.told(id));
    const own: BudgetState[] = JSON.parse(this.#module.ask("told", Date.now()));
    const isOf = (id: string) => (one: BudgetState) => one.cid === id || one.order === id || one.members?.includes(id);
    const all = [id === undefined ? own : own.filter(isOf(id)), ...others];
    return all.every((some) => some !== null) ? all.flat() : null;
  }

  /** The alarms of the last tick. */
  async alarms(): Promise<Alarm[]> {
    const alarms: Alarm[] = JSON.parse(this.#module.ask("alarms", Date.now()));
    const own = [...this.#bills.missing.map((shard) => ({ what: "missing", place: shard })), ...alarms];
    return addedUp([own, ...(await this.#others((pacer) => pacer.alarms()))].flat());
  }

  /** What the first pacer knows of all orders: also of their campaigns that have left the catalog. */
  async orders(): Promise<string> {
    return this.#module.ask("orders");
  }

  /** What the other pacers answer to the first one. */
  #others<T>(ask: (pacer: ReturnType<typeof pacerOf>, number: number) => Promise<T>): Promise<T[]> {
    const numbers = this.#number > 0 ? [] : Array.from({ length: this.#pacers.of - 1 }, (_, n) => n + 1);
    return Promise.all(numbers.map((number) => ask(pacerOf(this.env, number), number)));
  }

  /** Starts again if there is another number of pacers: its budgets are others then. */
  #become(pacers: Pacers): void {
    const isSame = pacers.of === this.#pacers.of;
    this.#pacers = pacers;
    if (isSame) return;
    if (this.#isReady) this.#saved.write(this.#module.saved());
    this.#restart();
    this.#tickedAt = Number.NEGATIVE_INFINITY;
  }

  /** What learned shading knows, after it has done what it was told. */
  async learned(order?: Order): Promise<Learned> {
    await this.#watch();
    if (order !== undefined) {
      this.#module.order(order);
      // A restart must not undo it.
      this.#saved.write(this.#module.saved());
    }
    return JSON.parse(this.#module.ask("learned"));
  }

  override async alarm(): Promise<void> {
    // If the platform's clock is ahead of this one, each alarm rings at once.
    const since = Date.now() - this.#rangAt;
    if (since >= 0 && since < PACER_MS) await pause(PACER_MS - since);
    this.#rangAt = Date.now();
    await this.#tick();
  }

  /** Ticks if the last tick is too long ago. */
  async #watch(): Promise<void> {
    if (isDue(this.#tickedAt, LATE_TICKS * PACER_MS, Date.now())) await this.#tick();
  }

  /** Never rejects: the next tick may succeed. */
  #tick(): Promise<void> {
    const now = Date.now();
    // The clock was set back, so nobody knows how old the shares are.
    if (now < this.#tickedAt) [this.#shares, this.#all] = ["", new AllShares()];
    this.#tickedAt = now;
    this.#ticking ??= this.#run()
      .catch((error) => {
        fail("pacer-tick", error);
        if (error instanceof WebAssembly.RuntimeError) this.#restart(UNLEARNED);
      })
      .finally(() => {
        this.#ticking = undefined;
      });
    return this.#ticking;
  }

  async #run(): Promise<void> {
    // Relays call no more if there are fewer pacers now.
    const isCalled = this.#pacers.of > 0 && !isDue(this.#calledAt, PACER_IDLE_MS, Date.now());
    if (this.#number > 0 && !isCalled) return;
    const first = this.#keeper.use(this.env, this.ctx);
    let bidders = this.#bidders(first);
    // Only isolates with budgets call. So they may have a newer catalog.
    if (bidders.length === 0) bidders = this.#bidders(await this.#keeper.first(PACER_CATALOG_MS));
    if (bidders.length === 0 && this.#keeper.version !== null) {
      this.#forget();
      return;
    }
    await this.ctx.storage.setAlarm(Date.now() + PACER_MS);
    if (bidders.length === 0) return;
    if (this.#number === 0) this.#become({ of: pacersFor(bidders), since: 0 });
    if (this.#number > 0 && !this.#knowsOrders) await this.#learnOrders();
    // It started again meanwhile: the next tick asks for the orders.
    if (this.#number > 0 && !this.#knowsOrders) return;
    if (!isSame(bidders, this.#wanted)) this.#want(bidders);
    // The module must know the time zones of the campaigns before their bills.
    if (!this.#isReady) this.#plan();
    await this.#bills.pull(Date.now(), !this.#isReady);
    if (this.#bills.isComplete) {
      this.#isReady = true;
      if (this.#plan()) {
        this.#bills.repeat();
        await this.#bills.pull(Date.now(), false);
      }
    }
    // Until the ledger has answered, the shares of the last instance get older.
    if (!this.#isReady) return;
    const now = Date.now();
    const shares = this.#module.ask("tick", now);
    const told = this.#number === 0 ? withPacers(shares, this.#pacers.of) : shares;
    const number = this.#saved.nextNumber(now);
    // If this fails, nobody gets these shares: another instance could give their number again.
    if (isDue(this.#savedAt, SAVE_MS, now)) {
      this.#saved.write(this.#module.saved());
      this.#savedAt = now;
    }
    const isLater = holds(number > headOf(this.#shares).number, "shares have a higher number than those before");
    if (!isLater || !holds(headOf(told).made === now, "no shares are of another time than their tick")) return;
    this.#shares = numbered(told, number);
    this.#madeAt = now;
    if (this.#number === 0 && isDue(this.#storedAt, SHARES_STORED_MS, now)) {
      this.#storedAt = now;
      this.ctx.waitUntil(this.#store().catch((error) => fail("pacer-stored", error)));
    }
  }

  /**
   * Which campaigns have spent the budgets of its orders, from the first pacer: another pacer may have had them before.
   * Rejects if it does not answer and nothing was saved here.
   */
  async #learnOrders(): Promise<void> {
    const module = this.#module;
    try {
      const orders = await within(PULL_MS, pacerOf(this.env).orders());
      if (module === this.#module) module.tell("restore_orders", orders);
    } catch (error) {
      if (!this.#saved.isEmpty) fail("pacer-orders", error);
      else throw error;
    }
    this.#knowsOrders = module === this.#module;
  }

  /** Writes the shares of all pacers to KV, for isolates without a relay. */
  async #store(): Promise<void> {
    this.#all.take(0, this.#shares);
    await this.#others(async (pacer, number) => {
      try {
        this.#all.take(number, await within(PULL_MS, pacer.exchange(null, this.#all.pacers)));
      } catch (error) {
        fail("pacer-other", error);
      }
    });
    const shares = this.#all.text((shares) => this.#module.join(shares));
    // The clock was set back meanwhile.
    if (shares === "") return;
    // Their age is computed by the time in them.
    await this.env.CATALOG.put(SHARES_KEY, numbered(shares, headOf(shares).number));
  }

  /** The bidders whose bids are sent, and that have budgets or learn prices. */
  #bidders(first: Bidder | undefined): Bidder[] {
    const { second } = this.#keeper;
    const all = [first, second?.mode === "split" ? second.bidder : undefined];
    return all.filter((one): one is Bidder => one?.isPaced === true);
  }

  #want(bidders: Bidder[]): void {
    const budgets = this.#budgetsOf(bidders);
    const own = this.#pacers.of > 1 ? this.#module.campaigns(budgets) : undefined;
    this.#bills.want((now) => this.#module.pastNeeded(budgets, now), Date.now(), own);
    this.#wanted = bidders;
  }

  #budgetsOf(bidders: Bidder[]): Uint8Array {
    return budgetsOf(bidders, this.#number, this.#pacers.of);
  }

  /** Gives the module the wanted budgets, if it does not have them. True if it needs all bills again. */
  #plan(): boolean {
    if (isSame(this.#planned, this.#wanted)) return false;
    const isAgain = this.#module.plan(this.#budgetsOf(this.#wanted), Date.now());
    this.#planned = this.#wanted;
    return isAgain;
  }

  /** Without budgets, there is nothing to do until a relay calls again. */
  #forget(): void {
    if (this.#planned.length > 0) this.#module.plan(this.#budgetsOf([]), Date.now());
    [this.#planned, this.#wanted] = [[], []];
  }

  /**
   * Starts again from the saved state and the ledger. After a trap, what learned shading knows is forgotten: if it trapped,
   * it would trap again, and no budget would get shares.
   */
  #restart(without?: RegExp): void {
    this.#module = this.#restored(without);
    this.#bills = new Bills(this.env, this.#module, this.#number === 0 ? "" : String(this.#number));
    [this.#planned, this.#wanted, this.#isReady, this.#knowsOrders] = [[], [], false, false];
  }

  /** A module with the saved state, without some lines. Without a state, what was learned is lost, but the ledger still knows what was spent. */
  #restored(without?: RegExp): PacingModule {
    const module = new PacingModule();
    const { of } = this.#pacers;
    module.part(this.#number, of);
    if (of === 0) return module;
    try {
      module.restore(this.#saved.read(), without);
      return module;
    } catch (error) {
      fail("pacer-restore", error);
      return new PacingModule();
    }
  }
}

/** Whether `ms` have passed since a time. A clock that was set back must not stop anything. */
function isDue(since: number, ms: number, now: number): boolean {
  return now < since || now - since >= ms;
}

function isSame(a: Bidder[], b: Bidder[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

/** Alarms of several pacers: those about the same bills as one. */
function addedUp(alarms: Alarm[]): Alarm[] {
  const all = new Map<string, Alarm>();
  for (const alarm of alarms) {
    const { what, place, ssp, cur } = alarm;
    const key = [what, place, ssp, cur].join();
    const { count = 0, nanos = "0" } = all.get(key) ?? {};
    const isSum = all.has(key) && alarm.count !== undefined;
    const sum = () => ({ count: count + (alarm.count ?? 0), nanos: String(BigInt(nanos) + BigInt(alarm.nanos ?? 0)) });
    all.set(key, isSum ? { ...alarm, ...sum() } : alarm);
  }
  return [...all.values()];
}

/**
 * The budgets, SSPs and rates of all bidders as one text. If a campaign or order has two budgets, the module takes the
 * first. The SSPs and rates of the first bidder count.
 */
function budgetsOf(bidders: Bidder[], pacer: number, of: number): Uint8Array {
  // The list of a large catalog takes ten times its bytes as objects.
  if (bidders.length === 1) return (bidders[0] as Bidder).budgetList(pacer, of);
  const lists = bidders.map((bidder) => budgetListOf(bidder, pacer, of));
  const all: BudgetList = {
    budgets: lists.flatMap(({ budgets }) => budgets),
    ssps: lists.toReversed().flatMap(({ ssps }) => ssps),
    rates: Object.assign({}, ...lists.toReversed().map(({ rates }) => rates)),
  };
  return new TextEncoder().encode(JSON.stringify(all));
}
