//! Bars, points and funnels. A length is for the eye only: it is made from exact integers, and the amount itself
//! stands beside the picture.

import { type Child, h } from "../dom.ts";

/** A part of a picture: how much of the whole it is, and the class of its colour. */
export interface Part {
  size: bigint;
  class: string;
}

/** How much of the whole a size is, in per cent with two places, 0 to 100. */
export function percentOf(size: bigint, whole: bigint): number {
  if (whole <= 0n || size <= 0n) return 0;
  return size >= whole ? 100 : Number((size * 10_000n) / whole) / 100;
}

/** The largest of the sizes, at least 1. */
export function largest(sizes: bigint[]): bigint {
  return sizes.reduce((most, size) => (size > most ? size : most), 1n);
}

export function sumOf(parts: Part[]): bigint {
  return parts.reduce((sum, { size }) => sum + size, 0n);
}

/** One bar from left to right. The parts stand behind each other until the whole is full. */
export function bar(parts: Part[], whole: bigint, label: string): HTMLElement {
  return h("div.bar", { role: "img", "aria-label": label }, pieces(parts, whole, "width"));
}

/** Upright bars of parts that stand on each other. The highest bar has the height of the picture. */
export function bars(all: { title: string; parts: Part[] }[], label: string): HTMLElement {
  const most = largest(all.map(({ parts }) => sumOf(parts)));
  const upright = all.map(({ title, parts }) => h("div", { title }, pieces(parts, most, "height")));
  return h("div.bars", { role: "img", "aria-label": label }, upright);
}

/** Points on two axes. `x` and `y` are per cent of the picture. */
export function points(all: { x: number; y: number; title: string }[], label: string): HTMLElement {
  const marks = all.map(({ x, y, title }) => {
    const point = h("span", { title });
    Object.assign(point.style, { left: `${x}%`, bottom: `${y}%` });
    return point;
  });
  return h("div.points", { role: "img", "aria-label": label }, marks);
}

/** A step of a funnel. */
export interface Step {
  name: string;
  /** What is left after the step, and what it has taken away. */
  left: number;
  out: number;
  /** The number that stands beside the bar. */
  text: string;
  kind: "all" | "check" | "outbid" | "bids";
  /** For a step that can be chosen: what it is called, and what choosing does. */
  title?: string;
  choose?: () => void;
}

/** A bar for each step, which gets shorter by what the step takes away. */
export function funnel(steps: Step[], whole: number, label: Record<string, string>): HTMLElement {
  const line = ({ name, left, out, text, kind, title, choose }: Step) => {
    const parts = [
      { size: BigInt(left), class: "left" },
      { size: BigInt(out), class: "out" },
    ];
    const shares = h("span.bar", pieces(parts, BigInt(whole), "width"));
    const content: Child[] = [h("span.name", name), shares, h("span.count", text)];
    if (choose === undefined) return h(`div.${kind}`, content);
    return h(`button.${kind}`, { type: "button", title, "aria-label": title, onclick: choose }, content);
  };
  return h("div.funnel", label, steps.map(line));
}

function pieces(parts: Part[], whole: bigint, side: "width" | "height"): HTMLElement[] {
  return parts
    .filter(({ size }) => size > 0n)
    .map(({ size, class: name }) => {
      const piece = h(`span.${name}`);
      piece.style[side] = `${percentOf(size, whole)}%`;
      return piece;
    });
}
