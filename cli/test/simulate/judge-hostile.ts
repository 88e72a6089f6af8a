//! The judge of an exchange that cheats: the others are answered as before, it has no more luck than they have, and what
//! is refused is counted. What its bids book is for the other judges.

import { Broken } from "./broken.ts";
import { CAMPAIGNS, SPREAD } from "./catalog.ts";
import type { Attempt, Hostile } from "./hostile.ts";
import type { Market } from "./market.ts";

/** Bids that may be luck: so many, and so many standard deviations. */
const LUCK = 5;
const MINUTE_MS = 60_000;
/** Why a notice is refused whose token is not ours. */
const FORGED = ["forged", "malformed"];

export class HostileJudge {
  readonly #market: Market;
  readonly #hostile: Hostile;

  constructor(market: Market, hostile: Hostile) {
    [this.#market, this.#hostile] = [market, hostile];
  }

  /**
   * Everything has been healed since a time. A campaign without budget and cap bids on each request, and a campaign bids
   * on each request under a deal for which the catalog promises that, whatever is left of its budget.
   */
  judgeAnswers(from: number): void {
    const isFree = new Set(CAMPAIGNS.filter(({ budget, cap, order }) => !budget && !cap && !order));
    const deals = CAMPAIGNS.flatMap((campaign) => campaign.deals ?? []);
    const promised = new Set(deals.flatMap(({ id, guaranteed }) => (guaranteed ? [id] : [])));
    const free: Attempt[] = this.#market.requests.filter(({ campaign }) => isFree.has(campaign));
    const agreed = this.#hostile.attempts.others.filter(({ deal }) => deal !== undefined && promised.has(deal));
    for (const [name, all] of Object.entries({ free, agreed })) {
      const late = all.filter(({ at }) => at > from);
      const missing = late.filter(({ isAnswered }) => !isAnswered).length;
      if (missing > 0) throw new Broken("answers", `${missing} of ${late.length} requests of ${name} get no bid`);
    }
  }

  /**
   * The exchange that cheats repeats ids that got a bid. In each minute, its part of the bids of the campaign whose budget
   * is spread over the day is that of the requests, as if the bids were drawn from all requests.
   */
  judgeLuck(): void {
    const { spread } = this.#hostile.attempts;
    const others = this.#market.requests.filter(({ campaign }) => campaign === SPREAD);
    const minuteOf = ({ at }: Attempt) => Math.floor(at / MINUTE_MS);
    const byMinute = Map.groupBy(others, minuteOf);
    let [excess, variance] = [0, 0];
    for (const [minute, own] of Map.groupBy(spread, minuteOf)) {
      const all = [...own, ...(byMinute.get(minute) ?? [])];
      const answered = (some: Attempt[]) => some.filter(({ isAnswered }) => isAnswered).length;
      const [part, bids] = [own.length / all.length, answered(all)];
      if (all.length < 2) continue;
      excess += answered(own) - part * bids;
      variance += (part * (1 - part) * bids * (all.length - bids)) / (all.length - 1);
    }
    if (excess <= LUCK + LUCK * Math.sqrt(variance)) return;
    const luck = `${excess.toFixed(1)} bids more than its part, with a deviation of ${Math.sqrt(variance).toFixed(1)}`;
    throw new Broken("luck", `who repeats ids gets ${luck}`);
  }

  /** A report counts the notices that were refused since everything was healed, as nothing that counts has ended. */
  judgeCounts(text: string, from: number): void {
    const { rows }: { rows: { refused: Record<string, number> }[] } = JSON.parse(text);
    const counts = rows.flatMap(({ refused }) => Object.entries(refused));
    for (const isForged of [true, false]) {
      const own = counts.filter(([why]) => FORGED.includes(why) === isForged);
      const counted = own.reduce((sum, [, count]) => sum + count, 0);
      const least = this.#hostile.refused.filter((one) => one.at > from && one.isForged === isForged).length;
      if (counted >= least) continue;
      const what = isForged ? "tokens" : "prices";
      throw new Broken("counts", `${counted} notices are counted as refused for their ${what}, of at least ${least}`);
    }
  }
}
