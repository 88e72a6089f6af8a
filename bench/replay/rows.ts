//! Turns the measurements of `replay` into checks, figures, a table and a sentence.

import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";

/** One way to run through the mix. */
export interface Row {
  name: string;
  /** Decisions per second of each round. */
  rates: number[];
  /** Decisions per second of processor time of all threads. It depends less on other programs. */
  cpu_rates: number[];
}

/** Peak memory of the command in bytes; null if /proc cannot tell. */
export interface Peaks {
  /** Requests of the short run. */
  requests: number;
  few: number | null;
  /** How many times as many requests the long run has. */
  times: number;
  many: number | null;
}

export function checks(rows: Row[], peaks: Peaks): Record<string, number> {
  return {
    "replay.decisions_per_second": rate(rows, "one catalog"),
    "replay.decisions_per_second_gzip": rate(rows, "one catalog, gzip"),
    "replay.decisions_per_second_two": rate(rows, "two catalogs"),
    "replay.decisions_per_cpu_second": median(rows.find(({ name }) => name === "one catalog")?.cpu_rates ?? []),
    "replay.decisions_per_cpu_second_two": median(rows.find(({ name }) => name === "two catalogs")?.cpu_rates ?? []),
    "replay.vs_decide": median(ratios(rows, "one catalog")),
    "replay.memory_growth": growth(peaks),
  };
}

export function figures(rows: Row[]): Figure[] {
  return rows.slice(1).map(({ name }) => ({
    name: `${name}: decisions alone / replay`,
    unit: "time",
    better: "more" as const,
    rounds: ratios(rows, name),
  }));
}

export function replayTable(rows: Row[]): Table {
  return {
    title: "the mix with 1,000 campaigns",
    columns: ["way", "decisions/s", "lowest", "per CPU s", "/ alone"],
    rows: rows.map(({ name, rates, cpu_rates }) => [
      name,
      whole(median(rates)),
      whole(Math.min(...rates)),
      whole(median(cpu_rates)),
      digits(median(ratios(rows, name))),
    ]),
  };
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[], peaks: Peaks): string {
  const { requests, few, times, many } = peaks;
  const megabytes = (bytes: number | null) => (bytes === null ? "–" : `${digits(bytes / 2 ** 20)} MB`);
  return (
    `a replay makes ${whole(rate(rows, "one catalog"))} decisions/s with one catalog and ` +
    `${whole(rate(rows, "two catalogs"))} with two; the command takes ${megabytes(few)} for ` +
    `${whole(requests)} requests and ${megabytes(many)} for ${whole(times * requests)}.`
  );
}

function rate(rows: Row[], name: string): number {
  return median(rows.find((row) => row.name === name)?.rates ?? []);
}

/** For each round, the rate of a way divided by that of decisions alone. */
function ratios(rows: Row[], name: string): number[] {
  const [alone] = rows;
  const own = rows.find((row) => row.name === name);
  return (own?.rates ?? []).map((rate, round) => rate / (alone?.rates[round] ?? Number.NaN));
}

function growth({ few, many }: Peaks): number {
  return few === null || many === null ? Number.NaN : many - few;
}

function whole(number: number): string {
  return Math.round(number).toLocaleString("en");
}
