//! Turns the measurements of `peers` into checks, figures, tables and a sentence.

import type { Row as Read } from "../readers/rows.ts";
import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios, rounds, type Turns } from "../turns.ts";
import type { Answered } from "./plain.ts";

/** The turns of one way to decide. */
export interface Decisions extends Turns {
  way: string;
}

export interface Decided {
  way: string;
  /** Median of the turns. */
  median_us: number;
  /** Each turn gives the ratio to edgebid; this is the median of the ratios. */
  vs_edgebid: number;
  bids: number;
}

const OURS = "edgebid";

export function decided(all: Decisions[], answered: Answered): Decided[] {
  return all.map(({ way, wasm }, _, [ours]) => ({
    way,
    median_us: median(wasm),
    vs_edgebid: median(ratios(wasm, ours?.wasm ?? [])),
    bids: way === OURS ? answered.ours : answered.plain,
  }));
}

export function checks(rows: Decided[]): Record<string, number> {
  const plain = rows.find(({ way }) => way !== OURS);
  return { "peers.first_day_vs_this_1000": plain?.vs_edgebid ?? Number.NaN };
}

export function figures(all: Decisions[]): Figure[] {
  return all.map(({ way, wasm }, _, [ours]) => ({
    name: `${way}, decision`,
    unit: way === OURS ? "µs" : `/ ${OURS}`,
    better: way === OURS ? "less" : "more",
    rounds: rounds(way === OURS ? wasm : ratios(wasm, ours?.wasm ?? [])),
  }));
}

/** The time of each reader relative to edgebid with the same body, in Wasm and natively. */
export function readTable(rows: Read[]): Table {
  const ours = (body: string) => rows.find((row) => row.reader === OURS && row.body === body);
  const lines = rows.flatMap((row, at): (string | string[])[] => {
    const own = ours(row.body);
    if (!own) return [];
    const over = (value: number | null, base: number | null) =>
      value === null || base === null ? "–" : digits(value / base);
    const cells = [
      row.reader,
      `${digits(row.median_us)} µs`,
      over(row.median_us, own.median_us),
      row.native_median_us === null ? "–" : `${digits(row.native_median_us)} µs`,
      over(row.native_median_us, own.native_median_us),
    ];
    return row.body === rows[at - 1]?.body ? [cells] : [`${row.body}, ${row.bytes} bytes`, cells];
  });
  return {
    title: "reading one request",
    columns: ["reader", "workerd", "/ edgebid", "native", "/ edgebid"],
    rows: lines,
  };
}

export function decisionTable(rows: Decided[]): Table {
  return {
    title: "one whole decision with 1,000 campaigns, in workerd",
    columns: ["way", "median", "/ edgebid", "requests with a bid"],
    rows: rows.map(({ way, median_us, vs_edgebid, bids }) => [
      way,
      `${digits(median_us)} µs`,
      digits(vs_edgebid),
      bids.toLocaleString("en"),
    ]),
  };
}

/** One sentence with the figures of this run. */
export function analysis(read: Read[], rows: Decided[], requests: number, answered: Answered): string {
  const typical = read.filter(({ body }) => body === "3.8k");
  const ours = typical.find(({ reader }) => reader === OURS);
  const others = typical.filter(({ reader }) => !reader.startsWith(OURS));
  const natively = others
    .filter(({ native_median_us }) => native_median_us !== null)
    .toSorted((a, b) => (a.native_median_us ?? 0) - (b.native_median_us ?? 0))[0];
  const plain = rows.find(({ way }) => way !== OURS);
  if (!ours || !natively || !plain) throw new Error("something was not measured");
  const over = (natively.native_median_us ?? Number.NaN) / (ours.native_median_us ?? Number.NaN);
  return (
    `of the JSON libraries, ${natively.reader} is the fastest one natively for 3.8 KB and takes ${digits(over)} times as long as ` +
    `edgebid, which reads what a catalog asks for. For a decision the first-day bidder takes ${digits(plain.vs_edgebid)} times as ` +
    `long as edgebid. Of ${requests} requests it bids on ${answered.onlyPlain} on which edgebid must not or cannot bid, misses ` +
    `${answered.onlyOurs}, and throws on ${answered.fails}.`
  );
}
