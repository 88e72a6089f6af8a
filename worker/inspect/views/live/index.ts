//! The view `#live`: what the bidder does now, a second after the other.

import { Figures, type Sums, WINDOW } from "../../../src/tail/figures.ts";
import type { Second } from "../../../src/tail/seconds.ts";
import { h, put } from "../../dom.ts";
import { card, figures, key, text } from "../../parts/blocks.ts";
import { type Column, changingTable } from "../../parts/table.ts";
import { Curve } from "./curve.ts";
import { Funnel, rateText } from "./funnel.ts";
import { listen } from "./listen.ts";

/** A row of the table: an outcome, and how often it comes. */
interface Row {
  name: string;
  now: string;
  count: string;
  share: string;
}

const COLUMNS: Column<Row>[] = [
  { title: "outcome", of: ({ name }) => name },
  { title: "now", isNumber: true, of: ({ now }) => now },
  { title: "requests", isNumber: true, of: ({ count }) => count },
  { title: "share", isNumber: true, of: ({ share }) => share },
];

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const [curve, funnel] = [new Curve(), new Funnel()];
  const status = h("p", { role: "status", class: "soft" }, "Asking the bidder…");
  const error = h("p", { role: "alert", class: "error", hidden: true });
  const idle = h(
    "p",
    { class: "note", hidden: true },
    "No requests come in. To see some, run in another terminal: ",
    h("code", {}, "npx edgebid demo"),
  );
  const numbers = h("section", { class: "card numbers" });
  const height = h("span", { class: "height" });
  const since = h("h2");
  const { element: outcomes, show: showRows } = changingTable("Outcomes", COLUMNS);
  const others = h("p", { class: "soft" });
  const counters = h("div", { hidden: true }, h("h3", {}, "Counters"), others);
  const button = h("button", { type: "button", onclick: toggle }, "Pause");

  let figures = new Figures();
  let other: Record<string, number> = {};
  let stop: AbortController | null = null;
  /** What a person did when the counts began. */
  let from = "opened this page";

  put(root, [
    h("div", { class: "choose heading" }, h("h1", {}, "Live"), status, button),
    text(
      "soft",
      "You see one isolate: with npm start, this is the whole bidder. A deployed bidder has many isolates in many places, " +
        "and only one of them answers you.",
    ),
    error,
    idle,
    numbers,
    h(
      "div",
      { class: "cards" },
      card(`Funnel, mean of ${WINDOW} seconds`, [funnel.element]),
      card("The last minute", [text("soft", key("first"), "requests ", key("third"), "bids ", height), curve.element]),
      h("section", { class: "card" }, since, outcomes, counters),
    ),
  ]);

  function start(): void {
    stop = new AbortController();
    figures = new Figures();
    other = {};
    put(since, [`Since you ${from}`]);
    show();
    void listen({ began, second, failed }, stop.signal);
  }

  function began(): void {
    put(status, ["Listening"]);
    error.hidden = true;
  }

  function second(next: Second): void {
    figures.add(next);
    for (const [name, count] of Object.entries(next.other)) other[name] = (other[name] ?? 0) + count;
    show();
  }

  function failed(message: string): void {
    put(status, ["Not listening"]);
    put(error, [message]);
    error.hidden = false;
  }

  function toggle(): void {
    if (stop) {
      stop.abort();
      stop = null;
      put(status, ["Paused"]);
    } else {
      put(status, ["Asking the bidder…"]);
      from = "went on";
      start();
    }
    put(button, [stop ? "Pause" : "Go on"]);
  }

  function show(): void {
    const { now, all } = figures;
    idle.hidden = all.ms === 0 || now.requests > 0;
    put(numbers, [numbersOf(now, all, from)]);
    funnel.show(now);
    put(height, [`peak ${curve.show(figures)}`]);
    showRows(rowsOf(now, all));
    const counted = Object.entries(other).map(([name, count]) => `${name} ${count.toLocaleString("en-US")}`);
    counters.hidden = counted.length === 0;
    put(others, [counted.join(", ")]);
  }

  start();
  left.addEventListener("abort", () => stop?.abort());
}

/** The largest figures. */
function numbersOf(now: Sums, all: Sums, from: string): HTMLElement {
  return figures([
    ["requests", rateText(now.requests, now.ms)],
    ["requests with a bid", rateText(now.bids, now.ms)],
    ["share with a bid", share(now.bids, now.requests)],
    [`since you ${from}`, `${all.requests.toLocaleString("en-US")} requests`],
  ]);
}

/** A row for the bids and for each reason. */
function rowsOf(now: Sums, all: Sums): Row[] {
  const current = new Map(now.none);
  const rows = [
    ["bid", all.bids, now.bids] as const,
    ...all.none.map(([name, count]) => [name, count, current.get(name) ?? 0] as const),
  ];
  return rows.map(([name, count, recently]) => ({
    name,
    now: rateText(recently, now.ms),
    count: count.toLocaleString("en-US"),
    share: share(count, all.requests),
  }));
}

function share(part: number, whole: number): string {
  return whole > 0 ? `${((part / whole) * 100).toFixed(1)} %` : "–";
}
