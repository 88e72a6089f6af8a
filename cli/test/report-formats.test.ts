//! The rows of reports: they add up to the ledger's totals, and JSON, CSV and protobuf contain the same rows.

import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pieces } from "../../shared/formats/format.ts";
import { DIMENSIONS, type Dimension, type Query, type Total, VERSIONS } from "../../shared/ledger/rows.ts";
import { decimal, nanosOf, rounded } from "../../shared/report/decimal.ts";
import { FORMATS } from "../../shared/report/formats.ts";
import { attributesOf, type Row, rowsOf } from "../../shared/report/rows.ts";
import { groupsOf } from "../../worker/test/support/groups.ts";
import { fromCsv, fromProtobuf, root } from "./report-readers.ts";

const HOSTILE = [
  ...'=HYPERLINK("http://x","y")|plain|+1|-1|@a|\'|\'\'=1|a,b|say "hi"|line\r\nfeed\n|\t|é😀\u2028＝1'.split("|"),
  ...["__proto__", "#0123456789abcdef", ""],
];

/** The query with these attributes, over one day. */
function query(by: readonly Dimension[]): Query {
  return { from: "2026-11-18", to: "2026-11-19", by };
}

const MISSING = ["2026-11-18/07", "2026-11-19/00"];

/** The body of a report in each format. */
function bodies(totals: Total[], by: readonly Dimension[]): Record<string, Buffer> {
  const body = (formatOf: (typeof FORMATS)[string]) =>
    Buffer.concat(
      [...pieces(rowsOf(groupsOf(totals), by), formatOf(query(by), MISSING))].map((piece) => Buffer.from(piece)),
    );
  return Object.fromEntries(Object.entries(FORMATS).map(([type, formatOf]) => [type, body(formatOf)]));
}

const amountOf = (kind: Total["kind"]) => (kind === "bill" ? fc.bigInt({ min: 0n, max: 10n ** 22n }) : fc.constant(0n));

const kinds = fc.constantFrom<Total["kind"]>("bid", "win", "loss", "refused", "differs", "bill");

/** A ledger's totals for a query with some of the attributes. */
const reports = fc.subarray([...DIMENSIONS]).chain((by) => {
  const name = fc.constantFrom(...HOSTILE);
  const day = fc.constantFrom("2026-11-18", "2026-11-19");
  const named = (dimension: Dimension, values: fc.Arbitrary<string>) =>
    by.includes(dimension) ? values : fc.constant("");
  const details: Record<Total["kind"], string[]> = {
    ...{ bid: [""], win: [""], bill: ["", "assumed"], differs: ["over-bid", "raised"] },
    ...{ loss: ["", "0", "102", "500"], refused: ["forged", "missing", "constructor"] },
  };
  const total = kinds.chain((kind) =>
    fc.record({
      ...{ day: named("day", day), campaign: named("campaign", name), ssp: named("ssp", name) },
      ...{ hour: named("hour", fc.constantFrom("2026-11-18T23:00Z", "")) },
      ...{ version: named("version", fc.constantFrom(...VERSIONS)) },
      ...{ creative: named("creative", name), cur: fc.constantFrom("USD", "EUR", ""), kind: fc.constant(kind) },
      ...{ detail: fc.constantFrom(...details[kind]), count: fc.integer({ min: 1, max: 2 ** 40 }) },
      ...{ nanos: amountOf(kind), usdNanos: amountOf(kind) },
    }),
  );
  return fc.record({ by: fc.constant(by), totals: fc.array(total, { maxLength: 40 }) });
});

describe("a report", () => {
  it("has the same rows in JSON, CSV and protobuf", () => {
    fc.assert(
      fc.property(reports, ({ totals, by }) => {
        const { "application/json": json, "text/csv": csv, "application/x-protobuf": protobuf } = bodies(totals, by);
        const rows = [...rowsOf(groupsOf(totals), by)];
        const { from, to } = query(by);
        expect(JSON.parse(String(json))).toEqual({ from, to, by, missing: MISSING, rows });
        expect(fromCsv(csv ?? Buffer.of(), by)).toEqual(rows);
        const told = { from, to, by: by.join(","), missing: MISSING.join(","), rows };
        expect(fromProtobuf(protobuf ?? Buffer.of(), by)).toEqual(told);
      }),
    );
  });

  it("adds up to the ledger's totals, to the billionth, and has one row per group and currency", () => {
    fc.assert(
      fc.property(reports, ({ totals, by }) => {
        const rows = [...rowsOf(groupsOf(totals), by)];
        const keyOf = (one: Row | Total) => JSON.stringify([...by.map((name) => one[name]), one.cur]);
        expect(new Set(rows.map(keyOf)).size).toBe(rows.length);
        expect(new Set(rows.map(keyOf))).toEqual(new Set(totals.map(keyOf)));
        for (const row of rows) {
          const own = totals.filter((total) => keyOf(total) === keyOf(row));
          const counts = (kind: Total["kind"], detail?: string) =>
            own
              .filter((total) => total.kind === kind && detail !== "" && (total.detail === detail || !detail))
              .reduce((sum, { count }) => sum + count, 0);
          expect(row).toMatchObject({ bids: counts("bid"), wins: counts("win"), billed: counts("bill") });
          expect(row.assumed).toBe(counts("bill", "assumed"));
          expect(sum(Object.values(row.losses))).toBe(counts("loss"));
          expect(row.losses["102"] ?? 0).toBe(counts("loss", "102"));
          expect(sum(Object.values(row.refused))).toBe(counts("refused"));
          expect(nanosOf(row.spend)).toBe(own.reduce((sum, { nanos }) => sum + nanos, 0n));
          expect(nanosOf(row.spend_usd)).toBe(own.reduce((sum, { usdNanos }) => sum + usdNanos, 0n));
        }
      }),
    );
  });

  it("lets no name be a formula in a spreadsheet", () => {
    const totals = HOSTILE.map((campaign) => total({ campaign, kind: "bid", count: 1 }));
    const rows: string[][] = parse(bodies(totals, ["campaign"])["text/csv"] ?? "", { record_delimiter: "\r\n" });
    const cells = rows.slice(1).map(([name = ""]) => name);
    expect(cells).toHaveLength(HOSTILE.length);
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([]);
    expect(cells).toEqual(expect.arrayContaining(['\'=HYPERLINK("http://x","y")', "'-1", "plain"]));
  });

  it("is sound without rows", () => {
    const empty = bodies([], ["day", "ssp"]);
    const none = { ...query(["day", "ssp"]), missing: MISSING, rows: [] };
    expect(JSON.parse(String(empty["application/json"]))).toEqual(none);
    expect(fromCsv(empty["text/csv"] ?? Buffer.of(), ["day", "ssp"])).toEqual([]);
    expect(fromProtobuf(empty["application/x-protobuf"] ?? Buffer.of(), ["day", "ssp"]).rows).toEqual([]);
  });

  it("has the attributes of report.proto", () => {
    const fields = root.lookupType("edgebid.Row").fieldsArray;
    expect(fields.map(({ name, id }) => ({ name, field: id }))).toEqual(
      attributesOf(DIMENSIONS)
        .map(({ name, field }) => ({ name, field }))
        .sort((one, other) => one.field - other.field),
    );
  });
});

describe("the rates", () => {
  const [bid, win] = (["bid", "win"] as const).map((kind) => (count: number) => ({ kind, count })) as [Of, Of];
  const bill = (count: number, nanos: bigint): Partial<Total> => ({ kind: "bill", count, nanos });
  const rates = (...totals: Partial<Total>[]) => {
    const [row] = rowsOf(groupsOf(totals.map(total)), []);
    return row && { win_rate: row.win_rate, price: row.price };
  };

  it.each([
    ["wins per bid", [bid(8), win(1), bill(1, 2_000_000n)], { win_rate: "0.1250", price: "2.0000" }],
    ["rounded half up", [bid(32), win(1), bill(8, 400_000n)], { win_rate: "0.0313", price: "0.0500" }],
    ["an average between two prices", [bid(9), win(3), bill(3, 10n ** 9n)], { win_rate: "0.3333", price: "333.3333" }],
    ["billed impressions, without notices of wins", [bid(4), bill(3, 0n)], { win_rate: "0.7500", price: "0.0000" }],
    ["no rate without bids", [win(3)], { win_rate: "", price: "" }],
    ["no wins and no bills", [bid(4)], { win_rate: "0.0000", price: "" }],
  ])("%s", (_, totals, expected) => {
    expect(rates(...totals)).toEqual(expected);
  });
});

it("rows are ordered by day and hour, then by spend, the largest first, then by name", () => {
  const bill = (day: string, campaign: string, usdNanos: bigint) =>
    total({ day, campaign, kind: "bill", count: 1, nanos: 1n, usdNanos });
  const totals = [bill("2", "a", 5n), bill("1", "c", 9n), bill("1", "b", 10n), bill("1", "a", 9n), bill("1", "é", 9n)];
  const rows = [...rowsOf(groupsOf(totals), ["day", "campaign"])].map(({ day, campaign }) => `${day}${campaign}`);
  expect(rows).toEqual(["1b", "1a", "1c", "1é", "2a"]);
  const hours = ["03", "01", "02"].map((hour, at) => ({ ...bill("1", "a", BigInt(at)), hour }));
  expect([...rowsOf(groupsOf(hours), ["day", "hour"])].map(({ hour }) => hour)).toEqual(["01", "02", "03"]);
});

describe("decimals", () => {
  it.each([
    [0n, "0"],
    [1n, "0.000000001"],
    [10n ** 9n, "1"],
    [1_250_000_000n, "1.25"],
    [100n * 10n ** 9n, "100"],
    [-1_500_000_000n, "-1.5"],
    [2n ** 70n, "1180591620717.411303424"],
  ])("%s billionths are %s", (nanos, text) => {
    expect(decimal(nanos)).toBe(text);
    expect(nanosOf(text)).toBe(nanos);
  });

  it.each(["", "-", "1.", ".5", "1e3", "+1", "1,2", " 1", "0x1", "1.0000000001"])("%j is none", (text) => {
    expect(nanosOf(text)).toBeNull();
  });

  it("are read back, and rounding is off by half a unit at most", () => {
    const integers = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(fc.property(integers, (nanos) => nanosOf(decimal(nanos)) === nanos));
    fc.assert(
      fc.property(integers, integers, fc.integer({ min: 1, max: 9 }), (above, below, decimals) => {
        fc.pre(below !== 0n);
        const text = rounded(above, below, decimals);
        expect(text).toMatch(new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
        const units = BigInt(text.replace(".", ""));
        const error = 2n * (units * below - above * 10n ** BigInt(decimals));
        expect(error <= abs(below) && error >= -abs(below)).toBe(true);
      }),
    );
    const rounds = (above: bigint, below: bigint) => rounded(above, below, 1);
    expect([rounds(1n, 2n), rounds(1n, 20n), rounds(-1n, 20n), rounds(-1n, 30n)]).toEqual([
      "0.5",
      "0.1",
      "-0.1",
      "0.0",
    ]);
  });
});

type Of = (count: number) => Partial<Total>;

function total(more: Partial<Total>): Total {
  return {
    ...{
      day: "",
      hour: "",
      campaign: "",
      ssp: "",
      creative: "",
      version: "",
      cur: "USD",
      kind: "bid",
      detail: "",
      count: 0,
    },
    ...{ nanos: 0n, usdNanos: 0n },
    ...more,
  } as Total;
}

function sum(numbers: number[]): number {
  return numbers.reduce((whole, part) => whole + part, 0);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
