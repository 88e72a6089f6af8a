//! The chart of `decide`: the time of each way, in workerd and natively.

import { bars } from "../bars.ts";
import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import { BASE, named, type Row } from "./rows.ts";

export function chart(rows: Row[], { date, machine, versions }: Result): string {
  const time = (us: number) => `${digits(us)} µs`;
  return bars({
    title: "Time of one whole decision with 1,000 campaigns, and of its parts",
    note: "mean over the mix of requests, medians of the turns; shorter is faster",
    foot: `${date.slice(0, 10)}, ${machine.cpu}, workerd ${versions["workerd"]}`,
    lines: rows.map(({ way, catalog }, at) => {
      const label = named(way, catalog);
      const kind = at === 0 ? "ours" : way === BASE ? "base" : way.startsWith("twin") ? "other" : "part";
      return { label, kind };
    }),
    panels: [
      { title: "in workerd", values: rows.map(({ median_us }) => median_us), text: time },
      { title: "natively", values: rows.map(({ native_median_us }) => native_median_us), text: time },
    ],
  });
}
