//! The funnel as a picture: a bar of all requests, which gets shorter with each reason for no bid, down to the bids. The
//! elements stay, and only their sizes change, so that the style sheet can move them.

import { perSecond, type Sums } from "../../../src/tail/figures.ts";
import { s } from "../../dom.ts";

const ROW = 30;
const BAR = 20;
/** Pixels of the names before the bars at most, and of the numbers behind them. */
const NAMES = 190;
const NUMBERS = 70;
/** Reasons with a bar of their own. Further ones share one. */
const MOST = 10;

interface Row {
  group: SVGGElement;
  left: SVGRectElement;
  dropped: SVGRectElement;
  name: SVGTextElement;
  number: SVGTextElement;
}

export class Funnel {
  readonly element = s("svg", { class: "funnel", role: "img", height: 2 * ROW });
  readonly #rows = new Map<string, Row>();

  /** Shows these sums. */
  show(sums: Sums): void {
    const steps = stepsOf(sums);
    // The picture has as many units as pixels, so that its texts can be read on a phone too.
    const width = this.element.clientWidth || this.element.parentElement?.clientWidth || 640;
    const begin = Math.min(NAMES, Math.round(width * 0.38));
    const scale = sums.requests > 0 ? Math.max(0, width - begin - NUMBERS) / sums.requests : 0;
    const shown = new Set<string>();
    for (const [place, { kind, name, before, dropped }] of steps.entries()) {
      const key = `${kind} ${name}`;
      shown.add(key);
      const row = this.#rows.get(key) ?? this.#add(key, kind, name);
      const left = kind === "reason" ? before - dropped : before;
      row.group.setAttribute("transform", `translate(0 ${place * ROW})`);
      row.name.setAttribute("x", `${begin - 10}`);
      row.number.setAttribute("x", `${width - 2}`);
      row.left.setAttribute("x", `${begin}`);
      row.left.setAttribute("width", (left * scale).toFixed(1));
      row.dropped.setAttribute("x", (begin + left * scale).toFixed(1));
      row.dropped.setAttribute("width", (dropped * scale).toFixed(1));
      row.number.textContent = `${rateText(kind === "reason" ? dropped : before, sums.ms)}`;
    }
    for (const [key, { group }] of this.#rows) {
      if (shown.has(key)) continue;
      group.remove();
      this.#rows.delete(key);
    }
    this.element.setAttribute("height", `${steps.length * ROW}`);
    this.element.setAttribute("aria-label", sentence(sums));
  }

  #add(key: string, kind: string, name: string): Row {
    const middle = ROW / 2 + 5;
    const left = s("rect", { class: `left ${kind}`, x: 0, y: (ROW - BAR) / 2, height: BAR, width: 0, rx: 3 });
    const dropped = s("rect", { class: "dropped", x: 0, y: (ROW - BAR) / 2, height: BAR, width: 0, rx: 3 });
    const label = s("text", { y: middle, "text-anchor": "end" }, name);
    const number = s("text", { class: "rate", y: middle, "text-anchor": "end" });
    const group = s("g", {}, left, dropped, label, number);
    this.element.append(group);
    const row = { group, left, dropped, name: label, number };
    this.#rows.set(key, row);
    return row;
  }
}

interface Step {
  kind: "all" | "reason" | "bids";
  name: string;
  /** Requests that are left before the step. */
  before: number;
  /** Requests that the step takes away. */
  dropped: number;
}

function stepsOf({ requests, bids, none }: Sums): Step[] {
  const steps: Step[] = [{ kind: "all", name: "requests", before: requests, dropped: 0 }];
  const rest = none.slice(MOST).reduce((sum, [, count]) => sum + count, 0);
  const reasons = rest > 0 ? [...none.slice(0, MOST), ["other reasons", rest] as const] : none;
  let before = requests;
  for (const [name, dropped] of reasons) {
    steps.push({ kind: "reason", name, before, dropped });
    before -= dropped;
  }
  return [...steps, { kind: "bids", name: "bids", before: bids, dropped: 0 }];
}

/** The picture in words. */
function sentence({ requests, bids, ms, none }: Sums): string {
  if (requests === 0) return "Funnel: no requests.";
  const [first] = none;
  const most = first ? ` Most often there is no bid because of ${first[0]}.` : "";
  return `Funnel: of ${rateText(requests, ms)} requests, ${rateText(bids, ms)} get a bid.${most}`;
}

/** `142/s`; below ten a second with one place. */
export function rateText(times: number, ms: number): string {
  const rate = perSecond(times, ms);
  return `${rate.toLocaleString("en-US", { maximumFractionDigits: rate < 10 ? 1 : 0 })}/s`;
}
