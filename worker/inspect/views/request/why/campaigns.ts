//! The table of campaigns: the first check that each one failed, what it wanted and what the request has.

import { nameOf } from "../../../../../shared/compare/text.ts";
import { button, card, chip, choice, field, named, offer } from "../../../parts/blocks.ts";
import { type Column, table } from "../../../parts/table.ts";
import { checksOf, type Imp, OUTBID, type Rejected, type Report, rowsOf } from "../report.ts";

/** A campaign that does not bid, or one that bids, whose reason is `bid`. */
type Row = Partial<Rejected> & Pick<Rejected, "cid" | "reason">;

/** The card. A person's choices stay when it shows another decision. */
export interface CampaignsCard {
  element: HTMLElement;
  show(report: Report, imp: Imp | undefined): void;
  /** Chooses a check. */
  pick(reason: string): void;
}

/** The card without a decision. `mark` shows paths in the request, `say` returns the meaning of a reason. */
export function campaignsCard(mark: (paths: string[]) => void, say: (reason: string) => string): CampaignsCard {
  let [rows, chosen]: [Row[], Row | null] = [[], null];
  const check = choice("campaign-check", [], draw);
  const columns: Column<Row>[] = [
    { title: "Campaign", value: nameOf, of: nameCell },
    { title: "Check", value: ({ reason }) => reason, of: checkCell },
    { title: "Wanted", value: ({ wanted = "" }) => wanted },
    { title: "Found", value: foundOf },
  ];
  const campaigns = table("First failing check of each campaign", columns);

  function draw(): void {
    campaigns.show(check.value === "" ? rows : rows.filter(({ reason }) => reason === check.value));
  }

  function show(report: Report, imp: Imp | undefined): void {
    rows = sortedRows(report, imp);
    const reasons = [...new Set(rows.map(({ reason }) => reason))];
    offer(check, [["", "all checks"], ...named(reasons)], reasons.includes(check.value) ? check.value : "");
    draw();
  }

  /** The name; if the check used attributes of the request, a button that marks them. */
  function nameCell(row: Row): HTMLElement | string {
    const { at = [] } = row;
    if (at.length === 0) return nameOf(row);
    const choose = () => {
      chosen = row;
      for (const other of element.querySelectorAll("tbody [aria-pressed]")) other.ariaPressed = String(other === one);
      mark(at);
    };
    const one = button(nameOf(row), choose, "quiet");
    one.title = `Show ${at.join(", ")}`;
    one.ariaPressed = String(row === chosen);
    return one;
  }

  function checkCell({ reason }: Row): HTMLElement {
    const one = chip(reason, reason === "bid" ? "good" : reason === OUTBID ? "warn" : "bad");
    if (reason !== "bid") one.title = say(reason);
    return one;
  }

  function pick(reason: string): void {
    check.value = reason;
    campaigns.clear();
    draw();
    element.scrollIntoView({ block: "nearest" });
    check.focus({ preventScroll: true });
  }

  const element = card("Campaigns", [field("First failing check", check), campaigns.element], "campaigns");
  return { element, show, pick };
}

/** The campaigns, those that passed most checks first. */
function sortedRows(report: Report, imp: Imp | undefined): Row[] {
  const order = [...checksOf(report), OUTBID, "bid"];
  const bids = (imp?.bids ?? []).map(({ price, crid, ...bid }): Row => {
    return { ...bid, reason: "bid", found: `bids ${price} ${report.cur ?? ""} with ${crid}` };
  });
  const ranked = [...bids, ...rowsOf(report, imp)].map((row) => ({ row, rank: order.indexOf(row.reason) }));
  return ranked.sort((a, b) => b.rank - a.rank).map(({ row }) => row);
}

/** The value in the request; for an outbid campaign, the better bid. */
function foundOf({ reason, found, by }: Row): string {
  if (reason !== OUTBID || by === undefined || found) return found ?? "";
  return `${by.price ?? ""} of ${nameOf(by)}`.trim();
}
