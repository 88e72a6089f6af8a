//! Texts for people, of the commands and of the inspector: how many things there are, the first of them, sizes, parts.

import type { Stopped } from "../catalog/pointer.ts";

/** The most ids, values or lines that a text has, before it only counts the others. */
export const MOST_IDS = 5;

/** `1 note`, `2 notes`, `1,234 notes`. */
export function countText(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A campaign, and its deal. */
export function nameOf({ cid, dealid }: { cid: string; dealid?: string }): string {
  return dealid ? `${cid} under ${dealid}` : cid;
}

/** What a check wanted and what the request has; empty if neither is told. */
export function wantedText({ wanted, found }: { wanted?: string; found?: string }): string {
  return wanted || found ? `wanted ${wanted || "–"}; found ${found || "–"}` : "";
}

/** Bytes as `3.4 KB`. */
export function bytesText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A part of a whole as `12.50 %`; `–` without a whole. */
export function percentText(part: number, whole: number, decimals = 2): string {
  return whole === 0 ? "–" : `${((part / whole) * 100).toFixed(decimals)} %`;
}

/** The first of these texts, and how many more there are. */
export function firstOf(texts: string[], between = ", "): string {
  const more = texts.length - MOST_IDS;
  return `${texts.slice(0, MOST_IDS).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A text as one word of a shell's command line. */
export function quoted(text: string): string {
  return /^[\w.:@%+,/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command that lifts a stop in the KV that the options `where` name. */
export function resumeHint({ all, cids = [] }: Stopped, where: string): string {
  const what = all || cids.length > MOST_IDS ? "--all" : cids.map(quoted).join(" ");
  return `npx edgebid resume ${what} ${where}`;
}
