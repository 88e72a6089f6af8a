//! The chart of `report`: requests per second, processor time, p99 and size of each writer.

import { bars } from "../bars.ts";
import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import type { Row } from "./rows.ts";
import { BASE } from "./writers.ts";

export function chart(rows: Row[], { date, machine, versions }: Result): string {
  const values = (of: (row: Row) => number) => rows.map((row) => (Number.isFinite(of(row)) ? of(row) : null));
  const ms = (value: number) => `${digits(value / 1000)} ms`;
  return bars({
    title: "Reports under load over HTTP",
    note: "the same rows in each format, in workerd on one core, without gzip; stringify is one JSON.stringify of all rows",
    foot: `${date.slice(0, 10)}, ${machine.cpu}, load ${machine.load} before, workerd ${versions["workerd"]}; medians of the turns`,
    lines: rows.map(({ writer }) => ({ label: writer, kind: writer === BASE ? "base" : "ours" })),
    panels: [
      { title: "requests a second", values: values(({ per_second }) => per_second), text: digits },
      { title: "processor time", values: values(({ cpu_us }) => cpu_us), text: ms },
      { title: "p99", values: values(({ p99_us }) => p99_us), text: ms },
      {
        title: "memory after load",
        values: values(({ after_bytes }) => after_bytes ?? Number.NaN),
        text: (value) => `${digits(value / 2 ** 20)} MB`,
      },
      {
        title: "size",
        values: values(({ answer_bytes }) => answer_bytes),
        text: (value) => `${digits(value / 1024)} KB`,
      },
    ],
  });
}
