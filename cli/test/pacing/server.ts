//! Starts a bidder in many isolates, with a fast clock and a catalog of campaigns with budgets.

import { now } from "../../../worker/test/support/clock.ts";
import { bytesOf } from "../bidder.ts";
import { Running } from "./running.ts";

/** How many times faster the clock is. */
const SPEED = 10;
/** The clock runs fast, so a wait of some real milliseconds would use up a usual `tmax`. */
const LONGEST_TMAX = 10_000;

/** A campaign of the catalog. Without a budget, nothing holds it back. */
export interface Budgeted {
  cid: string;
  /** The width of its banner, which no other campaign has. */
  width: number;
  max_cpm?: string;
  /** A day's budget in units of the currency. */
  budget?: string;
  pacing?: string;
}

export interface Settings {
  isolates: number;
  /** The time of the clock at the start, in milliseconds since the epoch. */
  start: number;
  /** Records of SSPs besides `demo`, and variables of the Worker. */
  ssps?: { id: string }[];
  vars?: Record<string, string>;
}

/** Starts, and waits until each isolate bids for campaigns with budgets. */
export function started(campaigns: Budgeted[], { isolates, start, ssps = [], vars = {} }: Settings): Promise<Running> {
  const document = {
    ...{ format: 1, privacy: { bid_unregistered: false }, ssps: [{ id: "demo", tmax: LONGEST_TMAX }, ...ssps] },
    creatives: campaigns.map(({ cid, width }) => ({ crid: cid, banner: { w: width, h: 250, adm: "<p>" } })),
    campaigns: campaigns.map(({ cid, budget, pacing, max_cpm = "2" }) => ({
      ...{ cid, seat: "s", adomain: ["shop.example"], max_cpm, creatives: [cid] },
      ...(budget && { budget: { daily: budget }, pacing }),
    })),
  };
  const clock = { realStart: now(), start, speed: SPEED };
  return Running.start({ catalog: bytesOf(JSON.stringify(document)) }, clock, { isolates, vars });
}
