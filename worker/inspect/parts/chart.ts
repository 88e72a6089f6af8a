//! Bars, points and funnels. Lengths are only approximate: they are computed from exact integers, and the amount itself
//! is beside the picture.

import { type Child, h } from "../dom.ts";

/** A part of a picture: its share of the whole, and the class of its colour. */
export interface Part {
  size: bigint;
  class: string;
}

/** A size in per cent of the whole, 0 to 100, with two decimals. */
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

/** One bar from left to right, with its parts one after another, up to the whole. */
export function bar(parts: Part[], whole: bigint, label: string): HTMLElement {
  return h("div.bar", { role: "img", "aria-label": label }, pieces(parts, whole, "width"));
}

/** Upright bars of stacked parts. The highest bar has the height of the picture. */
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
  /** The number that is left after the step, and the number that the step took away. */
  left: number;
  out: number;
  /** The number that stands beside the bar. */
  text: string;
  kind: "all" | "check" | "outbid" | "bids";
  /** For a step that can be chosen: its title, and the function that choosing it calls. */
  title?: string;
  choose?: () => void;
}

/** A bar for each step, shorter than the bar before by the part that the step takes away. */
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
