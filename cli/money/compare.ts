//! Compares an invoice's days with the ledger's days.

import { decimal, rounded } from "../../worker/src/report/decimal.ts";
import type { Figures } from "./invoice.ts";

/** One day. A side without figures is null. */
export interface Day {
  day: string;
  invoice: Figures | null;
  ledger: Figures | null;
}

/** A day that both sides have. */
type Both = Day & { invoice: Figures; ledger: Figures };

/** All days of both sides, the first first. A side without impressions and spend has no figures. */
export function joined(invoice: Map<string, Figures>, ledger: Map<string, Figures>): Day[] {
  const isEmpty = (figures: Figures | undefined) => !figures || (figures.impressions === 0 && figures.nanos === 0n);
  const side = (figures: Figures | undefined) => (isEmpty(figures) ? null : (figures ?? null));
  return [...new Set([...invoice.keys(), ...ledger.keys()])]
    .sort()
    .map((day) => ({ day, invoice: side(invoice.get(day)), ledger: side(ledger.get(day)) }));
}

export function isBoth(day: Day): day is Both {
  return day.invoice !== null && day.ledger !== null;
}

/** The sums over the days that both sides have. */
export function sumOf(days: Day[]): { invoice: Figures; ledger: Figures } {
  const both = days.filter(isBoth);
  const sum = (side: "invoice" | "ledger"): Figures => ({
    impressions: both.reduce((sum, day) => sum + day[side].impressions, 0),
    nanos: both.reduce((sum, day) => sum + day[side].nanos, 0n),
  });
  return { invoice: sum("invoice"), ledger: sum("ledger") };
}

/** Invoice / ledger with at most six places; null if no ratio above 0 follows. */
export function ratioOf({ invoice, ledger }: { invoice: Figures; ledger: Figures }): string | null {
  if (ledger.nanos <= 0n || invoice.nanos <= 0n) return null;
  return rounded(invoice.nanos, ledger.nanos, 6).replace(/\.?0+$/, "");
}

/** By how much the invoice is above the ledger. */
export interface Difference {
  impressions: number;
  impressions_percent: string;
  spend: string;
  spend_percent: string;
}

export function differenceOf(invoice: Figures, ledger: Figures): Difference {
  return {
    impressions: invoice.impressions - ledger.impressions,
    impressions_percent: percentOf(BigInt(invoice.impressions), BigInt(ledger.impressions)),
    spend: decimal(invoice.nanos - ledger.nanos),
    spend_percent: percentOf(invoice.nanos, ledger.nanos),
  };
}

/** By how many per cent the invoice is above the ledger, with two places; empty if the ledger has 0. */
function percentOf(invoice: bigint, ledger: bigint): string {
  return ledger === 0n ? "" : rounded((invoice - ledger) * 100n, ledger, 2);
}
