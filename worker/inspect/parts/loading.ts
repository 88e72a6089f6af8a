//! Shows what the Worker answers: that the page waits, then the answer, or why there is none.

import { type Child, h, put } from "../dom.ts";

/**
 * Fills the place with what `work` gives. `work` gets a signal that ends its questions. Returns what ends them: after
 * that, nothing is put into the place any more.
 */
export function fill(place: HTMLElement, work: (signal: AbortSignal) => Promise<Child[]>): () => void {
  const control = new AbortController();
  const run = async () => {
    place.setAttribute("aria-busy", "true");
    if (place.childElementCount === 0) put(place, [h("p", { class: "soft" }, "Asking the bidder…")]);
    try {
      const children = await work(control.signal);
      if (!control.signal.aborted) put(place, children);
    } catch (error) {
      if (control.signal.aborted) return;
      const again = h("button", { type: "button", onclick: () => void run() }, "Try again");
      put(place, [
        h("p", { class: "error", role: "alert" }, error instanceof Error ? error.message : String(error)),
        h("div", { class: "buttons" }, again),
      ]);
    } finally {
      place.removeAttribute("aria-busy");
    }
  };
  void run();
  return () => control.abort();
}
