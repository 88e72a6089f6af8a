//! The inspector's funnel and comparison, made of reports.

import { expect, it } from "vitest";
import type { Report } from "../../worker/inspect/views/request/report.ts";
import { withAbsent } from "../../worker/inspect/views/request/report.ts";
import { differences } from "../../worker/inspect/views/request/why/compare.ts";
import { countsOf } from "../../worker/inspect/views/request/why/funnel.ts";

const REPORT: Report = {
  id: "r",
  catalog: "0123456789abcdef",
  privacy: "personal",
  cur: "USD",
  outcome: "bid",
  checks: ["crawler", "ssp", "country", "deal", "size", "floor"],
  campaigns: 6,
  imps: [
    {
      id: "1",
      bids: [{ cid: "a", crid: "a1", most: "2", floor: "1", price: "2" }],
      rejected: [
        { cid: "a", dealid: "d", reason: "floor" },
        { cid: "b", dealid: "d", reason: "size" },
        { cid: "b", dealid: "e", reason: "floor" },
        { cid: "c", reason: "outbid" },
        { cid: "d", reason: "size" },
      ],
    },
    { id: "2" },
  ],
  rejected: [
    { cid: "e", reason: "country", wanted: "DEU", found: "FRA" },
    { cid: "f", reason: "ssp" },
  ],
};

it("each campaign leaves the funnel once, at the last check that it reaches", () => {
  expect(countsOf(REPORT, REPORT.imps?.[0])).toEqual({
    campaigns: 6,
    drops: [
      { reason: "ssp", before: 6, out: 1 },
      { reason: "country", before: 5, out: 1 },
      { reason: "size", before: 4, out: 1 },
      { reason: "floor", before: 3, out: 1 },
      { reason: "outbid", before: 2, out: 1 },
    ],
    passed: 2,
    bidding: 1,
  });
});

it("a refused request loses all campaigns at its own check", () => {
  const refused: Report = {
    ...REPORT,
    outcome: "crawler",
    wanted: "a person",
    found: "bot/1",
    imps: [{ id: "1" }],
    rejected: [],
  };
  expect(countsOf(refused, refused.imps?.[0])).toMatchObject({
    drops: [{ reason: "crawler", before: 6, out: 6 }],
    bidding: 0,
  });
});

it("an impression that is left out loses all campaigns that are left at its own check", () => {
  const { drops } = countsOf(REPORT, { id: "3", reason: "size", wanted: "1x1", found: "2x2" });
  expect(drops).toEqual([
    { reason: "ssp", before: 6, out: 1 },
    { reason: "country", before: 5, out: 1 },
    { reason: "size", before: 4, out: 4 },
  ]);
});

it("without the list of checks, the funnel has the reasons of the rows", () => {
  const { checks, campaigns, ...old } = REPORT;
  const { drops } = countsOf(old, old.imps?.[0]);
  expect([checks?.length, campaigns, drops.reduce((sum, { out }) => sum + out, 0)]).toEqual([6, 6, 5]);
});

it("a comparison names what differs, and counts what does not", () => {
  expect(differences(REPORT, REPORT)).toMatchObject({ rows: [] });
  const other: Report = { ...REPORT, rejected: [{ cid: "e", reason: "country", wanted: "DEU", found: "FRA" }] };
  const { rows, same } = differences(REPORT, { ...other, outcome: "floor" });
  expect(rows).toEqual([
    { subject: "outcome", one: "bid", other: "floor" },
    { subject: "f on impression 1", one: "ssp", other: null },
    { subject: "f on impression 2", one: "ssp", other: null },
  ]);
  expect(same).toBeGreaterThan(3);
});

it("what a check looked at is told as absent only if the request does not have it", () => {
  const row = { cid: "a", reason: "country", wanted: "DEU", found: "unknown", at: ["device.geo.country"] };
  const report: Report = { ...REPORT, rejected: [row], imps: [{ id: "1", rejected: [{ ...row, found: "FRA" }] }] };
  const found = (text: string) => withAbsent(report, text).rejected?.[0]?.found;
  expect(found("{}")).toBe("not in the request");
  expect(found('{"device": {"geo": {"country": "XX"}}}')).toBe("unknown");
  expect(withAbsent(report, "{}").imps?.[0]?.rejected?.[0]?.found).toBe("FRA");
  const refused: Report = { ...REPORT, outcome: "no-campaign", found: "none", at: [] };
  expect(withAbsent(refused, "{}").found).toBe("none");
});
