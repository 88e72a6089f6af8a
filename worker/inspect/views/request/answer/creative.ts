//! Shows the markup of a creative in a frame with its own origin, where no script runs and nothing is loaded. So a look
//! bills no impression.

import { type Child, h, put } from "../../../dom.ts";
import { button, scrolling } from "../../../parts/blocks.ts";

/**
 * The creative at its size in CSS pixels, with a button that loads its pictures from outside. Only a person's click may
 * do that, because the creative's pixels then count an impression somewhere.
 */
export function creative(markup: string, width: number, height: number, name: string): HTMLElement {
  const area = h("div.scroll", scrolling(name));
  const warning = h("span.soft", "If you load them, its pixels count this view.");
  const notes = h("div");
  const load = button("Load its outside images", () => {
    show("/inspect/frame/outside");
    load.remove();
    put(warning, "Its outside images are loaded. Scripts still do not run.");
  });

  function show(src: string): void {
    put(area, h("iframe.creative", { src, sandbox: "allow-scripts", width, height, title: name }));
  }

  function receive({ source, data }: MessageEvent<unknown>): void {
    const frame = area.querySelector("iframe")?.contentWindow;
    if (!area.isConnected) removeEventListener("message", receive);
    else if (!frame || source !== frame) return;
    else if (data === "ready") frame.postMessage(markup, "*");
    else put(notes, leftOut(data));
  }

  addEventListener("message", receive);
  show("/inspect/frame");
  return h("div", area, h("div.row", load, warning), notes);
}

/** Notes on the removed scripts and frames of the creative, from the frame's message. */
function leftOut(data: unknown): Child {
  const { scripts, frames } = data as { scripts?: unknown; frames?: unknown };
  const note = (what: string, addresses: unknown) => {
    if (!Array.isArray(addresses) || addresses.length === 0) return null;
    const others = addresses.length > 1 && `, and ${addresses.length - 1} more`;
    return h("p.note", `A ${what} here: `, h("code", `${addresses[0]}`), others);
  };
  return [note("script of the creative does not run", scripts), note("frame of the creative is not loaded", frames)];
}
