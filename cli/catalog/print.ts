//! How the catalog commands say things: text for people, JSON for programs, colours on a terminal only.

import { styleText } from "node:util";
import type { CatalogRefused } from "../../worker/src/compile.ts";
import type { Change } from "./diff.ts";
import type { Version } from "./versions.ts";

/** A line on standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A result: the value as JSON, or the text for people. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  printLine(json ? JSON.stringify(value, null, 2) : text);
}

export function printRefusal({ findings }: CatalogRefused, json: boolean): void {
  const lines = findings.map(({ path, message, rule }) => {
    return `  ${path ? `${path}: ` : ""}${message} ${styleText("dim", `[${rule}]`)}`;
  });
  const what = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  if (json) printLine(JSON.stringify({ error: "refused", findings }, null, 2));
  else process.stderr.write(`${styleText("red", "✗")} refused, nothing was changed; ${what}:\n${lines.join("\n")}\n`);
}

export function done(text: string): string {
  return `${styleText("green", "✓")} ${text}`;
}

/** `12 campaigns, 3.4 KB`. */
export function sizeText(campaigns: number, bytes: number): string {
  const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${campaigns} campaign${campaigns === 1 ? "" : "s"}, ${size}`;
}

export function versionText({ version, current, second, pushed, campaigns, bytes, note }: Version): string {
  const mark = current ? styleText("green", "●") : second ? styleText("yellow", "◐") : " ";
  if (pushed === undefined) return `${mark} ${version}  not whole: its push was interrupted`;
  const when = pushed.slice(0, 19).replace("T", " ");
  return `${mark} ${version}  ${when}  ${sizeText(campaigns ?? 0, bytes ?? 0)}${second ? `  ${besideText(second)}` : ""}${note ? `  ${note}` : ""}`;
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
