//! The table of campaigns: the first check that each one failed, what it wanted and what the request has.

import { h, put } from "../../../dom.ts";
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
  const order = new Map([...checksOf(report), OUTBID, "bid"].map((reason, n) => [reason, n]));
  const placeOf = ({ reason }: Row) => order.get(reason) ?? 0;
  const rows: Row[] = [
    ...(imp?.bids ?? []).map(({ cid, dealid, crid, price }): Row => {
      return { cid, reason: "bid", ...(dealid && { dealid }), found: `bids ${price} ${report.cur ?? ""} with ${crid}` };
    }),
    ...rowsOf(report, imp),
  ].sort((a, b) => placeOf(b) - placeOf(a));
  const reasons = [...new Set(rows.map(({ reason }) => reason))];
  const search = h("input", { id: "campaign-search", type: "search", placeholder: "campaign, value…", oninput: again });
  const check = h(
    "select",
    { id: "campaign-check", onchange: again },
    h("option", { value: "" }, "all checks"),
    ...reasons.map((reason) => h("option", { value: reason }, reason)),
  );
  search.value = filter.search;
  check.value = reasons.includes(filter.check) ? filter.check : "";
  const body = h("tbody");
  const count = h("p", { class: "soft", role: "status" });
  const more = h("button", { type: "button", onclick: showMore }, `Show ${PAGE} more`);
  let [room, chosen]: [number, Row | null] = [PAGE, null];

  function draw(): void {
    const matching = rows.filter(
      (row) =>
        (check.value === "" || row.reason === check.value) &&
        hasWords([row.cid, row.dealid, row.wanted, row.found, row.reason].filter(Boolean).join("\n"), search.value),
    );
    put(body, matching.slice(0, room).map(line));
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

  function line(row: Row): HTMLElement {
    const { cid, dealid, reason, at = [] } = row;
    const isBid = reason === "bid";
    const show = () => {
      chosen = row;
      for (const other of body.querySelectorAll(".chosen")) other.classList.remove("chosen");
      element.classList.add("chosen");
      mark(at);
    };
    const tone = isBid ? "good" : reason === OUTBID ? "warn" : "bad";
    const name = dealid ? `${cid} under ${dealid}` : cid;
    const element = h(
      "tr",
      { class: row === chosen ? "chosen" : null },
      h(
        "td",
        { "data-name": "campaign" },
        at.length > 0
          ? h("button", { type: "button", class: "quiet", onclick: show, title: `Show ${at.join(", ")}` }, name)
          : name,
      ),
      h(
        "td",
        { "data-name": "check" },
        h("span", { class: `chip ${tone}`, title: isBid ? null : say(reason) }, reason),
      ),
      h("td", { "data-name": "wanted" }, row.wanted || "–"),
      h("td", { "data-name": "found" }, foundOf(row)),
    );
    return element;
  }

  draw();
  const element = h(
    "section",
    { class: "card campaigns", "aria-labelledby": "campaigns-title" },
    h("h2", { id: "campaigns-title" }, "Campaigns"),
    h(
      "div",
      { class: "filters", hidden: rows.length === 0 },
      h("div", { class: "field grow" }, h("label", { for: search.id }, "Search"), search),
      h("div", { class: "field" }, h("label", { for: check.id }, "First failing check"), check),
    ),
    rows.length === 0
      ? h("p", { class: "empty" }, "No campaign was looked at.")
      : h(
          "table",
          { class: "stacks" },
          h(
            "thead",
            {},
            h("tr", {}, ...["Campaign", "Check", "Wanted", "Found"].map((name) => h("th", { scope: "col" }, name))),
          ),
          body,
        ),
    more,
    count,
  );
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

/** What the request has; of an outbid campaign, the better bid. */
function foundOf({ reason, found, by }: Row): string {
  if (reason !== OUTBID || by === undefined || found) return found || "–";
  return [by.price, `of ${by.cid}`, by.dealid && `under ${by.dealid}`].filter(Boolean).join(" ");
}
