//! What the newest results say of the work of a request, for `edgebid costs`, which has only this small file of them.

import type { Counts } from "../../cli/deploy/usage.ts";
import { NO_BIDS_A_BID } from "../http/requests.ts";
import type { Report } from "../suite.ts";

/** Throws if a suite has no result. */
export function countsOf(reports: Report[]): Counts {
  const [http, pacing, notices] = ["http", "pacing", "notices"].map((name) =>
    reports.find(({ suite }) => suite === name),
  );
  if (http === undefined || pacing === undefined) throw new Error("http and pacing need a result");
  const cpu = (target: string) => {
    const rows = http.rows as { target: string; mode: string; cpu_us: number }[];
    const row = rows.find((row) => row.target === target && row.mode === "closed");
    if (row === undefined) throw new Error(`the result of http has no ${target}`);
    return row.cpu_us;
  };
  // Of the production mix, each bid has an event.
  const event = Math.max(0, cpu("bidder, events") - cpu("bidder")) * (NO_BIDS_A_BID + 1);
  const states = (pacing.rows as { saved_bytes: number }[]).map(({ saved_bytes }) => saved_bytes);
  const figure = ({ suite, date }: Report, value: number) => ({
    ...{ value: Number(value.toPrecision(3)), suite, date: date.slice(0, 10) },
  });
  return {
    no_bid_us: figure(http, cpu("bidder, no-bids")),
    bid_us: figure(http, cpu("bidder, bids")),
    event_us: figure(http, event),
    state_kb: figure(pacing, Math.max(...states) / 1000),
    ...(notices && { rows_per_bill: figure(notices, notices.checks["notices.rows_per_bill"] ?? Number.NaN) }),
  };
}
