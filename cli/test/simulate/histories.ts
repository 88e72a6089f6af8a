//! Calls of one object of the ledger, from a seed: bills that come twice and at other prices, refused notices and counts.
//! At times, the object ends while bills wait for their transaction; they are sent again until all are answered. What
//! the calls do depends on their order only, not on how many of them share a transaction.

import type { Bill, Count, Names, Subject } from "../../../shared/ledger/rows.ts";
import { Random } from "../../../tools/traffic/random.ts";
import type { Calls, Result, Runner } from "./assumptions.ts";

/** Calls that are made at once; or bills, after which the object ends at once. */
interface Step {
  calls: Calls["calls"];
  isKilled: boolean;
}

const STEPS = 12;
/** The most calls of a step. Few bids and prices, so that most bills are of a bid that was billed before. */
const CALLS = 10;
const BIDS = 15;
const PRICES = [1_000_000, 2_500_000, 2_500_001, 4_000_000] as const;

function historyOf(seed: number, day: string): Step[] {
  const random = new Random(seed);
  const firstQuarter = Date.parse(day) / 900_000;
  const hash = () => random.below(3).toString(16).padStart(16, "0");
  const bids = Array.from({ length: BIDS }, (): Pick<Bill, "bid" | "cur"> & Subject => {
    const subject = { quarter: firstQuarter + random.below(96), campaign: hash(), creative: hash(), ssp: hash() };
    return { ...subject, bid: random.hex(18), cur: random.pick(["USD", "EUR"]) };
  });
  const book = (): Calls["calls"][number] => {
    const bid = random.pick(bids as [Bill]);
    const nanos = random.pick(PRICES);
    const bill: Bill = {
      ...{ ...bid, issued: bid.quarter * 900 + random.below(900), notice: random.pick(["bill", "imp", "win"]) },
      ...{ nanos, usdNanos: nanos, ownCur: "USD", ownNanos: nanos - random.below(3), bidNanos: 4_000_000 },
      isAssumed: random.below(4) === 0,
    };
    return ["book", bill, [namesOf(bid)]];
  };
  const refuse = (): Calls["calls"][number] => {
    const { bid, cur: _, ...subject } = random.pick(bids as [Bill]);
    const weight = { issued: subject.quarter * 900, ownCur: "USD", bidNanos: 4_000_000 };
    return ["refuse", bid, random.pick(["price-high", "price-missing"]), subject, ...(random.below(2) ? [weight] : [])];
  };
  const count = (): Calls["calls"][number] => {
    const { bid: _, cur: __, ...subject } = random.pick(bids as [Bill]);
    const one: Count = {
      ...subject,
      kind: random.pick(["bid", "win", "loss"]),
      detail: "",
      count: 1 + random.below(9),
    };
    return ["count", [one], [namesOf(subject)]];
  };
  const makers = [book, book, refuse, count] as const;
  return Array.from({ length: STEPS }, (): Step => {
    const isKilled = random.below(3) === 0;
    const make = () => (isKilled ? book() : random.pick(makers)());
    return { isKilled, calls: Array.from({ length: random.below(CALLS) }, make) };
  });
}

function namesOf({ campaign, creative, ssp }: Subject): Names {
  return { campaign, cid: `c-${campaign}`, creative, crid: "banner", ssp, sspId: "demo", cur: "USD", zone: "" };
}

/** The answers to the calls of a seed, but not to those of ends, and the tables after each step. Throws if one fails. */
export async function replay({ call }: Runner, seed: number, day: string): Promise<Result[][]> {
  const object = `${day}/${seed}`;
  const told: Result[][] = [];
  for (const { calls, isKilled } of historyOf(seed, day)) {
    if (isKilled) {
      await call(object, ...calls, ["end"]);
      await call(object, ...calls);
    } else told.push(await call(object, ...calls));
    // A report writes the counts, which an end would lose.
    await call(object, ["report", { from: day, to: day, by: [] }]);
    told.push(await call(object, ["tables"]));
  }
  const failed = told.flat().find((answer) => "error" in answer);
  if (failed) throw new Error(`a call fails: ${JSON.stringify(failed)}`);
  return told;
}
