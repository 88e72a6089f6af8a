//! A player for video and audio that only plays the clock: it loads no media and calls no tracker, and shows which tracker
//! a real player would call when.

import { h, put } from "../../../dom.ts";
import { creative } from "./creative.ts";
import type { Tracker, Vast } from "./vast.ts";

const TICK_MS = 100;

/** The player, with everything that the document says. `width` and `height` are those of the bid; 0 for audio. */
export function player(vast: Vast, isAudio: boolean): HTMLElement {
  const facts: [string, string][] = [
    ["VAST", vast.version || "no version"],
    ["Title", vast.title],
    ["Duration", vast.duration === null ? "not said" : `${vast.duration} s`],
    ["Skip", vast.wrapped ? "" : vast.skip === null ? "cannot be skipped" : `after ${clock(vast.skip)}`],
    ["Click leads to", vast.clickThrough],
  ];
  return h(
    "div",
    { class: "player" },
    vast.wrapped
      ? h("p", { class: "note" }, "A wrapper: the player fetches the ad from ", h("code", {}, vast.wrapped))
      : timeline(vast, isAudio),
    h(
      "dl",
      {},
      ...facts.filter(([, text]) => text !== "").flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]),
      ...vast.media.flatMap(({ type, width, height, bitrate, url }) => [
        h("dt", {}, "File"),
        h(
          "dd",
          {},
          [type, Number(width) ? `${width}×${height}` : "", bitrate && `${bitrate} kbit/s`].filter(Boolean).join(", "),
          " ",
          h("code", {}, url),
        ),
      ]),
      ...vast.verifications.flatMap(({ vendor, script, parameters }) => [
        h("dt", {}, "Verification (OMID)"),
        h("dd", {}, vendor, " ", h("code", {}, script), parameters && h("code", {}, ` ${parameters}`)),
      ]),
    ),
    vast.wrapped && vast.trackers.length > 0 ? trackerList(vast.trackers).element : null,
    ...vast.companions.map((one) =>
      h(
        "figure",
        {},
        h(
          "figcaption",
          {},
          `Companion ${one.width}×${one.height}, ${one.kind}`,
          one.click && ` · click leads to ${one.click}`,
        ),
        one.kind === "HTML"
          ? creative(one.content, one.width, one.height, `Companion ${one.width}×${one.height}`)
          : h("p", {}, h("code", {}, one.content)),
      ),
    ),
  );
}

/** The screen with its controls, and the trackers that light up. */
function timeline(vast: Vast, isAudio: boolean): HTMLElement {
  const length = vast.duration ?? 0;
  const [file] = vast.media;
  const now = h("span", { class: "now" });
  const skip = h("span", { class: "skip-button" }, "Skip ›");
  const bar = h("input", {
    type: "range",
    min: 0,
    max: length,
    step: 0.1,
    value: 0,
    "aria-label": "Second of the ad",
    oninput: () => draw(),
  });
  const play = h("button", { type: "button", class: "primary", onclick: toggle }, "Play");
  const trackers = trackerList(vast.trackers);
  let ticker: ReturnType<typeof setInterval> | undefined;

  function draw(): void {
    const at = Number(bar.value);
    put(now, [`${clock(at)} / ${clock(length)}`]);
    skip.hidden = vast.skip === null || at < vast.skip;
    bar.setAttribute("aria-valuetext", `${at.toFixed(1)} of ${length} seconds`);
    trackers.reach(ticker === undefined && at === 0 ? -1 : at);
  }

  function toggle(): void {
    if (ticker !== undefined) {
      stop();
      return;
    }
    if (Number(bar.value) >= length) bar.value = "0";
    put(play, ["Pause"]);
    ticker = setInterval(() => {
      bar.value = `${Number(bar.value) + TICK_MS / 1000}`;
      if (Number(bar.value) >= length || !bar.isConnected) stop();
      draw();
    }, TICK_MS);
    draw();
  }

  function stop(): void {
    clearInterval(ticker);
    ticker = undefined;
    put(play, ["Play"]);
  }

  draw();
  const size = isAudio ? "audio" : [file?.width, file?.height].filter(Boolean).join("×");
  return h(
    "div",
    {},
    h("div", { class: isAudio ? "screen audio" : "screen" }, h("span", {}, `${isAudio ? "♪ " : ""}${size}`), skip, now),
    h("div", { class: "controls" }, play, bar),
    trackers.element,
  );
}

/** The trackers in the order of time; `reach` lights those that a player has called until a second. */
function trackerList(trackers: Tracker[]): { element: HTMLElement; reach(second: number): void } {
  const sorted = [...trackers].sort((a, b) => (a.at ?? Number.MAX_VALUE) - (b.at ?? Number.MAX_VALUE));
  const rows = sorted.map((tracker) => ({
    tracker,
    row: h(
      "li",
      {},
      h("span", { class: "chip" }, tracker.event),
      h("span", { class: "soft" }, tracker.at === null ? "when it happens" : clock(tracker.at)),
      h("code", {}, tracker.url),
    ),
  }));
  const element = h(
    "div",
    {},
    h("h4", {}, "Trackers a player would call (none is called here)"),
    rows.length === 0
      ? h("p", { class: "soft" }, "The document has no trackers.")
      : h("ol", { class: "trackers" }, ...rows.map(({ row }) => row)),
  );
  return {
    element,
    reach(second) {
      for (const { tracker, row } of rows) row.classList.toggle("reached", tracker.at !== null && tracker.at <= second);
    },
  };
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${`${Math.floor(seconds % 60)}`.padStart(2, "0")}`;
}
