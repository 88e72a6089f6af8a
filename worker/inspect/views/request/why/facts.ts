//! The steps to the price of a bid, the privacy verdict with each signal, and the work of the decision.

import { nameOf } from "../../../../../shared/compare/text.ts";
import { type Child, h, put } from "../../../dom.ts";
import { button, card, chip, choice, facts, field } from "../../../parts/blocks.ts";
import { countText } from "../../../parts/text.ts";
import { type Bid, bidsOf, type Report } from "../report.ts";

/** The card of the price, with a choice among several bids. */
export function priceCard(report: Report): HTMLElement {
  const bids = bidsOf(report);
  const steps = bids.map(({ bid }) => facts(stepsOf(bid, report.cur ?? "")));
  const area = h("div");
  const draw = (n: string) => put(area, steps[Number(n)]);
  const options = bids.map(({ imp, bid }, n) => [`${n}`, `${nameOf(bid)}, impression ${imp.id}`] as const);
  const select = choice("price-bid", options, draw);
  draw("0");
  const note = h("p.soft", "Prices are for a thousand impressions.");
  return card("Price", [bids.length > 1 && field("Bid", select), area, note]);
}

/** The report's steps; without them, steps from the attributes that every bid in a report has. */
function stepsOf({ steps, most, most_by, floor, price, caps }: Bid, cur: string): [what: string, value: Child][] {
  const known = steps?.map(({ what, value }): [string, string] => [what, value]) ?? [
    [most_by ?? "the campaign pays at most", `${most} ${cur}`],
    ["floor", `${floor} ${cur}`],
    ["price", `${price} ${cur}`],
  ];
  return [...known, ["frequency caps", caps]];
}

const VERDICTS: Record<string, [text: string, tone: string]> = {
  none: ["No bid is allowed.", "bad"],
  contextual: ["A bid is allowed, but without data about the person.", "warn"],
  "personal, no precise location": ["Data about the person may be used, but no precise location.", "warn"],
  personal: ["Data about the person may be used.", "good"],
};

/** The card of the privacy verdict. `mark` shows paths in the request. */
export function privacyCard({ privacy, privacy_by, signals }: Report, mark: (paths: string[]) => void): HTMLElement {
  const [text, tone] = VERDICTS[privacy] ?? ["", ""];
  const entries = (signals ?? []).map(({ signal, said, means, at = [] }): [Child, Child] => {
    const paths = [at].flat();
    const name = paths.length > 0 ? button(signal, () => mark(paths), "quiet") : signal;
    return [name, [h("code", said), " ", means]];
  });
  return card("Privacy", [
    h("p", chip(privacy, tone), " ", text),
    privacy_by && h("p.soft", `Because of ${privacy_by}`),
    signals?.length === 0 && h("p.soft", "The request has no privacy signal."),
    facts(entries),
  ]);
}

/** The parts of the work, each with its unit. */
const WORK: [key: string, name: string, unit: string][] = [
  ["read", "Reads the request", "byte"],
  ["gate", "Checks it as a whole", "impression"],
  ["examined", "Checks possible bids", "possible bid"],
  ["match", "Matches campaigns", "unit"],
  ["write", "Writes the answer", "byte"],
];

/** The work that the decision takes in the bidder. These are counts, because a decision has no clock. */
export function workPart(work: NonNullable<Report["work"]>): HTMLElement {
  const { limit, match } = work;
  const entries = WORK.map(([key, name, unit]): [string, Child] => {
    const count = work[key];
    return [name, count !== undefined && countText(count, unit)];
  });
  if (limit === undefined || match === undefined) return facts(entries);
  const meter = h("meter", { min: 0, max: limit, value: match, "aria-label": "Work of matching, of its limit" });
  return h("div", facts(entries), h("p.soft", meter, `Matching stops at ${countText(limit, "unit")}.`));
}
