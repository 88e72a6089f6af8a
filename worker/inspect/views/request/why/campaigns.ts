//! The table of campaigns: the first check that each one failed, what it wanted and what the request has.

import { h, put } from "../../../dom.ts";
import { button, card, chip, choice, field, named } from "../../../parts/blocks.ts";
import { type Column, table } from "../../../parts/table.ts";
import { hasWords } from "../../../parts/text.ts";
import { checksOf, type Imp, nameOf, OUTBID, type Rejected, type Report, rowsOf } from "../report.ts";

/** Rows that are shown at first, and with each click. */
const PAGE = 100;

/** A campaign that does not bid, or one that bids, whose reason is `bid`. */
type Row = Partial<Rejected> & Pick<Rejected, "cid" | "reason">;

/** The rows that a person wants to see. The card writes changes into it. */
export interface Filter {
  search: string;
  check: string;
}

/** The card, and the function that chooses a check in it. `mark` shows paths in the request. */
export function campaignsCard(
  report: Report,
  imp: Imp | undefined,
  mark: (paths: string[]) => void,
  say: (reason: string) => string,
  filter: Filter,
): { element: HTMLElement; pick(reason: string): void } {
  const rows = sortedRows(report, imp);
  const reasons = [...new Set(rows.map(({ reason }) => reason))];
  const search = h("input", { id: "campaign-search", type: "search", placeholder: "campaign, value…", oninput: again });
  const check = choice("campaign-check", [["", "all checks"], ...named(reasons)], again);
  search.value = filter.search;
  check.value = reasons.includes(filter.check) ? filter.check : "";
  const count = h("p.soft", { role: "status" });
  let [room, chosen]: [number, Row | null] = [PAGE, null];
  const more = button(`Show ${PAGE} more`, () => {
    room += PAGE;
    draw();
  });
  const columns: Column<Row>[] = [
    { title: "Campaign", of: nameCell },
    { title: "Check", of: checkCell },
    { title: "Wanted", of: ({ wanted }) => wanted || "–" },
    { title: "Found", of: foundOf },
  ];
  const { element: shown, show } = table("First failing check of each campaign", columns);

  function draw(): void {
    const matching = rows.filter((row) => {
      const own = [row.cid, row.dealid, row.wanted, row.found, row.reason].filter(Boolean).join("\n");
      return (check.value === "" || row.reason === check.value) && hasWords(own, search.value);
    });
    show(matching.slice(0, room));
    put(count, `${matching.length} of ${rows.length} rows`);
    more.hidden = matching.length <= room;
  }

  function again(): void {
    room = PAGE;
    Object.assign(filter, { search: search.value, check: check.value });
    draw();
  }

  /** The name; if the check used attributes of the request, a button that marks them. */
  function nameCell(row: Row): HTMLElement | string {
    const { at = [] } = row;
    if (at.length === 0) return nameOf(row);
    const choose = () => {
      chosen = row;
      for (const other of shown.querySelectorAll("[aria-pressed]")) other.ariaPressed = String(other === one);
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
    search.value = "";
    again();
    element.scrollIntoView({ block: "nearest" });
    check.focus({ preventScroll: true });
  }

  draw();
  const filters = h("div.row", field("Search", search, "grow"), field("First failing check", check));
  const content = rows.length === 0 ? [h("p.empty", "No campaign was looked at.")] : [filters, shown];
  const element = card("Campaigns", [content, more, count], "campaigns");
  return { element, pick };
}

/** The campaigns, those that passed most checks first. */
function sortedRows(report: Report, imp: Imp | undefined): Row[] {
  const order = [...checksOf(report), OUTBID, "bid"];
  const bids = (imp?.bids ?? []).map(({ price, crid, ...bid }): Row => {
    return { ...bid, reason: "bid", found: `bids ${price} ${report.cur ?? ""} with ${crid}` };
  });
  const placed = [...bids, ...rowsOf(report, imp)].map((row) => ({ row, place: order.indexOf(row.reason) }));
  return placed.sort((a, b) => b.place - a.place).map(({ row }) => row);
}

/** The value in the request; for an outbid campaign, the better bid. */
function foundOf({ reason, found, by }: Row): string {
  if (reason !== OUTBID || by === undefined || found) return found || "–";
  return `${by.price ?? ""} of ${nameOf(by)}`.trim();
}
