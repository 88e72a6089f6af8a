//! The output of the catalog commands: text for people, JSON for programs, colours on a terminal only.

import { styleText } from "node:util";
import { type CatalogRefused, type Finding, placeText } from "../../shared/catalog/compile.ts";
import type { Version } from "../../shared/catalog/listing.ts";
import type { Stopped } from "../../shared/catalog/stopped.ts";
import type { Change } from "../../shared/compare/diff.ts";
import { bytesText, countText, firstOf } from "../../shared/compare/text.ts";

const SERVED = styleText("green", "●");
const SECOND = styleText("yellow", "◐");
const STOPPED = styleText("red", "■");

/** Prints a line on standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a result: the value as JSON, or the text for people. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  printLine(json ? JSON.stringify(value, null, 2) : text);
}

/** Prints the findings of a refused catalog. `what` is the headline for people. */
export function printRefusal({ findings }: CatalogRefused, json: boolean, what: string): void {
  if (json) {
    printLine(JSON.stringify({ error: "refused", findings }, null, 2));
    return;
  }
  const lines = findingsText(findings);
  process.stderr.write(`${styleText("red", "✗")} ${what}; ${countsText(findings)}:${lines}\n`);
}

/** `2 errors, 1 note`, or `2 errors` if there are no notes. */
export function countsText(findings: Finding[]): string {
  const errors = errorsIn(findings);
  const notes = findings.length - errors;
  return `${countText(errors, "error")}${notes > 0 ? `, ${countText(notes, "note")}` : ""}`;
}

export function errorsIn(findings: Finding[]): number {
  return findings.filter(({ severity }) => severity === "error").length;
}

/** One line per finding, each after a line break. */
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
export function sizeText({ campaigns = 0, bytes = 0 }: { campaigns?: number; bytes?: number }): string {
  return `${countText(campaigns, "campaign")}, ${bytesText(bytes)}`;
}

export function versionText(entry: Omit<Version, "keys">): string {
  const { version, current, beside, pushed, note } = entry;
  const mark = current ? SERVED : beside ? SECOND : " ";
  if (pushed === undefined) return `${mark} ${version}  incomplete: its push was interrupted`;
  const more = [sizeText(entry), ...(beside ? [useText(beside)] : []), ...(note ? [note] : [])];
  return [`${mark} ${version}`, timeText(pushed), ...more].join("  ");
}

/** The time since which a version is served, and the note. */
export function servedText({ since, note }: NonNullable<Version["served"]>): string {
  return `served since ${timeText(since)}${note ? `: ${note}` : ""}`;
}

/** A line that says what is stopped; nothing if nothing is stopped. */
export function stoppedText(stopped: Stopped | null | undefined): string[] {
  return stopped ? [`${STOPPED} stopped: ${stopText(stopped)}`] : [];
}

/** What is stopped, since when, and the note. */
export function stopText({ all, cids = [], since, note }: Stopped): string {
  const what = [...(all ? ["everything"] : []), ...(cids.length > 0 ? [firstOf(cids)] : [])];
  const until = since ? `, since ${timeText(since)}` : "";
  return `${what.join(", and apart from that ")}${until}${note ? `: ${note}` : ""}`;
}

/** The meaning of the marks in front of these versions. */
export function marksText(versions: Version[]): string[] {
  const marks = [
    ...(versions.some(({ current }) => current) ? [`${SERVED} served`] : []),
    ...(versions.some(({ beside }) => beside) ? [`${SECOND} second version`] : []),
  ];
  return marks.length > 0 ? [marks.join(", ")] : [];
}

/** An ISO 8601 time as `2026-11-21 12:00:00 UTC`. */
export function timeText(time: string): string {
  return `${time.slice(0, 19).replace("T", " ")} UTC`;
}

/** `split 10 %`. */
export function useText({ mode, share }: { mode: string; share: number }): string {
  return `${mode} ${share} %`;
}

const COLORS = { added: "green", removed: "red", changed: "yellow" } as const;
const NOUNS = {
  ...{ campaigns: "campaign", templates: "template", creatives: "creative", lists: "list", orders: "order" },
  ...{ ssps: "SSP", rates: "rate", settings: "setting" },
};

export function changeText({ list, id, change, details, campaigns = [], at }: Change): string {
  const of = campaigns.length > 0 ? ` (used by ${firstOf(campaigns)})` : "";
  const lines = details.map((detail) => `\n    ${detail}`);
  const where = at ? styleText("dim", ` ${at}`) : "";
  return `${NOUNS[list]} ${styleText("bold", id)} ${styleText(COLORS[change], change)}${of}${where}${lines.join("")}`;
}
