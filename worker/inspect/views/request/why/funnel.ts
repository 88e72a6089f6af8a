//! The funnel: counts, for one impression, how many campaigns each check lets through, and shows it as a picture.

import { h } from "../../../dom.ts";
import { card } from "../../../parts/blocks.ts";
import { funnel, type Step } from "../../../parts/chart.ts";
import { countText } from "../../../parts/text.ts";
import { checksOf, type Imp, isRefused, OUTBID, type Report, rowsOf } from "../report.ts";

/** A check, and the campaigns that fail it. */
export interface Drop {
  reason: string;
  /** Campaigns that have passed all earlier checks. */
  before: number;
  out: number;
}

export interface Counts {
  campaigns: number;
  /** The checks that campaigns fail, in the order of the checks. */
  drops: Drop[];
  /** The number of checks that no campaign fails; 0 if the request is refused, because no campaign reaches a check. */
  passed: number;
  bidding: number;
}

/**
 * For a campaign, the last check that it reaches counts: with several deals, it has a row for each, and it may bid
 * under one of them.
 */
export function countsOf(report: Report, imp: Imp | undefined): Counts {
  const checks = [...checksOf(report), OUTBID];
  const bidding = new Set(imp?.bids?.map(({ cid }) => cid));
  const last = new Map<string, number>();
  for (const { cid, reason } of rowsOf(report, imp)) {
    if (!bidding.has(cid)) last.set(cid, Math.max(checks.indexOf(reason), last.get(cid) ?? 0));
  }
  const seen = last.size + bidding.size;
  const campaigns = Math.max(report.campaigns ?? 0, seen);
  // All other campaigns fail at the check of the impression, or of the request: a refused request has no rows.
  const whole = imp?.reason ?? (isRefused(report) && seen === 0 ? report.outcome : undefined);
  const ends = [...last.values()];
  let before = campaigns;
  const drops = checks.flatMap((reason, check) => {
    const others = reason === whole ? campaigns - seen : 0;
    const out = others + ends.filter((end) => end === check).length;
    before -= out;
    return out === 0 ? [] : [{ reason, before: before + out, out }];
  });
  const failed = drops.filter(({ reason }) => reason !== OUTBID).length;
  const passed = isRefused(report) ? 0 : checks.length - 1 - failed;
  return { campaigns, drops, passed, bidding: bidding.size };
}

/** The card. `pick` chooses a check in the table below, `say` returns the meaning of a check. */
export function funnelCard(
  { campaigns, drops, passed, bidding }: Counts,
  pick: (reason: string) => void,
  say: (reason: string) => string,
): HTMLElement {
  const steps = drops.map(({ reason, before, out }): Step => {
    const [left, text] = [before - out, `−${out} → ${before - out}`];
    const chosen = { title: `${reason} ${text}. ${say(reason)}`, choose: () => pick(reason) };
    return { name: reason, left, out, text, kind: reason === OUTBID ? "outbid" : "check", ...chosen };
  });
  const first: Step = { name: "in the catalog", left: campaigns, out: 0, text: `${campaigns}`, kind: "all" };
  const name = bidding > 0 ? "bid" : "no bid";
  const last: Step = { name, left: bidding, out: 0, text: `${bidding}`, kind: "bids" };
  const out = drops.reduce((sum, one) => sum + one.out, 0);
  const summary = `${countText(campaigns, "campaign")}, ${out} out, ${bidding} bidding.`;
  const picture = funnel([first, ...steps, last], campaigns, { role: "group", "aria-label": "Campaigns by check" });
  return card("Funnel", [
    h("p.soft", `${summary} Choose a check to see its campaigns.`),
    campaigns === 0 ? h("p.empty", "No campaign was looked at.") : picture,
    passed > 0 && h("p.soft", `${passed} other checks removed no campaign.`),
  ]);
}
