//! Shows that the page waits for the Worker, and then the answer, or why there is none.

import { type Child, h, put } from "../dom.ts";
import { button } from "./blocks.ts";

const running = new WeakMap<HTMLElement, AbortController>();

/**
 * Fills the area with the result of `work`. `work` gets a signal that ends its requests, when `left` aborts or when
 * the same area is filled again. After that, its result is dropped.
 */
export async function fill(
  area: HTMLElement,
  left: AbortSignal,
  work: (signal: AbortSignal) => Promise<Child>,
): Promise<void> {
  running.get(area)?.abort();
  const control = new AbortController();
  running.set(area, control);
  const signal = AbortSignal.any([left, control.signal]);
  area.setAttribute("aria-busy", "true");
  if (area.childElementCount === 0) put(area, skeleton());
  try {
    const children = await work(signal);
    if (!signal.aborted) put(area, children);
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    const again = button("Try again", () => fill(area, left, work));
    put(area, h("p.error", { role: "alert" }, reason), again);
  } finally {
    if (running.get(area) === control) area.removeAttribute("aria-busy");
  }
}

/** The outlines of what is to come. */
function skeleton(): Child {
  return h("div.card.skeleton", h("p.unseen", "Asking the bidder…"), h("span"), h("span"), h("span"));
}

/**
 * Returns a function that runs the work after so many milliseconds without another call, unless the view is left
 * before.
 */
export function afterPause(left: AbortSignal, work: () => void): (ms: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  left.addEventListener("abort", () => clearTimeout(timer));
  return (ms) => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}
