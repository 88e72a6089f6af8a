//! The chart of `notices`: bills a second and rows per bill, and what notices add to a decision.

import { bars, type Kind } from "../bars.ts";
import { digits, median } from "../statistics.ts";
import type { Result } from "../suite.ts";
import { type Found, perSecond, rowsPerBill, writingTimes } from "./rows.ts";
import { BOOKINGS, type Booking } from "./ways.ts";

interface Line {
  label: string;
  kind: Kind;
  rate?: number;
  rows?: number;
  us?: number;
  instructions?: number;
}

export function chart(found: Found, { date, machine, versions }: Result): string {
  const { counts, turns, bids_a_request } = found;
  const booked = (label: Booking, kind: Kind): Line => ({
    label,
    kind,
    rate: median(perSecond(found, label)),
    ...(label !== BOOKINGS.nothing && { rows: rowsPerBill(found, label) }),
  });
  const lines: Line[] = [
    booked(BOOKINGS.group, "ours"),
    booked(BOOKINGS.single, "other"),
    booked(BOOKINGS.nothing, "base"),
    { label: "decision, notices", kind: "ours", us: median(turns.on), instructions: counts.mix.on },
    { label: "decision, no notices", kind: "base", us: median(turns.off), instructions: counts.mix.off },
    {
      label: "notices of one bid",
      kind: "part",
      us: median(writingTimes(found)),
      instructions: (counts.mix.on - counts.mix.off) / bids_a_request,
    },
    { label: "reading one notice", kind: "part", us: median(turns.notice), instructions: counts.notice },
  ];
  const values = (of: (line: Line) => number | undefined) => lines.map((line) => of(line) ?? null);
  return bars({
    title: "Billing notices: booking, writing and reading",
    note: "one object of the ledger with 50 callers; decisions on the mix with 1,000 campaigns",
    foot: `${date.slice(0, 10)}, ${machine.cpu}, workerd ${versions["workerd"]}; medians of the turns`,
    lines,
    panels: [
      {
        title: "bills a second",
        values: values(({ rate }) => rate),
        text: (value) => Math.round(value).toLocaleString("en"),
      },
      { title: "rows per bill", values: values(({ rows }) => rows), text: digits },
      { title: "time", values: values(({ us }) => us && Math.max(0, us)), text: (value) => `${digits(value)} µs` },
      {
        title: "instructions",
        values: values(({ instructions }) => instructions),
        text: (value) => Math.round(value).toLocaleString("en"),
      },
    ],
  });
}
