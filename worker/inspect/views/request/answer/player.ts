//! A player for video and audio that only runs a clock: it shows when a real player would call which tracker, loads no
//! media and calls no tracker.

import { type Child, h, put } from "../../../dom.ts";
import { button, chip, facts } from "../../../parts/blocks.ts";
import { creative } from "./creative.ts";
import { type Companion, type Tracker, type Vast, vastOf } from "./vast.ts";

const TICK_MS = 100;

/** The player of a VAST document. */
export function playerOf(adm: string, isAudio: boolean): Child {
  const vast = vastOf(adm);
  return vast ? player(vast, isAudio) : h("p.error", "The markup is no VAST document.");
}

/** The player, with all data of the document. */
export function player(vast: Vast, isAudio: boolean): Child {
  const { wrapped, companions } = vast;
  const trackers = trackerList(vast.trackers);
  const wrapper = wrapped && h("p.note", "A wrapper: the player fetches the ad from ", h("code", wrapped));
  const shown = wrapper || screen(vast, isAudio, trackers.reach);
  return [shown, factsOf(vast), trackers.element, companions.map(companion)];
}

function factsOf({ version, title, duration, skip, wrapped, clickThrough, media, verifications }: Vast): HTMLElement {
  return facts([
    ["VAST", version || "no version"],
    ["Title", title],
    ["Duration", duration === null ? "not said" : `${duration} s`],
    ["Skip", wrapped ? "" : skip === null ? "cannot be skipped" : `after ${clock(skip)}`],
    ["Click leads to", clickThrough],
    ...media.map(({ type, width, height, bitrate, url }): [string, ...Child[]] => {
      const size = Number(width) ? `${width}×${height}` : "";
      return ["File", [type, size, bitrate && `${bitrate} kbit/s`].filter(Boolean).join(", "), " ", h("code", url)];
    }),
    ...verifications.map(({ vendor, script, parameters }): [string, ...Child[]] => {
      return ["Verification (OMID)", vendor, " ", h("code", script), parameters && h("code", ` ${parameters}`)];
    }),
  ]);
}

function companion({ width, height, kind, click, content }: Companion): HTMLElement {
  const name = `Companion ${width}×${height}`;
  const about = h("figcaption.soft", `${name}, ${kind}`, click && ` · click leads to ${click}`);
  if (kind !== "HTML") return h("figure", about, h("code", content));
  return h("figure", about, creative(content, Number(width) || 0, Number(height) || 0, name));
}

/** The screen with its controls. `reach` gets the second of the ad; -1 before the start. */
function screen(vast: Vast, isAudio: boolean, reach: (second: number) => void): Child {
  const length = vast.duration ?? 0;
  const now = h("span");
  const skip = h("span", "Skip ›");
  const about = { max: length, step: 0.1, value: 0, "aria-label": "Second of the ad" };
  const bar = h("input", { type: "range", ...about, oninput: draw });
  const play = button("Play", () => (ticker === undefined ? start() : stop()));
  let ticker: ReturnType<typeof setInterval> | undefined;

  function draw(): void {
    const at = Number(bar.value);
    put(now, `${clock(at)} / ${clock(length)}`);
    skip.hidden = vast.skip === null || at < vast.skip;
    bar.setAttribute("aria-valuetext", `${at.toFixed(1)} of ${length} seconds`);
    reach(ticker === undefined && at === 0 ? -1 : at);
  }

  function start(): void {
    if (Number(bar.value) >= length) bar.value = "0";
    put(play, "Pause");
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
    put(play, "Play");
  }

  draw();
  const [file] = vast.media;
  const size = isAudio ? "♪ audio" : [file?.width, file?.height].filter(Boolean).join("×");
  return [h(`div.screen.${isAudio ? "audio" : ""}`, now, size, skip), h("div.row", play, bar)];
}

/** The trackers in the order of time. `reach` highlights those that a player has called by that second. */
function trackerList(trackers: Tracker[]): { element: Child; reach(second: number): void } {
  const sorted = [...trackers].sort((a, b) => (a.at ?? Number.MAX_VALUE) - (b.at ?? Number.MAX_VALUE));
  const rows = sorted.map(({ event, at, url }) => {
    const when = h("span.soft", at === null ? "when it happens" : clock(at));
    return { at, row: h("li", chip(event), " ", when, " ", h("code", url)) };
  });
  const items = rows.map(({ row }) => row);
  const heading = h("h3", "Trackers a player would call (none is called here)");
  return {
    element: [heading, rows.length === 0 ? h("p.soft", "The document has no trackers.") : h("ol.trackers", items)],
    reach(second) {
      for (const { at, row } of rows) row.classList.toggle("reached", at !== null && at <= second);
    },
  };
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${`${Math.floor(seconds % 60)}`.padStart(2, "0")}`;
}
