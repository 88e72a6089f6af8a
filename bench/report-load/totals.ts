//! Totals as the ledger returns them, the same in every run: each day, campaign, creative and SSP with bids, wins,
//! bills and two reasons of losses, and some with refused notices or assumed prices.

import { DIMENSIONS, type Query, type Total } from "../../shared/ledger/rows.ts";
import { Random } from "../../tools/traffic/random.ts";

/** The report that all clients ask for. */
export const QUERY: Query = { from: "2026-11-01", to: "2026-11-28", by: DIMENSIONS };

/** The settings of the suite's Worker. */
export interface Ledger {
  /** Totals of the report. */
  entries: number;
  /** Milliseconds that the ledger takes to answer. */
  delay: number;
}

const CAMPAIGNS = 50;
const SSPS = ["adx-east", "north", "south & sons", "video, premium"] as const;
const CURS = ["USD", "USD", "EUR", "GBP"] as const;
const DAYS = 28;
/** The kinds of totals of one creative on one day at one SSP. The last two are rare. */
const KINDS: readonly [kind: Total["kind"], detail: string, most: number, isRare: boolean][] = [
  ["bid", "", 2_000_000, false],
  ["win", "", 200_000, false],
  ["bill", "", 180_000, false],
  ["loss", "102", 1_000_000, false],
  ["loss", "100", 300_000, false],
  ["bill", "assumed", 2000, true],
  ["refused", "price-unreplaced", 500, true],
];
const RARE_ONE_IN = 5;

/** The first `entries` totals. */
export function totals(entries: number): Total[] {
  const random = new Random(17);
  const made: Total[] = [];
  for (let row = 0; made.length < entries; row++) {
    const campaign = Math.floor(row / DAYS) % CAMPAIGNS;
    const day = `${QUERY.from.slice(0, 8)}${String(1 + (row % DAYS)).padStart(2, "0")}`;
    // Every lap over days and campaigns has another creative.
    const creative = `banner-${Math.floor(row / (DAYS * CAMPAIGNS))}-300x250`;
    const ssp = random.pick(SSPS);
    const cur = CURS[campaign % CURS.length] ?? "USD";
    for (const [kind, detail, most, isRare] of KINDS) {
      if (isRare && random.below(RARE_ONE_IN) > 0) continue;
      const count = 1 + random.below(most);
      const nanos = kind === "bill" ? BigInt(count) * BigInt(1_000_000 + random.below(4_000_000)) : 0n;
      const usdNanos = cur === "USD" ? nanos : (nanos * 11n) / 10n;
      const group = { day, hour: "", campaign: `c-${campaign}`, ssp, creative, version: "", cur };
      made.push({ ...group, kind, detail, count, nanos, usdNanos });
    }
  }
  return made.slice(0, entries);
}
