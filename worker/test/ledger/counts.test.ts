//! Counts, names and refused notices of one object of the ledger.

import { evictDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { Count, Query } from "../../../shared/ledger/rows.ts";
import { at } from "../support/clock.ts";
import { bidId, billOf, DAY, hash, namesOf, newLedger } from "../support/ledger.ts";
import { tablesOf } from "../support/objects.ts";

const { quarter, campaign, creative, ssp } = billOf(0);
let bills = 0;
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
  const row = {
    day: "2094-03-14",
    campaign: `c-${campaign}`,
    ssp: "demo",
    creative: "banner",
    cur: "EUR",
    hour: "",
    version: "",
  };
  const none = { nanos: 0n, usdNanos: 0n };
  expect(await stub.report(DAY)).toEqual([
    { ...row, kind: "bid", detail: "", count: 200, ...none },
    { ...row, kind: "bill", detail: "", count: 1, nanos: 1_111_111n, usdNanos: 1_234_567n },
    { ...row, kind: "loss", detail: "102", count: 120, ...none },
  ]);
  const [bids] = (await stub.report({ ...DAY, by: ["ssp"] })) ?? [];
  expect(bids).toEqual({ ...row, day: "", campaign: "", creative: "", kind: "bid", detail: "", count: 200, ...none });
  await evictDurableObject(stub);
  expect(await stub.report(DAY)).toHaveLength(3);
});

it("bids and bills of a split are counted by version, and all other questions do not see the split", async () => {
  const stub = newLedger();
  const counts = [0, 1, 2].flatMap((arm): Count[] => [
    { ...SUBJECT, arm, kind: "bid", detail: "", count: 10 ** arm },
    { ...SUBJECT, arm, kind: "loss", detail: "102", count: 2 },
  ]);
  await stub.count(counts, [namesOf(campaign)]);
  for (const arm of [0, 1, 2, 2]) await stub.book(billOf(arm + 10 * bills++, { arm, isAssumed: arm === 1 }));
  const by = async (by: Query["by"]) =>
    (await stub.report({ ...DAY, by }))?.map(({ version, kind, detail, count }) => [version, kind, detail, count]);
  const versions = [
    ["", "bid", "", 1],
    ["", "bill", "", 1],
    ["", "loss", "102", 2],
    ["first", "bid", "", 10],
    ["first", "bill", "assumed", 1],
    ["first", "loss", "102", 2],
    ["second", "bid", "", 100],
    ["second", "bill", "", 2],
    ["second", "loss", "102", 2],
  ];
  expect(await by(["version"])).toEqual(versions);
  await evictDurableObject(stub);
  expect(await by(["version"])).toEqual(versions);
  expect(await by([])).toEqual([
    ["", "bid", "", 111],
    ["", "bill", "", 3],
    ["", "bill", "assumed", 1],
    ["", "loss", "102", 6],
  ]);
});

it("a higher price of a billed bid stays with its version, also after a restart", async () => {
  const stub = newLedger();
  await stub.book(billOf(1, { arm: 2 }));
  await evictDurableObject(stub);
  await stub.book(billOf(1, { arm: 2, nanos: 9_999_999, ownNanos: 9_000_000 }));
  const rows = [{ version: "second", count: 1, nanos: 9_000_000n }];
  expect(await stub.report({ ...DAY, by: ["version"] })).toMatchObject(rows);
});

it("hours are those of UTC", async () => {
  const stub = newLedger();
  await stub.count([], [namesOf(campaign, "Asia/Kathmandu")]);
  for (const n of [0, 3, 4]) await stub.book(billOf(n, { quarter: quarter + n }));
  const rows = await stub.report({ ...DAY, by: ["day", "hour"] });
  expect(rows?.map(({ day, hour, count }) => [day, hour, count])).toEqual([
    ["2094-03-14", "2094-03-14T10:00Z", 2],
    ["2094-03-14", "2094-03-14T11:00Z", 1],
  ]);
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
  expect((await stub.report(DAY))?.map(({ campaign, kind, cur }) => [campaign, kind, cur])).toEqual([
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
  const refused = (await stub.report(DAY))?.filter(({ kind }) => kind === "refused");
  expect(refused?.map(({ detail, count }) => [detail, count])).toEqual([
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
