//! The table of campaigns: the first check that each one failed, what it wanted and what the request has.

import { h, put } from "../../../dom.ts";
import { card, chip, choice, field, quiet, text } from "../../../parts/blocks.ts";
import { type Column, changingTable } from "../../../parts/table.ts";
import { hasWords } from "../../../parts/text.ts";
import { checksOf, type Imp, OUTBID, type Rejected, type Report, rowsOf } from "../report.ts";

/** Rows that are shown at first, and with each click. */
const PAGE = 100;

interface Row extends Partial<Rejected> {
  cid: string;
  /** The reason; `bid` for a campaign that bids. */
  reason: string;
}

/** Which rows a person wants to see. The card writes changes into it. */
export interface Filter {
  search: string;
  check: string;
}

/** The card, and what chooses a check in it. `mark` shows paths in the request. */
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
  const check = choice("campaign-check", [["", "all checks"], ...reasons.map((one) => [one, one] as const)], again);
  search.value = filter.search;
  check.value = reasons.includes(filter.check) ? filter.check : "";
  const count = h("p", { class: "soft", role: "status" });
  const more = h("button", { type: "button", onclick: showMore }, `Show ${PAGE} more`);
  let [room, chosen]: [number, Row | null] = [PAGE, null];
  const columns: Column<Row>[] = [
    { title: "Campaign", of: nameOf },
    { title: "Check", of: checkOf },
    { title: "Wanted", of: ({ wanted }) => wanted || "–" },
    { title: "Found", of: foundOf },
  ];
  const { element: table, show } = changingTable("First failing check of each campaign", columns, (row) =>
    row === chosen ? "chosen" : null,
  );

  function draw(): void {
    const matching = rows.filter((row) => {
      const own = [row.cid, row.dealid, row.wanted, row.found, row.reason].filter(Boolean).join("\n");
      return (check.value === "" || row.reason === check.value) && hasWords(own, search.value);
    });
    show(matching.slice(0, room));
    put(count, [`${matching.length} of ${rows.length} rows`]);
    more.hidden = matching.length <= room;
  }

  function again(): void {
    room = PAGE;
    Object.assign(filter, { search: search.value, check: check.value });
    draw();
  }

  function showMore(): void {
    room += PAGE;
    draw();
  }

  function nameOf(row: Row): HTMLElement | string {
    const { cid, dealid, at = [] } = row;
    const name = dealid ? `${cid} under ${dealid}` : cid;
    if (at.length === 0) return name;
    const button = quiet(name, () => choose(row, button), `Show ${at.join(", ")}`);
    return button;
  }

  function choose(row: Row, button: HTMLElement): void {
    chosen = row;
    for (const other of table.querySelectorAll(".chosen")) other.classList.remove("chosen");
    button.closest("tr")?.classList.add("chosen");
    mark(row.at ?? []);
  }

  function checkOf({ reason }: Row): HTMLElement {
    const one = chip(reason, reason === "bid" ? "good" : reason === OUTBID ? "warn" : "bad");
    if (reason !== "bid") one.title = say(reason);
    return one;
  }

  draw();
  const filters = [field("Search", search, "grow"), field("First failing check", check)];
  const none = text("empty", "No campaign was looked at.");
  const shown = rows.length === 0 ? [none] : [h("div", { class: "choose" }, ...filters), table];
  const element = card("Campaigns", [...shown, more, count], "campaigns");
  return {
    element,
    pick(reason) {
      check.value = reason;
      search.value = "";
      again();
      element.scrollIntoView({ block: "nearest" });
      check.focus({ preventScroll: true });
    },
  };
}

/** The campaigns that came furthest first. */
function sortedRows(report: Report, imp: Imp | undefined): Row[] {
  const order = new Map([...checksOf(report), OUTBID, "bid"].map((reason, n) => [reason, n]));
  const placeOf = ({ reason }: Row) => order.get(reason) ?? 0;
  const bids = (imp?.bids ?? []).map(({ cid, dealid, crid, price }): Row => {
    return { cid, reason: "bid", ...(dealid && { dealid }), found: `bids ${price} ${report.cur ?? ""} with ${crid}` };
  });
  return [...bids, ...rowsOf(report, imp)].sort((a, b) => placeOf(b) - placeOf(a));
}

/** What the request has; of an outbid campaign, the better bid. */
function foundOf({ reason, found, by }: Row): string {
  if (reason !== OUTBID || by === undefined || found) return found || "–";
  return [by.price, `of ${by.cid}`, by.dealid && `under ${by.dealid}`].filter(Boolean).join(" ");
}
