//! The comparison of a split's versions: its intervals contain the true difference as often as they say, on simulated traffic.

import { describe, expect, it } from "vitest";
import { type Comparison, comparisonsOf, comparisonText, LEAST_HOURS } from "../../shared/report/comparison.ts";
import { decimal } from "../../shared/report/decimal.ts";
import type { Row } from "../../shared/report/rows.ts";
import { Random } from "../../tools/traffic/random.ts";

/** A split: how much more the second version wins and pays, and its share of the requests. */
interface Split {
  hours?: number;
  wins?: number;
  pays?: number;
  share?: number;
  /** The days whose hours the ledger no longer has. */
  past?: number;
}

const NOTHING = { cur: "USD", losses: {}, assumed: 0, spend: "0", win_rate: "", price: "", refused: {}, differs: {} };

/** A split's rows by day, hour and version. Traffic, the chance to win and prices differ much from hour to hour. */
function rowsOf(seed: number, { hours = 168, wins = 1, pays = 1, share = 0.1, past = 0 }: Split = {}): Row[] {
  const random = new Random(seed);
  const unit = () => (random.below(2 ** 31) + 1) / 2 ** 31;
  const normal = () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
  const about = (mean: number, deviation: number) => Math.max(0, Math.round(mean + deviation * normal()));
  const rows: Row[] = [];
  for (let at = 0; at < hours; at++) {
    const time = new Date(Date.UTC(2026, 10, 2) + at * 3_600_000).toISOString();
    const day = time.slice(0, 10);
    const hour = at < past * 24 ? "" : `${time.slice(0, 13)}:00Z`;
    const night = Math.cos((at / 12) * Math.PI);
    const requests = 4000 * Math.exp(-0.8 * night + 0.3 * normal());
    const [chance, price] = [0.1 * Math.exp(0.5 * night + 0.3 * normal()), 2 * Math.exp(0.3 * normal())];
    const versions = [
      { version: "first", part: 1 - share, rate: chance, cpm: price },
      { version: "second", part: share, rate: chance * wins, cpm: price * pays },
    ];
    for (const { version, part, rate, cpm } of versions) {
      const bids = about(requests * part, Math.sqrt(requests * part));
      const won = about(bids * rate, Math.sqrt(bids * rate * (1 - rate)));
      const nanos = about(won * cpm * 1e6, Math.sqrt(won) * 0.4 * cpm * 1e6);
      rows.push({ ...NOTHING, day, hour, version, bids, wins: won, billed: won, spend_usd: decimal(BigInt(nanos)) });
    }
  }
  return rows;
}

function comparisonOf(what: Comparison["what"], rows: Row[]): Comparison | undefined {
  return comparisonsOf(rows).find((comparison) => comparison.what === what);
}

describe("the 95 % interval contains the true difference in 19 of 20 splits", () => {
  const SEEDS = Number(process.env["SEEDS"] ?? 400);

  it.each<[string, Split]>([
    ["in a week, with a tenth of the requests", { wins: 1.1, pays: 0.95 }],
    ["in a day, with half of the requests", { hours: 24, wins: 0.8, pays: 1.2, share: 0.5 }],
    ["in two weeks, of which the first has no hours", { hours: 336, past: 6 }],
  ])("%s", (_, split) => {
    for (const [what, difference] of [
      ["win rate", (split.wins ?? 1) - 1],
      ["CPM", (split.pays ?? 1) - 1],
    ] as const) {
      let contained = 0;
      for (let seed = 0; seed < SEEDS; seed++) {
        const { interval } = comparisonOf(what, rowsOf(seed, split)) ?? {};
        if (interval && interval.low <= difference && difference <= interval.high) contained++;
      }
      if (process.env["SEEDS"]) console.info(what, contained / SEEDS);
      expect(contained / SEEDS).toBeGreaterThan(0.92);
      expect(contained / SEEDS).toBeLessThan(0.98);
    }
  });
});

describe("a comparison", () => {
  it("has the rates of both versions, and says when a difference is shown", () => {
    const rows = rowsOf(1, { wins: 1.3, share: 0.5 });
    const comparison = comparisonOf("win rate", rows);
    const rate = (version: string) => {
      const own = rows.filter((row) => row.version === version);
      return sum(own.map(({ wins }) => wins)) / sum(own.map(({ bids }) => bids));
    };
    expect(comparison).toMatchObject({ first: rate("first"), second: rate("second"), interval: { moreDays: 0 } });
    expect(comparison && comparisonText(comparison)).toMatch(
      /^win rate: \+\d+\.\d % in the second version \(95 % interval \+\d+\.\d % to \+\d+\.\d %\)$/,
    );
  });

  it("says how many more days a small difference needs, which is fewer if there is more of it", () => {
    const days = (wins: number) => comparisonOf("win rate", rowsOf(3, { hours: 24, wins }))?.interval?.moreDays ?? 0;
    expect(days(1.03)).toBeGreaterThan(days(1.05));
    expect(days(1.05)).toBeGreaterThan(0);
    const comparison = comparisonOf("win rate", rowsOf(3, { hours: 24, wins: 1.05 }));
    expect(comparison && comparisonText(comparison)).toMatch(
      /no difference is shown yet; if it stays, about \d+ more days? would show it$/,
    );
  });

  it("shows no difference between equal fixed prices, although floats round them", () => {
    const fixed = rowsOf(1).map((row) => ({ ...row, spend_usd: decimal(BigInt(row.billed) * 1_234_567n) }));
    const comparison = comparisonOf("CPM", fixed);
    expect(comparison?.interval?.moreDays).toBe(Number.POSITIVE_INFINITY);
    expect(comparison && comparisonText(comparison)).toMatch(/^CPM: [+−]0\.0 % .*more than 60 days would show it$/);
  });

  it(`needs ${LEAST_HOURS} hours in which both versions bid`, () => {
    const rows = rowsOf(1, { hours: LEAST_HOURS });
    expect(comparisonOf("CPM", rows)?.interval).not.toBeNull();
    const short = rows.filter(({ version }, at) => version === "first" || at > 2);
    expect(comparisonOf("CPM", short)).toMatchObject({ interval: null });
    expect(comparisonsOf(short).map((one) => comparisonText(one))[0]).toMatch(
      /^win rate: too early to tell; an interval needs 12 hours/,
    );
  });

  it("uses billed impressions if the SSPs send no wins", () => {
    const rows = rowsOf(1).map((row) => ({ ...row, wins: 0 }));
    expect(comparisonOf("win rate", rows)).toEqual(comparisonOf("win rate", rowsOf(1)));
  });

  it("leaves out bids without a split, and there is none without both versions", () => {
    const rows = rowsOf(1);
    const others = rowsOf(2, { hours: 400 }).map((row) => ({ ...row, version: "" }));
    expect(comparisonsOf([...rows, ...others])).toEqual(comparisonsOf(rows));
    for (const none of [[], others, rows.filter(({ version }) => version === "first")])
      expect(comparisonsOf(none)).toEqual([]);
  });
});

function sum(numbers: number[]): number {
  return numbers.reduce((whole, part) => whole + part, 0);
}
