//! Counts, names and refused notices of one object of the ledger.

import { evictDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { Count } from "../../src/ledger/rows.ts";
import { at } from "../support/clock.ts";
import { bidId, billOf, DAY, hash, namesOf, newLedger } from "../support/ledger.ts";
import { tablesOf } from "../support/objects.ts";

const { quarter, campaign, creative, ssp } = billOf(0);
const SUBJECT = { quarter, campaign, creative, ssp };

beforeEach(() => {
  at("2094-03-14T11:00:00");
});

it("a report has counts at once, also those not written yet, with names and the campaign's currency", async () => {
  const stub = newLedger();
  const counts: Count[] = [
    { ...SUBJECT, kind: "bid", detail: "", count: 100 },
    { ...SUBJECT, kind: "loss", detail: "102", count: 60 },
  ];
  await stub.count(counts, [namesOf(campaign)]);
  await stub.count(counts, [namesOf(campaign)]);
  await stub.book(billOf(1));
  const row = { day: "2094-03-14", campaign: `c-${campaign}`, ssp: "demo", creative: "banner", cur: "EUR" };
  const none = { nanos: 0n, usdNanos: 0n };
  expect(await stub.report(DAY)).toEqual([
    { ...row, kind: "bid", detail: "", count: 200, ...none },
    { ...row, kind: "bill", detail: "", count: 1, nanos: 1_111_111n, usdNanos: 1_234_567n },
    { ...row, kind: "loss", detail: "102", count: 120, ...none },
  ]);
  const [bids] = await stub.report({ ...DAY, by: ["ssp"] });
  expect(bids).toEqual({ ...row, day: "", campaign: "", creative: "", kind: "bid", detail: "", count: 200, ...none });
  await evictDurableObject(stub);
  expect(await stub.report(DAY)).toHaveLength(3);
});

it("every object knows a name that one object was told, and its last time zone", async () => {
  const [told, other] = [newLedger(), newLedger()];
  const late = { quarter: quarter + 54 };
  await told.count([], [namesOf(campaign)]);
  await other.book(billOf(1, late));
  expect(await other.report(DAY)).toMatchObject([{ day: "2094-03-14", campaign: `c-${campaign}` }]);
  await told.count([], [namesOf(campaign, "Asia/Kathmandu")]);
  expect(await other.report(DAY)).toEqual([]);
  expect(await other.report({ ...DAY, to: "2094-03-15" })).toMatchObject([{ day: "2094-03-15", count: 1 }]);
});

it("an unknown name is the hash, and no name stays empty", async () => {
  const stub = newLedger();
  await stub.book(billOf(1, { campaign: hash(77) }));
  await stub.refuse(bidId(2), "price", { quarter, campaign: "", creative: "", ssp: "" });
  expect((await stub.report(DAY)).map(({ campaign, kind, cur }) => [campaign, kind, cur])).toEqual([
    ["", "refused", ""],
    [`#${hash(77)}`, "bill", "EUR"],
  ]);
});

it("the first reason of a refused notice stays, and each notice is counted", async () => {
  const stub = newLedger();
  for (const why of ["price", "currency", "price"]) await stub.refuse(bidId(1), why, SUBJECT);
  expect(await stub.why(bidId(1))).toEqual({ booked: null, refused: "price" });
  await stub.book(billOf(1, { notice: "imp" }));
  expect(await stub.why(bidId(1))).toEqual({ booked: { notice: "imp", quarter }, refused: "price" });
  expect(await stub.why(bidId(2))).toEqual({ booked: null, refused: null });
  const refused = (await stub.report(DAY)).filter(({ kind }) => kind === "refused");
  expect(refused.map(({ detail, count }) => [detail, count])).toEqual([
    ["currency", 1],
    ["price", 2],
  ]);
});

it("questions to an object without any bid leave no table", async () => {
  const stub = newLedger();
  expect(await stub.report(DAY)).toEqual([]);
  expect(await stub.why(bidId(1))).toEqual({ booked: null, refused: null });
  expect(await tablesOf(stub)).toEqual([]);
  await stub.book(billOf(1));
  expect(await tablesOf(stub)).not.toEqual([]);
});
