//! How the catalog commands say things: text for people, JSON for programs, colours on a terminal only.

import { styleText } from "node:util";
import { type CatalogRefused, type Finding, placeText } from "../../worker/src/catalog/compile.ts";
import type { Change } from "./diff.ts";
import type { Version } from "./versions.ts";

const SERVED = styleText("green", "●");
const BESIDE = styleText("yellow", "◐");

/** A line on standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A result: the value as JSON, or the text for people. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  printLine(json ? JSON.stringify(value, null, 2) : text);
}

/** `what` is what the command says of a catalog that is refused. */
export function printRefusal({ findings }: CatalogRefused, json: boolean, what: string): void {
  if (json) {
    printLine(JSON.stringify({ error: "refused", findings }, null, 2));
    return;
  }
  const lines = findingsText(findings);
  process.stderr.write(`${styleText("red", "✗")} ${what}; ${countsText(findings)}:${lines}\n`);
}

/** `2 errors, 1 note`; notes only where there are some. */
export function countsText(findings: Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const notes = findings.length - errors;
  return `${countText(errors, "error")}${notes > 0 ? `, ${countText(notes, "note")}` : ""}`;
}

/** `1 note`, `2 notes`. */
export function countText(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A line for each, with a line break in front. */
export function findingsText(findings: Finding[]): string {
  const lines = findings.map((finding) => {
    const note = finding.severity === "note" ? styleText("yellow", "note ") : "";
    return `\n  ${note}${placeText(finding)}${finding.message} ${styleText("dim", `[${finding.rule}]`)}`;
  });
  return lines.join("");
}

export function done(text: string): string {
  return `${styleText("green", "✓")} ${text}`;
}

/** `12 campaigns, 3.4 KB`. */
export function sizeText(campaigns: number, bytes: number): string {
  const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${campaigns} campaign${campaigns === 1 ? "" : "s"}, ${size}`;
}

export function versionText({ version, current, beside, pushed, campaigns, bytes, note }: Version): string {
  const mark = current ? SERVED : beside ? BESIDE : " ";
  if (pushed === undefined) return `${mark} ${version}  not whole: its push was interrupted`;
  const size = sizeText(campaigns ?? 0, bytes ?? 0);
  return `${mark} ${version}  ${timeText(pushed)}  ${size}${beside ? `  ${besideText(beside)}` : ""}${note ? `  ${note}` : ""}`;
}

/** Since when a version serves, and why. */
export function servedText({ since, note }: NonNullable<Version["served"]>): string {
  return `served since ${timeText(since)}${note ? `: ${note}` : ""}`;
}

/** What the marks in front of these versions mean. */
export function marksText(versions: Version[]): string[] {
  const marks = [
    ...(versions.some(({ current }) => current) ? [`${SERVED} is served`] : []),
    ...(versions.some(({ beside }) => beside) ? [`${BESIDE} stands beside it`] : []),
  ];
  return marks.length > 0 ? [marks.join(", ")] : [];
}

/** `2026-11-21 12:00:00 UTC`, of ISO 8601. */
export function timeText(time: string): string {
  return `${time.slice(0, 19).replace("T", " ")} UTC`;
}

/** `split 10 %`. */
export function besideText({ mode, share }: { mode: string; share: number }): string {
  return `${mode} ${share} %`;
}

const COLORS = { added: "green", removed: "red", changed: "yellow" } as const;
const NOUNS = { campaigns: "campaign", creatives: "creative", ssps: "SSP", rates: "rate", settings: "setting" };
const MOST_CAMPAIGNS = 5;

export function changeText({ list, id, change, details, campaigns = [] }: Change): string {
  const shown = campaigns.slice(0, MOST_CAMPAIGNS).join(", ");
  const more = campaigns.length > MOST_CAMPAIGNS ? ` and ${campaigns.length - MOST_CAMPAIGNS} more` : "";
  const of = campaigns.length > 0 ? ` (shown by ${shown}${more})` : "";
  const lines = details.map((detail) => `\n    ${detail}`);
  return `${NOUNS[list]} ${styleText("bold", id)} ${styleText(COLORS[change], change)}${of}${lines.join("")}`;
}
