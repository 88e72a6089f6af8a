//! Bars as SVG. A length is for the eye only: it is made from exact integers, and the amount itself stands beside the bar.

import { s } from "../dom.ts";

/** Units of a bar's whole length. */
const WHOLE = 1000;

/** The length of a part in thousandths of the whole, 0 to 1,000. */
function lengthOf(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0;
  return part >= whole ? WHOLE : Number((part * BigInt(WHOLE)) / whole);
}

/** One bar from left to right. The parts stand behind each other, each with its class, until the whole is full. */
export function bar(parts: { nanos: bigint; class: string }[], whole: bigint, label: string): SVGSVGElement {
  let at = 0;
  const rects = parts.map(({ nanos, class: name }) => {
    const width = Math.min(WHOLE - at, lengthOf(nanos, whole));
    at += width;
    return s("rect", { x: at - width, y: 0, width, height: 10, class: name });
  });
  return s(
    "svg",
    { class: "bar", viewBox: `0 0 ${WHOLE} 10`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    s("rect", { x: 0, y: 0, width: WHOLE, height: 10, class: "rest" }),
    ...rects,
  );
}

/** A value of a chart: its parts stand on each other. */
export interface Stack {
  label: string;
  parts: { nanos: bigint; class: string; title: string }[];
}

const HEIGHT = 160;
/** The widest place of a bar, and the width of all, in the chart's units. */
const PLACE = 60;
const WIDTH = 960;

/** Upright bars, one for each value, as high as their share of the highest. */
export function chart(stacks: Stack[], label: string): SVGSVGElement {
  const sums = stacks.map(({ parts }) => parts.reduce((sum, { nanos }) => sum + nanos, 0n));
  const most = sums.reduce((most, sum) => (sum > most ? sum : most), 1n);
  const place = Math.min(PLACE, WIDTH / Math.max(1, stacks.length));
  const bars = stacks.map(({ label, parts }, at) => {
    let top = HEIGHT;
    const rects = parts.map(({ nanos, class: name }) => {
      const height = (lengthOf(nanos, most) / WHOLE) * HEIGHT;
      top -= height;
      return s("rect", { x: at * place + place * 0.1, y: top, width: place * 0.8, height, class: name });
    });
    const title = [label, ...parts.map(({ title }) => title)].join("\n");
    const hover = s("rect", { x: at * place, y: 0, width: place, height: HEIGHT, class: "hover" });
    return s("g", {}, s("title", {}, title), ...rects, hover);
  });
  return s(
    "svg",
    {
      ...{ class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" },
      ...{ role: "img", "aria-label": label },
    },
    ...bars,
    s("line", { x1: 0, y1: HEIGHT, x2: WIDTH, y2: HEIGHT, class: "axis" }),
  );
}
