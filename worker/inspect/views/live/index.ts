//! The view `#live`: what the bidder does now, second by second.

import { CURVE, Figures, perSecond, type Sums, WINDOW } from "../../../../shared/tail/figures.ts";
import type { Second } from "../../../../shared/tail/seconds.ts";
import { h, put } from "../../dom.ts";
import { button, card, chip, choice, field, figures, key, type Option } from "../../parts/blocks.ts";
import { bars, funnel, type Step } from "../../parts/chart.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped, percentText, plain } from "../../parts/text.ts";
import { type Captured, open } from "../request/own.ts";
import { listen } from "./listen.ts";

/** The most no-bid reasons with their own step in the funnel. The others share one step. */
const MOST_STEPS = 10;
/** The resolution of the picture of the last minute: this many parts of one request a second. */
const PARTS = 1000;

/** Captured requests that are kept, the newest ones. */
const KEPT = 100;
const CAPTURES: Option[] = [
  ["0", "none"],
  ["1", "each"],
  ...["10", "100", "1000"].map((n): Option => [n, `one in ${grouped(Number(n))}`]),
];

/** An outcome: how many requests a second had it in the last seconds, how many since the start, of how many. */
interface Outcome {
  name: string;
  rate: number;
  count: number;
  all: number;
}

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const status = h("p.soft", { role: "status" });
  const trouble = h("div");
  const pause = button("Pause", () => (stop ? end() : start("went on")));
  const oneIn = choice("one-in", CAPTURES, () => start("chose what to capture"));
  const counts = countsCards();
  const requests = requestsCard(field("Capture requests", oneIn));
  let stop: AbortController | null = null;

  /** Starts to count from zero. `from` is the action of the person that started it, for the text `Since you …`. */
  function start(from: string): void {
    stop?.abort();
    stop = new AbortController();
    const counted = new Figures();
    const other: Record<string, number> = {};
    let kept: Captured[] = [];
    const show = (state: string, why = "") => {
      put(status, state);
      put(trouble, why && h("p.error", { role: "alert" }, why));
      counts.show(counted, other, from);
      requests.show(kept);
    };
    put(pause, "Pause");
    show("Asking the bidder…");
    const second = (next: Second) => {
      counted.add(next);
      for (const [name, count] of Object.entries(next.other)) other[name] = (other[name] ?? 0) + count;
      show("Listening");
    };
    const captured = (request: Captured) => {
      kept = [request, ...kept].slice(0, KEPT);
    };
    const [began, failed] = [() => show("Listening"), (why: string) => show("Not listening", why)];
    void listen({ began, second, captured, failed }, oneIn.value, stop.signal);
  }

  function end(): void {
    stop?.abort();
    stop = null;
    put(pause, "Go on");
    put(status, "Paused");
  }

  const note =
    "You see one isolate: with npm start, this is the whole bidder. A deployed bidder has many isolates in many places, and only one of them answers you.";
  const heading = h("div.row", h("h1", "Live"), status, pause);
  put(root, heading, h("p.soft", note), h("div.stack", trouble, counts.element, requests.element));
  start("opened this page");
  left.addEventListener("abort", () => stop?.abort());
}

/** The cards of all counts. What a person has focused or sorted in the table stays from second to second. */
function countsCards() {
  const columns: Column<Outcome>[] = [
    { title: "outcome", value: ({ name }) => name },
    { title: "now", isNumber: true, value: ({ rate }) => rate.toFixed(3), of: ({ rate }) => rateText(rate) },
    { title: "requests", isNumber: true, value: ({ count }) => count },
    {
      ...{ title: "share", isNumber: true, value: ({ count }) => count },
      of: ({ count, all }) => percentText(count, all, 1),
    },
  ];
  const outcomes = table("Requests by outcome", columns);
  const [idle, numbers, funnel, minute] = [h("div"), h("section.card.numbers"), h("div"), h("div")];
  const [since, rest] = [h("p.soft"), h("div")];
  const aside = h("div.stack", minute, card("Outcomes", [since, outcomes.element, rest]));
  const element = h("div.stack", idle, numbers, h("div.split.aside", funnel, aside));

  /** `other`: counters that are not outcomes. */
  function show({ now, all, curve }: Figures, other: Record<string, number>, from: string): void {
    const isIdle = all.ms > 0 && now.requests === 0;
    const demo = h("code", "npx edgebid demo");
    put(idle, isIdle && h("p.note", "No requests come in. To see some, run in another terminal: ", demo));
    put(numbers, figuresOf(now, all, from));
    put(funnel, card(`Funnel, mean of ${WINDOW} seconds`, [funnelOf(now)]));
    const peak = ` peak ${grouped(Math.max(...curve.map(({ requests }) => requests), 1))}/s`;
    const legend = h("p.soft", key("first"), "requests ", key("third"), "bids", peak);
    put(minute, card("The last minute", [legend, minuteOf(curve)]));
    put(since, `Since you ${from}.`);
    const recent = new Map([["bid", now.bids], ...now.none]);
    const counts: [string, number][] = [["bid", all.bids], ...all.none];
    outcomes.show(
      counts.map(([name, count]): Outcome => {
        return { name, count, all: all.requests, rate: perSecond(recent.get(name) ?? 0, now.ms) };
      }),
    );
    const counters = Object.entries(other).map(([name, count]) => `${name} ${grouped(count)}`);
    put(rest, counters.length > 0 && [h("h3", "Counters"), h("p.soft", counters.join(", "))]);
  }
  return { element, show };
}

/** The card of the captured requests, each of which opens in the view of requests. */
function requestsCard(choose: HTMLElement) {
  const columns: Column<Captured>[] = [
    { title: "Time", value: ({ at }) => at, of: (one) => button(timeOf(one), () => open(one), "quiet") },
    { title: "SSP", value: ({ ssp }) => ssp },
    { title: "Outcome", of: ({ outcome }) => chip(outcome, `says.${outcome === "bid" ? "good" : "bad"}`) },
    { title: "Request", value: ({ request }) => plain(request["id"]) },
  ];
  const requests = table("Captured requests, the newest first", columns);
  const note = h(
    "p.soft",
    "Choose a time to see why the request got its answer. What identifies a person is removed from a captured request.",
  );
  const area = h("div");
  const show = (all: Captured[]) => put(area, all.length > 0 && [note, requests.show(all)]);
  return { element: card("Requests", [choose, area]), show };
}

function timeOf({ at }: Captured): string {
  return at.slice("2026-11-18T".length, "2026-11-18T12:00:00.000".length);
}

/** The largest figures. */
function figuresOf(now: Sums, all: Sums, from: string): HTMLElement {
  return figures([
    ["requests", rateText(perSecond(now.requests, now.ms))],
    ["requests with a bid", rateText(perSecond(now.bids, now.ms))],
    ["share with a bid", percentText(now.bids, now.requests, 1)],
    [`since you ${from}`, `${grouped(all.requests)} requests`],
  ]);
}

/** A bar of all requests, which gets shorter with each reason for no bid, down to the bids. */
function funnelOf({ requests, bids, ms, none }: Sums): HTMLElement {
  const rest = none.slice(MOST_STEPS).reduce((sum, [, count]) => sum + count, 0);
  const reasons = rest > 0 ? [...none.slice(0, MOST_STEPS), ["other reasons", rest] as const] : none;
  const text = (times: number) => rateText(perSecond(times, ms));
  let left = requests;
  const checks = reasons.map(([name, out]): Step => {
    left -= out;
    return { name, left, out, text: text(out), kind: "check" };
  });
  const first: Step = { name: "requests", left: requests, out: 0, text: text(requests), kind: "all" };
  const last: Step = { name: "bids", left: bids, out: 0, text: text(bids), kind: "bids" };
  const most = none[0] ? ` Most often there is no bid because of ${none[0][0]}.` : "";
  const some = `Funnel: of ${text(requests)} requests, ${text(bids)} get a bid.${most}`;
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

/** `142/s`; below ten a second with one area. */
function rateText(rate: number): string {
  return `${grouped(rate, rate < 10 ? 1 : 0)}/s`;
}
