//! The outcome in one sentence.

import { type Child, h } from "../../../dom.ts";
import { button, card } from "../../../parts/blocks.ts";
import { ABSENT, bidsOf, type Imp, isRefused, OUTBID, type Report } from "../report.ts";

/** The card. `say` returns the meaning of a reason, `mark` shows paths in the request. */
export function outcomeCard(
  report: Report,
  say: (reason: string) => string,
  mark: (paths: string[]) => void,
): HTMLElement {
  const { id, outcome, catalog, cut_off, more_imps, more_rows, assumed = [], imps = [], rejected = [] } = report;
  const isLeftOut = ({ reason }: Imp) => reason !== undefined && !(isRefused(report) && reason === outcome);
  const notes: Child[] = [
    cut_off !== undefined &&
      "The bidder reaches its limit of work on this request: it stops there, and takes the best bid of the campaigns that it has checked.",
    more_imps,
    more_rows,
    ...imps.filter(isLeftOut).map(leftOut),
    ...assumed.map((text) => `Assumed: ${text}`),
  ];
  const about = h("p.soft", `Request ${id} · decided by version `, h("code", catalog));
  const more = [notes.map((note) => note && h("p.note", note)), about];
  if (outcome === "bid") return card("Bid", [h("p.sentence", bidSentence(report)), more], "outcome.good");
  // The reason of the request is the check that the best campaign failed.
  const best = [...imps.flatMap((imp) => imp.rejected ?? []), ...rejected].find(({ reason }) => reason === outcome);
  const compared = [report, best].find((one) => one?.wanted || one?.found);
  const at = report.at ?? best?.at ?? [];
  const deal = best?.dealid ? ` under deal ${best.dealid}` : "";
  const who = isRefused(report)
    ? "No campaign may bid on this request, because of "
    : best
      ? [h("strong", best.cid), `${deal} came furthest, and failed at `]
      : "No campaign bids; the last check that failed is ";
  const why = (isRefused(report) || best) && [": ", wantedAndFound(isRefused(report) ? report : best)];
  const content = [
    h("p.sentence", who, h("strong", outcome), why, "."),
    !compared && h("p.soft", say(outcome)),
    at.length > 0 && button(`Show ${at.join(", ")} in the request`, () => mark(at), "quiet"),
    more,
  ];
  return card("No bid", content, "outcome.bad");
}

/** Why an impression gets no bid, whatever the campaign. */
function leftOut(imp: Imp): Child {
  return [`Impression ${imp.id} gets no bid, because of `, h("strong", imp.reason), ": ", wantedAndFound(imp), "."];
}

/** The meaning of a reason. */
export function meaning(reason: string, reasons: Record<string, string>): string {
  if (reason === OUTBID) return `${OUTBID}: it may bid, but another bid pays more`;
  return `${reason}: ${reasons[reason] ?? `the campaign's targeting, attribute ${reason.replaceAll("-", "_")}`}`;
}

function bidSentence(report: Report): Child {
  const [first, ...others] = bidsOf(report);
  if (first === undefined) return "There is a bid.";
  const { cid, price, crid, dealid } = first.bid;
  const more = others.length === 1 ? "is 1 more bid" : `are ${others.length} more bids`;
  return [
    [h("strong", cid), " bids ", h("strong", `${price} ${report.cur ?? ""}`)],
    ` for a thousand impressions with ${crid}`,
    dealid && [" under deal ", h("strong", dealid)],
    (report.imps ?? []).length > 1 && ` on impression ${first.imp.id}`,
    others.length > 0 && `, and there ${more}`,
    ".",
  ];
}

function wantedAndFound({ wanted, found }: { wanted?: string; found?: string } = {}): Child {
  const has = found === ABSENT ? `, which is ${ABSENT}` : ["; the request has ", h("em", found || "–")];
  return ["it wants ", h("em", wanted || "–"), has];
}
