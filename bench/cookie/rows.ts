//! Turns the measurements of `cookie` into checks, figures, a table and a sentence.

import { digits } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios } from "../turns.ts";

/** The result of one way with one number of ids. */
export interface Row {
  ids: number;
  way: string;
  /** How many of the ids are in the cookie. */
  kept: number;
  encodes: number;
  /** Median of the rounds, in microseconds. */
  us: number;
  allocated_bytes: number;
  rounds_us: number[];
}

const MOST = 500;

export function checks(rows: Row[]): Record<string, number> {
  return { [`cookie.encodes_${MOST}`]: pairOf(rows, MOST).ours.encodes };
}

/** The time of the binary search, relative to removing one id at a time. */
export function figures(rows: Row[]): Figure[] {
  return [...new Set(rows.map(({ ids }) => ids))].map((ids) => {
    const { ours, other } = pairOf(rows, ids);
    return {
      name: `${ours.way}, ${ids} ids`,
      unit: `/ ${other.way}`,
      better: "less",
      rounds: ratios(ours.rounds_us, other.rounds_us),
    };
  });
}

export function table(rows: Row[]): Table {
  return {
    title: "the partner ids that fit into 4,096 characters",
    columns: ["ids", "way", "kept", "encodes", "median", "allocated"],
    rows: rows.map(({ ids, way, kept, encodes, us, allocated_bytes }) => [
      String(ids),
      way,
      String(kept),
      String(encodes),
      `${digits(us)} µs`,
      `${digits(allocated_bytes / 1000)} kB`,
    ]),
  };
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[]): string {
  const { ours, other } = pairOf(rows, MOST);
  return (
    `of ${MOST} ids ${ours.kept} fit. Binary search finds them with ${ours.encodes} encodes, one at a time takes ${other.encodes}, ` +
    `${digits(other.us / ours.us)} times the time and ${digits(other.allocated_bytes / ours.allocated_bytes)} times the memory.`
  );
}

function pairOf(rows: Row[], count: number): { ours: Row; other: Row } {
  const [ours, other] = rows.filter(({ ids }) => ids === count);
  if (!ours || !other) throw new Error(`${count} ids were not measured`);
  return { ours, other };
}
