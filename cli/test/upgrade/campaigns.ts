//! The catalogs and the requests of a recording. A request is for the campaign that has its banner's width.

import { decimal } from "../../../shared/report/decimal.ts";
import type { SecondUse } from "../../catalog/move.ts";
import { FakeStore, pushInto } from "../fake-store.ts";
import type { BidRequest } from "./recording.ts";
import type { Pushed } from "./running.ts";

const WIDTHS = {
  ...{ plain: 300, euro: 301, daily: 302, total: 303, "shared-a": 304, "shared-b": 305, going: 306 },
  ...{ capped: 307, counted: 308 },
};

export type Cid = keyof typeof WIDTHS;

/** What the campaigns pay for a thousand impressions, in units of their currency, and for one, in billionths of it. */
const CPM = "2";
const NANOS = 2_000_000n;

/** The catalog before budgets; with budgets that are spent after so many impressions; and one with other prices. */
type Stage = { name: "open" } | { name: "budgets" | "split"; impressions: Partial<Record<Cid, number>> };

function documentOf(stage: Stage): object {
  const budget = (cid: Cid) => {
    const impressions = stage.name === "open" ? undefined : stage.impressions[cid];
    return impressions === undefined ? undefined : decimal(BigInt(impressions) * NANOS);
  };
  const daily = (cid: Cid) => budget(cid) && { budget: { daily: budget(cid) }, pacing: "asap" };
  const order = budget("shared-a") && { budget_of: "io-1" };
  const own: Partial<Record<Cid, object | undefined | "">> = {
    euro: { cur: "EUR", target: { zone: "Europe/Berlin" } },
    daily: daily("daily"),
    total: budget("total") && { budget: { total: budget("total") }, pacing: "asap" },
    "shared-a": order,
    "shared-b": order,
    going: daily("going"),
    capped: { caps: [{ n: 1, per: "day" }] },
    counted: { caps: [{ n: 1, per: "week" }], cap_on: "bid" },
  };
  const cids = Object.keys(WIDTHS) as Cid[];
  const isDearer = (cid: Cid) => stage.name === "split" && (cid === "plain" || cid === "euro");
  return {
    format: 1,
    rates: [{ cur: "EUR", usd: "1.25" }],
    ssps: [
      { id: "demo", billing: "both" },
      { id: "north", billing: "win" },
    ],
    creatives: cids.map((cid) => ({ crid: `banner-${cid}`, banner: { w: WIDTHS[cid], h: 250, adm: "<p>" } })),
    ...(order && { orders: [{ id: "io-1", budget: { daily: budget("shared-a") }, pacing: "asap" }] }),
    campaigns: cids.map((cid) => ({
      ...{ cid, seat: "agency", adomain: ["shop.example"], max_cpm: isDearer(cid) ? "3.25" : CPM },
      ...{ creatives: [`banner-${cid}`], ...own[cid] },
    })),
  };
}

/** A KV with the versions that were pushed into it. */
export class Catalogs {
  readonly #store = new FakeStore();

  /** Pushes a catalog at a time, as `edgebid catalog push` does, and returns its version. */
  async push(stage: Stage, now: number, second?: SecondUse): Promise<string> {
    const moved = await pushInto(this.#store, documentOf(stage), now, { note: stage.name, second });
    return second === undefined ? moved.version : (moved.second?.version ?? "");
  }

  get kv(): Pushed {
    return Object.fromEntries(this.#store.values);
  }
}

/** A request for one campaign. */
export function requestFor(
  cid: Cid,
  id: string,
  { person, ssp = "demo" }: { person?: string; ssp?: string } = {},
): BidRequest {
  const imp = [{ id: "1", banner: { w: WIDTHS[cid], h: 250 } }];
  const user = person === undefined ? {} : { user: { buyeruid: person } };
  return { ssp, body: { id, at: 1, cur: ["USD"], site: { domain: "news.example" }, imp, ...user } };
}
