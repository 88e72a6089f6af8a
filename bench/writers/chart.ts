//! The chart of `writers`: time of a response, time of an export of records, and sizes.

import { bars } from "../bars.ts";
import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import { type Row, time } from "./rows.ts";
import { STRINGIFY, type Way } from "./ways.ts";

export function chart(rows: Row[], { date, machine, versions }: Result): string {
  const names = [...new Set(rows.map(({ writer }) => writer))];
  const values = (list: string, way: Way, of: (row: Row) => number) =>
    names.map((writer) => {
      const row = rows.find((row) => row.writer === writer && row.list === list && row.way === way);
      return row ? of(row) : null;
    });
  const us = (row: Row) => row.median_us;
  const size = (value: number) => `${digits(value / 1024)} KB`;
  return bars({
    title: "Writing bids: time and size",
    note: "inside workerd, copy out of Wasm memory included; shorter is faster or smaller",
    foot: `${date.slice(0, 10)}, ${machine.cpu}, workerd ${versions["workerd"]}; medians of the turns`,
    lines: names.map((label) => ({
      label,
      kind: label === names[0] ? "ours" : label.startsWith("edgebid") ? "part" : label === STRINGIFY ? "base" : "other",
    })),
    panels: [
      { title: "response, 10 bids", values: values("10", "response", us), text: time },
      { title: "5,000 records", values: values("5,000", "records", us), text: time },
      { title: "the same, gzip", values: values("5,000", "gzip", us), text: time },
      { title: "size, 5,000", values: values("5,000", "records", (row) => row.bytes), text: size },
      { title: "the same, gzip", values: values("5,000", "gzip", (row) => row.bytes), text: size },
    ],
  });
}
