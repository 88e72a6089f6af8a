//! The catalogs of the suite `soak`: generated campaigns, and those whose impressions an exchange bills. A push changes
//! the price of one of these, so that each push is a new version.

import { type Campaign, type Document, generate } from "../catalogs/generate.ts";

/** The campaign with a budget that is soon spent. */
export const BUDGETED = "budgeted";
/** The campaigns that the exchange buys for. No other campaign has banners of their widths. */
export const TRADED = ["free", BUDGETED, "long"].map((cid, at) => ({ cid, width: 2301 + at, ssp: "market" }));
/** The daily budget of {@link BUDGETED}, in US dollars. */
export const BUDGET = 1;

/** The catalog after so many pushes. */
export function documentAfter(pushes: number): Document {
  const { ssps, creatives, campaigns, ...common } = generate(1000);
  // A fast clock would use up a usual `tmax` in some milliseconds.
  const patient = [...ssps, { id: "market" }].map((ssp) => ({ ...ssp, tmax: 10_000 }));
  const budgets: Record<string, object> = {
    [BUDGETED]: { budget: { daily: String(BUDGET) }, pacing: "asap" },
    long: { budget: { daily: "1000" } },
  };
  const traded = TRADED.map(({ cid }): Campaign => {
    const max_cpm = (2 + (cid === "free" ? pushes / 100 : 0)).toFixed(2);
    return { cid, seat: "s", adomain: ["shop.example"], max_cpm, creatives: [cid], ...budgets[cid] };
  });
  return {
    ...common,
    ssps: patient,
    creatives: [
      ...creatives,
      ...TRADED.map(({ cid, width }) => ({ crid: cid, banner: { w: width, h: 250, adm: "<p>" } })),
    ],
    campaigns: [...campaigns, ...traded],
  };
}
