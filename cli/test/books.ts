//! Asks a running Worker what its ledger has booked, bid by bid and as a report.

import { decimal } from "../../shared/report/decimal.ts";
import type { Row } from "../../shared/report/rows.ts";
import { OPERATOR } from "./bidder.ts";
import type { Sale } from "./exchange.ts";

/** Questions at a time. */
const AT_ONCE = 50;

/** What is compared of a campaign. */
export type Spend = Required<Pick<Row, "campaign" | "billed" | "spend" | "spend_usd">>;

/** Those of the sales whose bid is booked, by `GET /n/why/:token`. */
export async function bookedOf(origin: string, sales: Iterable<Sale>): Promise<Sale[]> {
  const booked: Sale[] = [];
  const left = [...sales].values();
  const asker = async () => {
    for (const sale of left) {
      const response = await fetch(`${origin}/n/why/${sale.token}`, { headers: OPERATOR });
      if (!response.ok) throw new Error(`/n/why: ${response.status} ${await response.text()}`);
      const { ledger } = (await response.json()) as { ledger: { booked: object | null } | null };
      if (ledger?.booked) booked.push(sale);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return booked;
}

/** A report by campaign from a day on, in the format of this media type. */
export async function report(origin: string, from: string, accept = "application/json"): Promise<Buffer> {
  const response = await fetch(`${origin}/report?by=campaign&from=${from}`, { headers: { ...OPERATOR, accept } });
  if (!response.ok) throw new Error(`/report: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The rows of a report in JSON. */
export async function rows(origin: string, from: string): Promise<Row[]> {
  return (JSON.parse(String(await report(origin, from))) as { rows: Row[] }).rows;
}

/** The campaigns with billed impressions, sorted. */
export function spendIn(rows: Row[]): Spend[] {
  const billed = rows.filter(({ billed }) => billed > 0);
  return billed
    .map(({ campaign = "", billed, spend, spend_usd }) => ({ campaign, billed, spend, spend_usd }))
    .sort(byCampaign);
}

/** The same for sales that are all booked once. */
export function spendOf(sales: Iterable<Sale>): Spend[] {
  const campaigns = Map.groupBy(sales, ({ cid }) => cid);
  return [...campaigns]
    .map(([campaign, sales]) => ({
      campaign,
      billed: sales.length,
      spend: decimal(sales.reduce((sum, { own }) => sum + own, 0n)),
      spend_usd: decimal(sales.reduce((sum, { usd }) => sum + usd, 0n)),
    }))
    .sort(byCampaign);
}

function byCampaign(a: Spend, b: Spend): number {
  return a.campaign < b.campaign ? -1 : 1;
}
