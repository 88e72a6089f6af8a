//! The state of a view in the address, after the view's name: `#money?from=2026-11-01`. With it, a link can be shared.

import { type Child, put } from "../dom.ts";

/** Draws a view, and draws it again whenever the address changes. */
export function follow(root: HTMLElement, left: AbortSignal, content: (left: AbortSignal) => Child): void {
  const draw = () => put(root, content(left));
  addEventListener("hashchange", draw, { signal: left });
  draw();
}

/** The state of the view in the address; empty if the address names another view. */
export function kept(view: string): URLSearchParams {
  const [name, query = ""] = location.hash.slice(1).split("?");
  return new URLSearchParams(name === view ? query : "");
}

/** The parameters of a state. Empty values are left out. */
export function parametersOf(state: object): URLSearchParams {
  return new URLSearchParams(Object.entries(state).filter(([, value]) => value !== ""));
}

/** The address of a view in a state. */
export function addressOf(view: string, state: object): string {
  return `#${view}?${parametersOf(state)}`;
}

/** Puts the state into the address, without a step in the history. */
export function keep(view: string, state: object): void {
  history.replaceState(null, "", addressOf(view, state));
}
