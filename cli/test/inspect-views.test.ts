//! The parts of the inspector's views that need no page: rates, amounts, lengths of bars, budgets, words of a shell.

import fc from "fast-check";
import { expect, test } from "vitest";
import { quoted } from "../../shared/compare/text.ts";
import type { Budget } from "../../shared/pacing/budgets.ts";
import { decimal, rounded } from "../../shared/report/decimal.ts";
import { amountOf, rateText } from "../../shared/report/totals.ts";
import { amountText } from "../../worker/inspect/parts/money.ts";
import { grouped } from "../../worker/inspect/parts/text.ts";
import { byTrouble } from "../../worker/inspect/views/money/budgets.ts";
import { type Row, totalsOf } from "../../worker/inspect/views/money/report.ts";

test("a rate keeps all its decimals", () => {
  expect(rateText("")).toBe("");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30_000 }), (parts) => {
      const rate = rounded(BigInt(parts), 10_000n, 4);
      expect(rateText(rate)).toBe(`${(parts / 100).toFixed(2)} %`);
    }),
  );
});

test("the length of an amount is exact, and 0 without one", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), (nanos) => {
      expect(amountOf(decimal(nanos))).toBe(nanos);
    }),
  );
  expect([amountOf(undefined), amountOf("–")]).toEqual([0n, 0n]);
});

test.each([
  ["2.160000001", "USD", "2.16"],
  ["1234567.895", "EUR", "1,234,567.90"],
  ["671.4", "JPY", "671"],
  ["0.0049", "USD", "< 0.01"],
  ["0.4", "JPY", "< 1"],
  ["1.2345", "KWD", "1.235"],
  ["0", "USD", "0.00"],
  ["", "USD", "–"],
  ["5", "not a currency", "5.00"],
])("%s %s is shown as %s", (text, cur, shown) => {
  expect(amountText(text, cur)).toBe(shown);
});

const budget = (cid: string, state: string, spent = "0", forecast = "100"): Budget => ({
  ...{ cid, state, why: state, spent, forecast, cur: "USD", day: "2026-11-20", pacing: "even", daily: "100" },
  ...{ exposed: "0", left: "0", share: "1", requests: 1 },
});

test("budgets in trouble come first: overspent, spent, short of their plan; paused ones are last", () => {
  const all = [
    budget("paused", "paused"),
    budget("fine", "on-plan"),
    budget("slow", "on-plan", "0", "40"),
    budget("learning", "learning"),
    budget("short", "few-requests"),
    budget("spent", "daily-spent", "100"),
    budget("over", "on-plan", "100.01"),
  ];
  const names = byTrouble(all).map(({ cid }) => cid);
  expect(names).toEqual(["over", "spent", "short", "learning", "slow", "fine", "paused"]);
});

test("totals are exact: a row for each currency, and one in US dollars if there are others", () => {
  const row = (cur: string, spend: string, spend_usd: string): Row => ({
    ...{ cur, spend, spend_usd, bids: 4, wins: 0, billed: 2, assumed: 0, win_rate: "", price: "" },
    ...{ losses: { 102: 2 }, refused: {}, differs: {} },
  });
  const rows = [row("USD", "0.000000001", "0.000000001"), row("USD", "2.1", "2.1"), row("JPY", "671", "4.3")];
  const shown = totalsOf(rows).map(({ campaign, cur, spend, billed, price }) => [campaign, cur, spend, billed, price]);
  expect(shown).toEqual([
    ["Total", "USD", "2.100000001", 4, "525.0000"],
    ["Total", "JPY", "671", 2, "335500.0000"],
    ["Total in USD", "USD", "6.400000001", 6, "1066.6667"],
  ]);
  expect(totalsOf(rows.slice(0, 1))).toHaveLength(1);
});

test("numbers have a comma before every third digit", () => {
  fc.assert(
    fc.property(fc.nat(), (number) => {
      expect(grouped(number)).toBe(number.toLocaleString("en-US"));
    }),
  );
});

test("a shell reads a quoted id as one word, the same", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const word = quoted(text);
      if (/^[\w.:@%+,/-]+$/.test(word)) expect(word).toBe(text);
      // In single quotes a shell changes nothing; a quote itself stands outside of them, behind a backslash.
      else expect(word.replace(/^'|'$/g, "").split("'\\''").join("'")).toBe(text);
      expect(word.replaceAll("'\\''", "").replace(/^'|'$/g, "")).not.toContain("'");
    }),
  );
});
