//! The outcome in one sentence.

import { type Child, h } from "../../../dom.ts";
import { card, code, quiet, text } from "../../../parts/blocks.ts";
import { bidsOf, isRefused, OUTBID, type Rejected, type Report } from "../report.ts";
import { ABSENT } from "./absent.ts";

/** The card. `reasons` are the meanings of no-bid reasons, `mark` shows paths in the request. */
export function outcomeCard(
  report: Report,
  reasons: Record<string, string>,
  mark: (paths: string[]) => void,
): HTMLElement {
  const isBid = report.outcome === "bid";
  const notes = [
    report.cut_off === undefined
      ? ""
      : `The bidder reaches its limit of work on this request: it stops there, and takes the best bid of the campaigns that it has checked.`,
    report.more_imps ?? "",
    report.more_rows ?? "",
    ...(report.assumed ?? []).map((text) => `Assumed: ${text}`),
  ];
  const last = decisive(report);
  const saysSides = [report, last].some((one) => one?.wanted || one?.found);
  const at = report.at ?? last?.at ?? [];
  const sentence = isBid ? bidSentence(report) : noBidSentence(report, last);
  return card(
    isBid ? "Bid" : "No bid",
    [
      h("p", { class: "sentence" }, ...sentence),
      !isBid && !saysSides && text("soft", meaning(report.outcome, reasons)),
      !isBid && at.length > 0 && quiet(`Show ${at.join(", ")} in the request`, () => mark(at)),
      ...notes.filter(Boolean).map((note) => text("note", note)),
      text("soft", `Request ${report.id} · decided by version `, code(report.catalog)),
    ],
    `outcome ${isBid ? "good" : "bad"}`,
  );
}

/** What a reason means. */
export function meaning(reason: string, reasons: Record<string, string>): string {
  if (reason === OUTBID) return `${OUTBID}: it may bid, but another bid pays more`;
  return `${reason}: ${reasons[reason] ?? `the campaign's targeting, attribute ${reason.replaceAll("-", "_")}`}`;
}

function bidSentence(report: Report): Child[] {
  const bids = bidsOf(report);
  const [first] = bids;
  if (first === undefined) return ["There is a bid."];
  const { bid, imp } = first;
  const deal = bid.dealid ? [" under deal ", h("strong", {}, bid.dealid)] : [];
  const others = bids.length - 1;
  return [
    h("strong", {}, bid.cid),
    " bids ",
    h("strong", {}, `${bid.price} ${report.cur ?? ""}`),
    " for a thousand impressions with ",
    bid.crid,
    ...deal,
    (report.imps ?? []).length > 1 ? ` on impression ${imp.id}` : "",
    others > 0 ? `, and there ${others === 1 ? "is 1 more bid" : `are ${others} more bids`}.` : ".",
  ];
}

function noBidSentence(report: Report, last: Rejected | undefined): Child[] {
  const check = h("strong", {}, report.outcome);
  if (isRefused(report))
    return ["No campaign may bid on this request, because of ", check, ": ", ...sides(report), "."];
  if (last === undefined) return ["No campaign bids; the last check that failed is ", check, "."];
  const deal = last.dealid ? ` under deal ${last.dealid}` : "";
  return [h("strong", {}, last.cid), `${deal} came furthest, and failed at `, check, ": ", ...sides(last), "."];
}

function sides({ wanted, found }: { wanted?: string; found?: string }): Child[] {
  const wants = ["it wants ", h("em", {}, wanted || "–")];
  return found === ABSENT
    ? [...wants, `, which is ${ABSENT}`]
    : [...wants, "; the request has ", h("em", {}, found || "–")];
}

/** The first campaign with the reason of the whole request, which is the check that the best of them failed. */
function decisive({ outcome, rejected = [], imps = [] }: Report): Rejected | undefined {
  return [...imps.flatMap((imp) => imp.rejected ?? []), ...rejected].find(({ reason }) => reason === outcome);
}
