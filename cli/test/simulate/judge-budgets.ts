//! The judge of budgets: what the exchanges charge for the bids of a day, or for all, is within the budget, as far as the
//! faults of a world allow. `docs/budgets.md` promises no more and no less.

import { dayAt } from "../../../shared/time/days.ts";
import { Broken } from "./broken.ts";
import { budgetOf, OWNERS, type Owner, offsetOf, PRICE, type Variant } from "./catalog.ts";
import { BILL_MS, type Bid, dayOf, leastOf, type Market } from "./market.ts";
import { type Fault, faultsIn, type Rates } from "./platform/rates.ts";
import type { World } from "./platform/world.ts";

/** Faults that show nothing to the pacer late or wrongly: they raise no spend. */
const HARMLESS: readonly Fault[] = [
  ...(["kvStaleness", "doubled", "raised", "unpriced"] as const),
  ...(["queueRefuses", "collectorRefuses", "collectorLoses", "batchMinutes", "leaves", "pacers"] as const),
];
/** By each other fault, a budget may be exceeded by so many per cent and impressions; without any, by one impression. */
const OVER_PER_CENT = 1n;
const OVER_IMPRESSIONS = 2n;
/** Shares that were made with a wrong clock buy for so long. */
const SHARES_MS = 140_000;

/** The pacer's clock was so many milliseconds ahead. */
interface WrongClock {
  from: number;
  to: number;
  jumpMs: number;
}

export class BudgetsJudge {
  readonly #world: World;
  readonly #market: Market;
  readonly #clocks: WrongClock[] = [];
  /** What was spent of each budget, in per cent. */
  readonly spends = new Map<string, bigint>();

  constructor(world: World, market: Market) {
    [this.#world, this.#market] = [world, market];
  }

  /** The clock of the pacer is set until a time. */
  onClock(jumpMs: number, to: number): void {
    this.#clocks.push({ from: this.#world.now, to: to + SHARES_MS, jumpMs });
  }

  /** `pushed`: the variants of the catalog so far. */
  judge(rates: Rates, pushed: readonly Variant[]): void {
    const faults = BigInt(faultsIn(rates).filter((fault) => !HARMLESS.includes(fault)).length);
    const variants = pushed.filter((variant) => variant !== "plain");
    for (const owner of OWNERS) {
      const { id, members } = owner;
      const budgets = variants.map((variant) => budgetOf(owner, variant));
      const budget = budgets.reduce((most, one) => (one > most ? one : most), 0n);
      // A campaign that has moved spends what is left of two days.
      if (budget === 0n || (members.some(({ moved }) => moved) && variants.includes("larger"))) continue;
      const isOwn = ({ campaign, isAgreed }: Bid) => members.includes(campaign) && !isAgreed;
      const bids = [...this.#market.bids.values()].filter(isOwn);
      for (const [day, own] of Map.groupBy(bids, (bid) => (owner.budget.daily ? dayOf(bid) : "all"))) {
        const spend = charged(own);
        if (spend === 0n) continue;
        this.spends.set(`${id} ${day}`, (spend * 100n) / budget);
        const over = faults * ((budget * OVER_PER_CENT) / 100n + OVER_IMPRESSIONS * PRICE);
        if (spend <= budget + PRICE + over + charged(own.filter((bid) => this.#isUnseen(bid, owner)))) continue;
        throw new Broken("budget", `${id} spends ${spend} of ${budget} on ${day}`, [id, "Pacer"]);
      }
    }
  }

  /**
   * Whether a pacer whose clock was set by hours may not count a bid: its bill comes more than a minute after it, which
   * the pacer then takes for a bid that is lost; or the clock shows another day, whose budget the pacer spends.
   */
  #isUnseen({ askedAt, bookedAt = this.#world.now, campaign }: Bid, { budget }: Owner): boolean {
    const isLate = bookedAt - askedAt > BILL_MS[1];
    const dayAfter = (ms: number) => dayAt(askedAt + ms + offsetOf(campaign, "budgets") * 60_000);
    return this.#clocks.some(({ from, to, jumpMs }) => {
      if (isLate) return bookedAt > from;
      return budget.daily !== undefined && from <= askedAt && askedAt < to && dayAfter(jumpMs) !== dayAfter(0);
    });
  }
}

function charged(bids: Bid[]): bigint {
  return bids.reduce((sum, bid) => sum + leastOf(bid, bid.charged), 0n);
}
