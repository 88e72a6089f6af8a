//! The chart of `cold`: the steps of a cold start by number of campaigns.

import { bars } from "../bars.ts";
import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import type { Row } from "./rows.ts";

/** Label, colour and milliseconds of each bar. */
const STEPS = [
  ["whole, to a decision", "ours", (row: Row) => row.compile_ms + row.instantiate_ms + row.load_ms + row.first_ms],
  ["V8 compiles the module", "part", (row: Row) => row.compile_ms],
  ["first instance", "part", (row: Row) => row.instantiate_ms],
  ["load the snapshot", "part", (row: Row) => row.load_ms],
  ["first decision", "part", (row: Row) => row.first_ms],
  ["second decision", "other", (row: Row) => row.second_ms],
  ["catalog from KV", "other", (row: Row) => row.ready_ms],
] as const;

export function chart(rows: Row[], { date, machine, versions }: Result): string {
  return bars({
    title: "What the first request of a new isolate waits for",
    note: "medians over the rounds, each in new processes; every panel has its own scale",
    foot: `${date.slice(0, 10)}, ${machine.cpu}, workerd ${versions["workerd"]}`,
    lines: STEPS.map(([label, kind]) => ({ label, kind })),
    panels: rows.map((row) => ({
      title: `${row.campaigns.toLocaleString("en")} campaigns`,
      // A step is a difference of two times, so noise can make it negative.
      values: STEPS.map(([, , of]) => Math.max(0, of(row))),
      text: (value) => `${digits(value)} ms`,
    })),
  });
}
