//! `--fail-if` of a replay: which changes between two catalogs are too large.

import { expect, test } from "vitest";
import { broken, limit } from "../replay/limit.ts";
import type { OfCatalog, Result } from "../replay/result.ts";

type Figures = Pick<OfCatalog, "bids" | "spend" | "no_bids">;

/** All no-bid reasons, also those that no request had. */
const REASONS = ["floor", "pacing", "currency", "country", "secure"];

const compared = (a: Figures, b: Figures) => ({ catalogs: [a, b], problems: [] as object[] }) as Result;
const result = compared(
  { bids: 200, spend: { USD: "1.5", EUR: "0.000000001" }, no_bids: { floor: 10, pacing: 0 } },
  { bids: 220, spend: { USD: "1.2", JPY: "7" }, no_bids: { floor: 9, currency: 3 } },
);

test.each<[string, string[]]>([
  ["bids > +10%", []],
  ["bids > 9.999999999 %", ["bids: 200 → 220, +10.0 %; expected at most +9.999999999 %"]],
  ["bids<-5%", []],
  ["bids < +11%", ["bids: 200 → 220, +10.0 %; expected at least +11 %"]],
  ["spend < -20%", ["spend in EUR: 0.000000001 → 0, -100.0 %; expected at least -20 %"]],
  [
    "spend < -19%",
    [
      "spend in USD: 1.5 → 1.2, -20.0 %; expected at least -19 %",
      "spend in EUR: 0.000000001 → 0, -100.0 %; expected at least -19 %",
    ],
  ],
  ["spend > 1000%", ["spend in JPY: 0 → 7; expected at most +1000 %"]],
  ["floor > 0%", []],
  ["floor < 0%", ["no bid: floor: 10 → 9, -10.0 %; expected at least +0 %"]],
  ["currency > 500%", ["no bid: currency: 0 → 3; expected at most +500 %"]],
  ["pacing > 0%", []],
  // A reason that no request had.
  ["secure > 0%", []],
])("%s", (text, expected) => {
  expect(broken(result, limit(text), REASONS)).toEqual(expected);
});

test("fails if nothing bids, because the limits then hold whatever the catalogs are", () => {
  const silent = { bids: 0, spend: {}, no_bids: { country: 5 } };
  const line = expect.stringContaining("neither catalog bids on any of these requests");
  for (const text of ["spend > 10%", "bids < -5%", "country > 10%"])
    expect(broken(compared(silent, silent), limit(text), REASONS)).toEqual([line]);
  expect(broken(compared(silent, { ...silent, bids: 1 }), limit("bids > 10%"), REASONS)).toEqual([
    "bids: 0 → 1; expected at most +10 %",
  ]);
});

test("fails if a recording is cut off, because the rest may break the limits", () => {
  const problems = [{ file: "kept.ndjson.gz", line: 7, why: "unexpected end of file" }];
  const line = "kept.ndjson.gz: cut off after line 7 (unexpected end of file), so the limits say nothing";
  expect(broken({ ...result, problems }, limit("bids > 10%"), REASONS)).toEqual([line]);
});

test("several limits are all checked, and a figure must exist", () => {
  expect(broken(result, limit("floor < 0%", limit("bids > 1%")), REASONS)).toHaveLength(2);
  expect(() => broken(result, limit("flor > 1%"), REASONS)).toThrow(
    "no figure is named flor; these requests have bids, spend,",
  );
  expect(() => broken({ ...result, catalogs: result.catalogs.slice(1) }, limit("bids > 1%"), REASONS)).toThrow("twice");
  expect(broken({ ...result, catalogs: [] }, [], REASONS)).toEqual([]);
});

test.each(["spend", "spend > 10", "spend = 10%", "spend > 1.2.3%", "> 10%", "spend > +-%"])(
  "%s is no limit",
  (text) => {
    expect(() => limit(text)).toThrow("expected a change");
  },
);
