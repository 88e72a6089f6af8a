//! `compare` finds real changes and hardly ever a false one, in generated results for which the right answer is known.

import { describe, expect, it } from "vitest";
import { Random } from "../../tools/traffic/random.ts";
import { joined } from "../ab.ts";
import { ALPHA, type Compared, differences } from "../compare.ts";
import { checkTable } from "../goals.ts";
import { holm, rankTest } from "../statistics.ts";
import type { Report } from "../suite.ts";

const FIGURES = 60;
const ROUNDS = 11;
const NOISE = 0.02;

const figure = (name: string, rounds: number[], better: "less" | "more" = "less", unit = "µs") => {
  return { name, unit, better, rounds };
};
const result = (...figures: ReturnType<typeof figure>[]) => [{ suite: "made", figures }];

/** A result with figures around `level`. The noise has a long tail upward, as times have. */
function made(random: Random, level: (figure: number) => number) {
  const uniform = () => (random.below(2 ** 31) + 1) / (2 ** 31 + 1);
  const noise = () => 1 + NOISE * (Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
  const value = (at: number) => level(at) * noise() * (uniform() < 0.03 ? 2 : 1);
  const rounds = (at: number) => Array.from({ length: ROUNDS }, () => value(at));
  return result(...Array.from({ length: FIGURES }, (_, at) => figure(`figure ${at}`, rounds(at))));
}

it("reports a change in hardly any pair of equal distributions", () => {
  const random = new Random(1);
  const pairs = 100;
  const equal = () => made(random, () => 10);
  const isChanged = ({ verdict }: Compared) => verdict !== "same";
  const wrong = Array.from({ length: pairs }, () => differences(equal(), equal()).some(isChanged)).filter(Boolean);
  // The test promises a rate of ALPHA at most. Three standard deviations allow for chance.
  const most = pairs * ALPHA + 3 * Math.sqrt(pairs * ALPHA * (1 - ALPHA));
  expect(wrong.length).toBeLessThanOrEqual(most);
});

it("finds nearly every shift by 10 %, and whether it is better or worse", () => {
  const random = new Random(2);
  const shifted = (at: number) => (at < 3 ? 11 : at < 6 ? 9 : 10);
  const steady = () => made(random, () => 10);
  const pairs = Array.from({ length: 20 }, () => differences(steady(), made(random, shifted)));
  const verdicts = (from: number, to: number) =>
    pairs.flatMap((figures) => figures.slice(from, to).map(({ verdict }) => verdict));
  const count = (all: string[], wanted: string) => all.filter((verdict) => verdict === wanted).length;
  const [worse, better] = [verdicts(0, 3), verdicts(3, 6)];
  expect(count(worse, "worse")).toBeGreaterThan(0.85 * worse.length);
  expect(count(better, "better")).toBeGreaterThan(0.85 * better.length);
  expect(count(worse, "better") + count(better, "worse")).toBe(0);
});

it("does not report a significant change that is small", () => {
  const random = new Random(1);
  const steady = (level: number) =>
    result(
      figure(
        "steady",
        Array.from({ length: ROUNDS }, () => level + random.below(100) / 10_000),
      ),
    );
  const [one] = differences(steady(10), steady(10.3));
  expect(one?.p).toBeLessThan(ALPHA);
  expect(one?.verdict).toBe("same");
  expect(differences(steady(10), steady(10.6))[0]?.verdict).toBe("worse");
});

it("higher is better for rates; skips figures that one result lacks or that are not above 0", () => {
  const low = [1, 2, 3, 4, 5, 6, 7, 8];
  const high = low.map((value) => value + 10);
  const more = (name: string, rounds: number[], unit?: string) => figure(name, rounds, "more", unit);
  const before = result(more("x", low), more("y", low), more("z", [0, 0]), more("u", low));
  const after = result(more("x", high), more("z", [0, 0]), more("u", low, "ms"));
  expect(differences(before, after)).toMatchObject([{ name: "x", verdict: "better" }]);
});

it("joins the rounds of all turns of a suite, and shows its checks side by side", () => {
  const turn = (suite: string, rounds: number[], check: number) =>
    ({
      suite,
      figures: [figure("x", rounds)],
      checks: { [`${suite}.own`]: check, "http.bad": 0 },
    }) as unknown as Report;
  const reports = joined([turn("a", [1, 2], 7), turn("b", [5], 2), turn("a", [3], 9), turn("a", [4], 30)]);
  expect(reports).toMatchObject([turn("a", [1, 2, 3, 4], 9), turn("b", [5], 2)]);
  const { rows } = checkTable([turn("a", [], 1)], [turn("a", [], 2)]);
  expect(rows).toEqual([
    ["a.own", "1.00", "2.00", ""],
    ["http.bad", "0", "0", "≤ 0"],
  ]);
});

describe("statistics", () => {
  it("computes the exact probability of ranks", () => {
    // Three values out of six can be chosen in 20 ways. The two most extreme ways count.
    expect(rankTest([1, 2, 3], [4, 5, 6])).toBeCloseTo(2 / 20, 12);
    // The table of Mann and Whitney (1947) has 0.029, one-sided, for n = m = 4 and U = 1.
    expect(rankTest([1, 2, 3, 5], [4, 6, 7, 8])).toBeCloseTo(2 * (2 / 70), 12);
    expect(rankTest([1, 1, 1], [1, 1, 1])).toBe(1);
    expect(rankTest([], [1])).toBe(1);
  });

  it("Holm stops at the first p above its own bound", () => {
    expect(holm([0.001, 0.04, 0.012, 0.5], 0.05)).toEqual([true, false, true, false]);
    expect(holm([0.02, 0.001, 0.03], 0.05)).toEqual([true, true, true]);
    expect(holm([0.03, 0.03], 0.05)).toEqual([false, false]);
    expect(holm([], 0.05)).toEqual([]);
  });
});
