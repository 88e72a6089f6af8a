//! What the newest results say of the work of a request, for `edgebid costs`, which has only this small file of them.

import type { Counts } from "../../cli/deploy/usage.ts";
import { NO_BIDS_A_BID } from "../http/requests.ts";
import type { Report } from "../suite.ts";

/** Throws if `http` or `pacing` has no result. */
export function countsOf(reports: Report[]): Counts {
  const figure = (suite: string, of: (check: (name: string) => number) => number) => {
    const report = reports.find((report) => report.suite === suite);
    if (report === undefined) throw new Error(`${suite} needs a result`);
    const value = of((name) => report.checks[name] ?? Number.NaN);
    return { value: Number(value.toPrecision(3)), suite, date: report.date.slice(0, 10) };
  };
  const hasNotices = reports.some(({ suite }) => suite === "notices");
  return {
    no_bid_us: figure("http", (check) => check("http.cpu_us_no_bids")),
    bid_us: figure("http", (check) => check("http.cpu_us_bids")),
    // Of the production mix, each bid has an event.
    event_us: figure(
      "http",
      (check) => Math.max(0, check("http.cpu_us_events") - check("http.cpu_us")) * (NO_BIDS_A_BID + 1),
    ),
    state_kb: figure("pacing", (check) => check("pacing.saved_bytes") / 1000),
    ...(hasNotices && { rows_per_bill: figure("notices", (check) => check("notices.rows_per_bill")) }),
  };
}
