//! The view `#live`.

import { h, put } from "../../dom.ts";

/** Shows the view. */
export function mount(root: HTMLElement): () => void {
  put(root, [h("h1", {}, "Live"), h("p", { class: "empty" }, "There is nothing to see here yet.")]);
  return () => {};
}
