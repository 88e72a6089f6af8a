//! Reports and budgets with many rows, as `GET /report` and `GET /budget` write them.

import { page } from "./inspector.ts";

/** Days with two currencies and, by version, the hours of a split that the second version wins more often. */
function manyDays(by: string) {
  const row = (day: number, campaign: string, cur: string, usd: string) => ({
    ...{ day: `2026-11-${`${day}`.padStart(2, "0")}`, campaign, cur },
    ...{ ssp: "demo", bids: 12_000, wins: 1210, billed: 1200 },
    ...{ losses: { 102: 9000, 100: 4 }, assumed: 0, spend: "2.160000001", spend_usd: usd, win_rate: "0.1008" },
    ...{ price: `1.${day + 10}00`, refused: { "price-missing": 3 } },
  });
  if (by.includes("version")) {
    const hours = by.includes("hour") ? Array.from({ length: 24 }, (_, n) => n) : [0];
    const split = hours.flatMap((n) =>
      ["first", "second"].map((version, at) => ({
        ...{ ...row(20, "", "USD", "2.16"), version, wins: 1210 + (300 + n) * at },
        hour: `2026-11-20T${`${n}`.padStart(2, "0")}:00Z`,
      })),
    );
    return { from: "2026-11-01", to: "2026-11-20", by: by.split(","), rows: split };
  }
  const days = by.includes("day") ? Array.from({ length: 20 }, (_, n) => n + 1) : [20];
  const rows = days.flatMap((day) => [
    row(day, "acme-spring", "USD", `${day}.5`),
    row(day, "velo-europe", "EUR", "9.25"),
  ]);
  return { from: "2026-11-01", to: "2026-11-20", by: by.split(","), rows };
}

const BUDGETS = {
  campaigns: [
    {
      ...{
        cid: "shoes-autumn",
        cur: "EUR",
        day: "2026-11-21",
        pacing: "even",
        daily: "200",
        total: "5000",
        planned: "100",
      },
      ...{ spent: "96.4", spent_total: "1296.4", exposed: "1.25", left: "102.35", share: "0.03", requests: 1840 },
      ...{ forecast: "199.2", why: "on plan" },
    },
    {
      ...{ order: "io-1", members: ["a", "b"], cur: "USD", day: "2026-11-21", pacing: "asap", total: "50" },
      ...{ spent: "0", spent_total: "50.0018", exposed: "0", left: "0", share: "0", requests: 7, forecast: "0" },
      why: "the total budget is spent",
    },
  ],
};

/** The view of money on days that have canned reports. */
export const CANNED = "money?from=2026-11-01&to=2026-11-20";

/** Answers reports and budgets with many rows. */
export async function canned(): Promise<void> {
  await page.route("**/report?*", (route) =>
    route.fulfill({ json: manyDays(new URL(route.request().url()).searchParams.get("by") ?? "") }),
  );
  await page.route("**/budget", (route) => route.fulfill({ json: BUDGETS }));
}
