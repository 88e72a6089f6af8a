//! The view `#live`: what the bidder does now, second by second.

import { CURVE, Figures, perSecond, type Sums, WINDOW } from "../../../src/tail/figures.ts";
import type { Second } from "../../../src/tail/seconds.ts";
import { type Child, h, put } from "../../dom.ts";
import { button, card, figures, key } from "../../parts/blocks.ts";
import { bars, funnel, type Step } from "../../parts/chart.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped, percentText } from "../../parts/text.ts";
import { listen } from "./listen.ts";

/** The most no-bid reasons with their own step in the funnel. The others share one step. */
const MOST_STEPS = 10;
/** The resolution of the picture of the last minute: this many parts of one request a second. */
const PARTS = 1000;

/** An outcome: how often it came in the last seconds, and since the start. */
interface Outcome {
  name: string;
  recent: number;
  count: number;
}

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const status = h("p.soft", { role: "status" });
  const content = h("div.stack");
  const pause = button("Pause", () => (stop ? end() : start("went on")));
  let stop: AbortController | null = null;

  /** Starts to count from zero. `from` is the action of the person that started it, for the text `Since you …`. */
  function start(from: string): void {
    stop = new AbortController();
    const counted = new Figures();
    const other: Record<string, number> = {};
    const show = (state: string, why = "") => {
      put(status, state);
      put(content, why && h("p.error", { role: "alert" }, why), cardsOf(counted, other, from));
    };
    put(pause, "Pause");
    show("Asking the bidder…");
    const second = (next: Second) => {
      counted.add(next);
      for (const [name, count] of Object.entries(next.other)) other[name] = (other[name] ?? 0) + count;
      show("Listening");
    };
    const [began, failed] = [() => show("Listening"), (why: string) => show("Not listening", why)];
    void listen({ began, second, failed }, stop.signal);
  }

  function end(): void {
    stop?.abort();
    stop = null;
    put(pause, "Go on");
    put(status, "Paused");
  }

  const note =
    "You see one isolate: with npm start, this is the whole bidder. A deployed bidder has many isolates in many places, and only one of them answers you.";
  put(root, h("div.row", h("h1", "Live"), status, pause), h("p.soft", note), content);
  start("opened this page");
  left.addEventListener("abort", () => stop?.abort());
}

/** The cards of all counts. `other`: counters that are not outcomes. */
function cardsOf({ now, all, curve }: Figures, other: Record<string, number>, from: string): Child {
  const columns: Column<Outcome>[] = [
    { title: "outcome", of: ({ name }) => name },
    { title: "now", isNumber: true, of: ({ recent }) => rateText(recent, now.ms) },
    { title: "requests", isNumber: true, of: ({ count }) => grouped(count) },
    { title: "share", isNumber: true, of: ({ count }) => percentText(count, all.requests, 1) },
  ];
  const recent = new Map(now.none);
  const reasons = all.none.map(([name, count]) => ({ name, count, recent: recent.get(name) ?? 0 }));
  const outcomes = [{ name: "bid", count: all.bids, recent: now.bids }, ...reasons];
  const counters = Object.entries(other).map(([name, count]) => `${name} ${grouped(count)}`);
  const peak = ` peak ${grouped(Math.max(...curve.map(({ requests }) => requests), 1))}/s`;
  const isIdle = all.ms > 0 && now.requests === 0;
  return [
    isIdle && h("p.note", "No requests come in. To see some, run in another terminal: ", h("code", "npx edgebid demo")),
    h("section.card.numbers", figuresOf(now, all, from)),
    h(
      "div.split.aside",
      card(`Funnel, mean of ${WINDOW} seconds`, [funnelOf(now)]),
      h(
        "div.stack",
        card("The last minute", [h("p.soft", key("first"), "requests ", key("third"), "bids", peak), minuteOf(curve)]),
        card(`Since you ${from}`, [
          table("Outcomes", columns).show(outcomes),
          counters.length > 0 && [h("h3", "Counters"), h("p.soft", counters.join(", "))],
        ]),
      ),
    ),
  ];
}

/** The largest figures. */
function figuresOf(now: Sums, all: Sums, from: string): HTMLElement {
  return figures([
    ["requests", rateText(now.requests, now.ms)],
    ["requests with a bid", rateText(now.bids, now.ms)],
    ["share with a bid", percentText(now.bids, now.requests, 1)],
    [`since you ${from}`, `${grouped(all.requests)} requests`],
  ]);
}

/** A bar of all requests, which gets shorter with each reason for no bid, down to the bids. */
function funnelOf({ requests, bids, ms, none }: Sums): HTMLElement {
  const rest = none.slice(MOST_STEPS).reduce((sum, [, count]) => sum + count, 0);
  const reasons = rest > 0 ? [...none.slice(0, MOST_STEPS), ["other reasons", rest] as const] : none;
  let left = requests;
  const checks = reasons.map(([name, out]): Step => {
    left -= out;
    return { name, left, out, text: rateText(out, ms), kind: "check" };
  });
  const first: Step = { name: "requests", left: requests, out: 0, text: rateText(requests, ms), kind: "all" };
  const last: Step = { name: "bids", left: bids, out: 0, text: rateText(bids, ms), kind: "bids" };
  const most = none[0] ? ` Most often there is no bid because of ${none[0][0]}.` : "";
  const some = `Funnel: of ${rateText(requests, ms)} requests, ${rateText(bids, ms)} get a bid.${most}`;
  const label = requests === 0 ? "Funnel: no requests." : some;
  return funnel([first, ...checks, last], requests, { role: "img", "aria-label": label });
}

/** Requests and bids of each second of the last minute, the newest at the right. */
function minuteOf(curve: Figures["curve"]): HTMLElement {
  const last = curve.at(-1) ?? { requests: 0, bids: 0 };
  const missing = Array.from({ length: CURVE - curve.length }, () => ({ requests: 0, bids: 0 }));
  const sizeOf = (rate: number) => BigInt(Math.round(rate * PARTS));
  const seconds = [...missing, ...curve].map(({ requests, bids }) => ({
    title: `${grouped(requests)}/s, ${grouped(bids)}/s with a bid`,
    parts: [
      { size: sizeOf(bids), class: "third" },
      { size: sizeOf(requests - bids), class: "first" },
    ],
  }));
  const now = `now ${grouped(last.requests)} with ${grouped(last.bids)} bids`;
  return bars(seconds, `Requests and bids a second in the last minute: ${now}.`);
}

/** `142/s`; below ten a second with one place. */
function rateText(times: number, ms: number): string {
  const rate = perSecond(times, ms);
  return `${grouped(rate, rate < 10 ? 1 : 0)}/s`;
}
