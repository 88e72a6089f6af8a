//! The view `#live`: what the bidder does now, a second after the other.

import { CURVE, Figures, perSecond, type Sums, WINDOW } from "../../../src/tail/figures.ts";
import { h, put } from "../../dom.ts";
import { button, card, figures, key } from "../../parts/blocks.ts";
import { bars, funnel, type Step } from "../../parts/chart.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped, percentText } from "../../parts/text.ts";
import { listen } from "./listen.ts";

/** Reasons with a step of their own in the funnel. Further ones share one. */
const MOST_STEPS = 10;
/** Parts of a request a second that the picture of the last minute tells apart. */
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
  const error = h("p.error", { role: "alert", hidden: true });
  const demo = h("code", "npx edgebid demo");
  const idle = h("p.note", { hidden: true }, "No requests come in. To see some, run in another terminal: ", demo);
  const numbers = h("section.card.numbers");
  const [steps, minute, peak, since] = [h("div"), h("div"), h("span"), h("h2")];
  const others = h("p.soft");
  const counters = h("div", { hidden: true }, h("h3", "Counters"), others);
  const pause = button("Pause", () => (stop ? end() : start("went on")));

  let shown = new Figures();
  let other: Record<string, number> = {};
  let stop: AbortController | null = null;
  const columns: Column<Outcome>[] = [
    { title: "outcome", of: ({ name }) => name },
    { title: "now", isNumber: true, of: ({ recent }) => rateText(recent, shown.now.ms) },
    { title: "requests", isNumber: true, of: ({ count }) => grouped(count) },
    { title: "share", isNumber: true, of: ({ count }) => percentText(count, shown.all.requests, 1) },
  ];
  const outcomes = table("Outcomes", columns);

  put(
    root,
    h("div.row", h("h1", "Live"), status, pause),
    h(
      "p.soft",
      "You see one isolate: with npm start, this is the whole bidder. A deployed bidder has many isolates in many places, and only one of them answers you.",
    ),
    h(
      "div.stack",
      error,
      idle,
      numbers,
      h(
        "div.split.aside",
        card(`Funnel, mean of ${WINDOW} seconds`, [steps]),
        h(
          "div.stack",
          card("The last minute", [h("p.soft", key("first"), "requests ", key("third"), "bids ", peak), minute]),
          h("section.card", since, outcomes.element, counters),
        ),
      ),
    ),
  );

  /** Counts anew. `from` is what a person did. */
  function start(from: string): void {
    stop = new AbortController();
    shown = new Figures();
    other = {};
    put(pause, "Pause");
    put(status, "Asking the bidder…");
    put(since, `Since you ${from}`);
    const show = () => draw(from);
    show();
    const heard = (second: Parameters<typeof shown.add>[0]) => {
      shown.add(second);
      for (const [name, count] of Object.entries(second.other)) other[name] = (other[name] ?? 0) + count;
      show();
    };
    void listen(
      { began: () => say("Listening"), second: heard, failed: (why) => say("Not listening", why) },
      stop.signal,
    );
  }

  function end(): void {
    stop?.abort();
    stop = null;
    put(pause, "Go on");
    put(status, "Paused");
  }

  function say(state: string, why = ""): void {
    put(status, state);
    put(error, why);
    error.hidden = why === "";
  }

  function draw(from: string): void {
    const { now, all, curve } = shown;
    idle.hidden = all.ms === 0 || now.requests > 0;
    put(numbers, figuresOf(now, all, from));
    put(steps, funnelOf(now));
    put(minute, minuteOf(curve));
    put(peak, `peak ${grouped(Math.max(...curve.map(({ requests }) => requests), 1))}/s`);
    const recent = new Map(now.none);
    const reasons = all.none.map(([name, count]) => ({ name, count, recent: recent.get(name) ?? 0 }));
    outcomes.show([{ name: "bid", count: all.bids, recent: now.bids }, ...reasons]);
    const counted = Object.entries(other).map(([name, count]) => `${name} ${grouped(count)}`);
    counters.hidden = counted.length === 0;
    put(others, counted.join(", "));
  }

  start("opened this page");
  left.addEventListener("abort", () => stop?.abort());
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
