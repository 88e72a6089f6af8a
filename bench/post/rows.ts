//! Turns the measurements of `post` into checks, figures, a table and a sentence.

import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";

/** One turn: several posts of the same size, all streamed or all whole. Time and bytes are per post. */
export interface Turn {
  ms: number;
  /** Peak memory of workerd in bytes while V8 makes every collection a full one; null if /proc cannot tell. */
  peak: number | null;
  /** Peak memory of workerd with V8's defaults, which leave garbage for later; null if /proc cannot tell. */
  lazy_peak: number | null;
  /** Bytes of the bodies as received. */
  bytes: number;
  /** Whether every post had a Content-Length. */
  isSized: boolean;
}

export interface Row {
  way: "stream" | "whole";
  gzip: boolean;
  /** Records in one post. */
  count: number;
  turns: Turn[];
}

const FEW = 100;
const MANY = 100_000;

export function checks(rows: Row[]): Record<string, number> {
  return {
    "post.peak_memory_growth": growth(rows, "stream", true),
    "post.peak_memory_growth_whole": growth(rows, "whole", true),
    "post.gzip_vs_plain_bytes":
      bytesOf(rowOf(rows, "stream", true, MANY)) / bytesOf(rowOf(rows, "stream", false, MANY)),
    "post.stream_vs_whole_time": median(ratios(rows, true, MANY)),
  };
}

export function figures(rows: Row[]): Figure[] {
  return [false, true].flatMap((gzip) =>
    [...new Set(rows.map(({ count }) => count))].map((count) => ({
      name: `${count} records${gzip ? ", gzip" : ""}: streamed to whole`,
      unit: "time",
      better: "less" as const,
      rounds: ratios(rows, gzip, count),
    })),
  );
}

export function postTable(rows: Row[]): Table {
  const columns = ["records in a post", "time of one", "peak", "above 100", "peak, lazy", "body", "of plain", "sent"];
  const kinds = [...new Set(rows.map(kindOf))];
  return {
    title: "posts",
    columns,
    rows: kinds.flatMap((kind) => [
      kind,
      ...rows
        .filter((row) => kindOf(row) === kind)
        .map((row) => [
          row.count.toLocaleString("en"),
          `${digits(median(row.turns.map(({ ms }) => ms)))} ms`,
          megabytes(median(row.turns.map(({ peak }) => peak ?? Number.NaN))),
          megabytes(median(growths(rows, row.way, row.gzip, row.count))),
          megabytes(median(row.turns.map(({ lazy_peak }) => lazy_peak ?? Number.NaN))),
          `${digits(bytesOf(row) / 1000)} KB`,
          digits(bytesOf(row) / bytesOf(rowOf(rows, row.way, false, row.count))),
          row.turns.every(({ isSized }) => isSized) ? "sized" : "chunked",
        ]),
    ]),
  };
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[]): string {
  const { "post.gzip_vs_plain_bytes": share = Number.NaN } = checks(rows);
  return (
    `with gzip, a streamed post of 100,000 records takes ${megabytes(growth(rows, "stream", true))} more memory than one of 100; ` +
    `stringified and compressed whole it takes ${megabytes(growth(rows, "whole", true))} more. Streaming takes ` +
    `${digits(median(ratios(rows, true, MANY)))} of the time. Gzip leaves ${digits(100 * share)} % of the bytes.`
  );
}

function growth(rows: Row[], way: Row["way"], gzip: boolean): number {
  return median(growths(rows, way, gzip, MANY));
}

/** For each round, the peak with `count` records minus the peak with 100 records. */
function growths(rows: Row[], way: Row["way"], gzip: boolean, count: number): number[] {
  const few = rowOf(rows, way, gzip, FEW);
  return rowOf(rows, way, gzip, count).turns.map(
    ({ peak }, round) => (peak ?? Number.NaN) - (few.turns[round]?.peak ?? Number.NaN),
  );
}

/** For each round, the time of a streamed post divided by the time of a whole one. */
function ratios(rows: Row[], gzip: boolean, count: number): number[] {
  const whole = rowOf(rows, "whole", gzip, count);
  return rowOf(rows, "stream", gzip, count).turns.map(({ ms }, round) => ms / (whole.turns[round]?.ms ?? Number.NaN));
}

function rowOf(rows: Row[], way: Row["way"], gzip: boolean, count: number): Row {
  const row = rows.find((row) => row.way === way && row.gzip === gzip && row.count === count);
  if (!row) throw new Error(`posts of ${count} records were not measured`);
  return row;
}

function bytesOf({ turns }: Row): number {
  return median(turns.map(({ bytes }) => bytes));
}

function kindOf({ way, gzip }: Row): string {
  return `${way === "stream" ? "streamed" : "stringified whole"}${gzip ? ", gzip" : ""}`;
}

function megabytes(bytes: number): string {
  return Number.isNaN(bytes) ? "–" : `${digits(bytes / 2 ** 20)} MB`;
}
