//! A player for video and audio that only plays the clock: it loads no media and calls no tracker, and shows which tracker
//! a real player would call when.

import { type Child, h, put } from "../../../dom.ts";
import { chip, code, facts, text } from "../../../parts/blocks.ts";
import { creative } from "./creative.ts";
import type { Companion, Tracker, Vast } from "./vast.ts";

const TICK_MS = 100;

/** The player, with everything that the document says. `width` and `height` are those of the bid; 0 for audio. */
export function player(vast: Vast, isAudio: boolean): HTMLElement {
  const { wrapped, trackers, companions } = vast;
  return h(
    "div",
    { class: "player" },
    wrapped ? text("note", "A wrapper: the player fetches the ad from ", code(wrapped)) : timeline(vast, isAudio),
    facts(factsOf(vast)),
    wrapped && trackers.length > 0 ? trackerList(trackers).element : null,
    ...companions.map(companion),
  );
}

function factsOf(vast: Vast): [name: string, ...Child[]][] {
  const { version, title, duration, skip, wrapped, clickThrough, media, verifications } = vast;
  return [
    ["VAST", version || "no version"],
    ["Title", title],
    ["Duration", duration === null ? "not said" : `${duration} s`],
    ["Skip", wrapped ? "" : skip === null ? "cannot be skipped" : `after ${clock(skip)}`],
    ["Click leads to", clickThrough],
    ...media.map(({ type, width, height, bitrate, url }): [string, ...Child[]] => {
      const size = Number(width) ? `${width}×${height}` : "";
      return ["File", [type, size, bitrate && `${bitrate} kbit/s`].filter(Boolean).join(", "), " ", code(url)];
    }),
    ...verifications.map(({ vendor, script, parameters }): [string, ...Child[]] => {
      return ["Verification (OMID)", vendor, " ", code(script), parameters && code(` ${parameters}`)];
    }),
  ];
}

function companion({ width, height, kind, click, content }: Companion): HTMLElement {
  const name = `Companion ${width}×${height}`;
  return h(
    "figure",
    {},
    h("figcaption", {}, `${name}, ${kind}`, click && ` · click leads to ${click}`),
    kind === "HTML" ? creative(content, width, height, name) : h("p", {}, code(content)),
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
  const rows = sorted.map(({ event, at, url }) => {
    const when = h("span", { class: "soft" }, at === null ? "when it happens" : clock(at));
    return { at, row: h("li", {}, chip(event), when, code(url)) };
  });
  const element = h(
    "div",
    {},
    h("h4", {}, "Trackers a player would call (none is called here)"),
    rows.length === 0
      ? text("soft", "The document has no trackers.")
      : h("ol", { class: "trackers" }, ...rows.map(({ row }) => row)),
  );
  return {
    element,
    reach(second) {
      for (const { at, row } of rows) row.classList.toggle("reached", at !== null && at <= second);
    },
  };
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${`${Math.floor(seconds % 60)}`.padStart(2, "0")}`;
}
