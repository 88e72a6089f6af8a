//! Shows figures as they come: in place on a terminal, as a line a second elsewhere, or as NDJSON.

import { countText, percentText } from "../../shared/compare/text.ts";
import { type Figures, perSecond, type Sums } from "../../shared/tail/figures.ts";
import type { Second } from "../../shared/tail/seconds.ts";
import { grouped } from "../money/table.ts";

const BAR = 30;
/** The most no-bid reasons on the screen. The others are shown as one sum. */
const REASONS = 12;
const BLOCKS = " ▁▂▃▄▅▆▇█";

/** Shows one second. */
export type Show = (second: Second, figures: Figures) => void;

/** The way to show figures. On a terminal, `title` is above them. */
export function screen(title: string, { json }: { json?: boolean }): Show {
  const { stdout } = process;
  if (json) return (second) => void stdout.write(`${JSON.stringify(second)}\n`);
  if (!stdout.isTTY) return (second) => void stdout.write(`${lineOf(second)}\n`);
  let height = 0;
  return (_, figures) => {
    const lines = [title, "", ...picture(figures), "", "Ctrl-C ends it."];
    const cut = lines.map((line) => line.slice(0, (stdout.columns || 80) - 1));
    stdout.write(`${height > 0 ? `\x1b[${height}A\x1b[J` : ""}${cut.join("\n")}\n`);
    height = lines.length;
  };
}

/** `12:00:01  142 requests, 54 bids (38.0 %), 33 floor, 9 targeting`. */
export function lineOf({ at, requests, bids, none, lost }: Second): string {
  const reasons = Object.entries(none).sort(([, one], [, two]) => two - one);
  const parts = [countText(requests, "request"), `${countText(bids, "bid")}${share(bids, requests)}`];
  parts.push(...reasons.map(([reason, times]) => `${grouped(times)} ${reason}`));
  if (lost > 0) parts.push(`${grouped(lost)} not kept`);
  return `${new Date(at).toISOString().slice(11, 19)}  ${parts.join(", ")}`;
}

/** The funnel as text: a curve, a bar of bids, and a bar for each reason. */
export function picture({ now, all, curve }: Pick<Figures, "now" | "all" | "curve">): string[] {
  const shown = [...now.none.slice(0, REASONS)];
  const rest = now.none.slice(REASONS).reduce((sum, [, times]) => sum + times, 0);
  if (rest > 0) shown.push(["others", rest]);
  const rate = (times: number) => `${grouped(Math.round(perSecond(times, now.ms)))}/s`.padStart(9);
  const row = (name: string, times: number) =>
    `${name.padEnd(22)} ${rate(times)}  ${bar(times, now.requests)}${share(times, now.requests)}`;
  return [
    `${"requests".padEnd(22)} ${rate(now.requests)}  ${sparkline(curve.map(({ requests }) => requests))}`,
    row("bids", now.bids),
    ...shown.map(([reason, times]) => row(`  ${reason}`, times)),
    "",
    summary(all),
  ];
}

/** The sums in one sentence. */
export function summary({ ms, requests, bids, none }: Sums): string {
  const reasons = none.slice(0, 5).map(([reason, times]) => `${reason} ${grouped(times)}`);
  const why = reasons.length > 0 ? `; no bid: ${reasons.join(", ")}${none.length > 5 ? ", …" : ""}` : "";
  return `${Math.round(ms / 1000)} s: ${countText(requests, "request")}, ${countText(bids, "bid")}${share(bids, requests)}${why}`;
}

function sparkline(values: number[]): string {
  const most = Math.max(...values, 1);
  return values.map((value) => BLOCKS[Math.ceil((value / most) * (BLOCKS.length - 1))]).join("");
}

function bar(part: number, whole: number): string {
  return "█".repeat(whole > 0 ? Math.round((part / whole) * BAR) : 0);
}

function share(part: number, whole: number): string {
  return whole > 0 ? ` (${percentText(part, whole, 1)})` : "";
}
