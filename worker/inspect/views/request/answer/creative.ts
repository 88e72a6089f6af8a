//! Shows the markup of a creative. It gets a frame in an origin of its own, where no script runs and nothing is loaded,
//! so that looking bills no impression.

import { h, put } from "../../../dom.ts";
import { code, scrolling, text } from "../../../parts/blocks.ts";

/** The frames of the page, with what each one gets and what it then tells. */
const frames = new Map<HTMLIFrameElement, { markup: string; told: (data: unknown) => void }>();

addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
  for (const [frame, { markup, told }] of frames) {
    if (!frame.isConnected) frames.delete(frame);
    else if (frame.contentWindow !== source) continue;
    else if (data === "ready") frame.contentWindow?.postMessage(markup, "*");
    else told(data);
  }
});

/**
 * The creative at its size in CSS pixels, with a button that loads its pictures from outside. Only a person's click may
 * do that, because the creative's pixels then count an impression somewhere.
 */
export function creative(markup: string, width: number, height: number, name: string): HTMLElement {
  const place = h("div", { class: "scroll", ...scrolling(name) });
  const load = h(
    "button",
    { type: "button", onclick: () => show("/inspect/frame/outside") },
    "Load its outside images",
  );
  const warning = h("span", { class: "soft" }, "If you load them, its pixels count this view.");
  const notes = h("div");

  function show(src: string): void {
    const frame = h("iframe", { src, sandbox: "allow-scripts", width, height, title: name, class: "creative" });
    frames.set(frame, { markup, told: (data) => put(notes, leftOut(data)) });
    put(place, [frame]);
    if (src.endsWith("/outside")) {
      load.disabled = true;
      put(warning, ["Its outside images are loaded. Scripts still do not run."]);
    }
  }

  show("/inspect/frame");
  return h("div", { class: "creative-box" }, place, h("div", { class: "buttons" }, load, warning), notes);
}

/** Notes on the scripts and frames of the creative, as the frame tells them. */
function leftOut(data: unknown): HTMLElement[] {
  const { scripts, frames } = data as { scripts?: unknown; frames?: unknown };
  return [["script", scripts, "does not run here"] as const, ["frame", frames, "is not loaded here"] as const].flatMap(
    ([what, addresses, why]) => {
      if (!Array.isArray(addresses) || addresses.length === 0) return [];
      const others = addresses.length > 1 ? `, and ${addresses.length - 1} more` : "";
      return [text("note", `A ${what} of the creative ${why}: `, code(`${addresses[0]}`), others)];
    },
  );
}
