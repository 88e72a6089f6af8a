//! The findings of the checks of a bidder or its configuration, and their output.

import { styleText } from "node:util";
import { countText } from "../../shared/compare/text.ts";
import { print } from "../catalog/print.ts";
import { aligned, text as cell } from "../money/table.ts";

/** The result of one check. */
export interface Finding {
  /** What was checked, such as `CATALOG`. */
  what: string;
  /** `fault`: the bidder will not work. `note`: it works, but something may be missing. */
  state: "ok" | "note" | "fault";
  /** What was found. */
  text: string;
  /** What to do next; only if the state is not `ok`. */
  mend?: string;
}

export function ok(what: string, text: string): Finding {
  return { what, state: "ok", text };
}

export function note(what: string, text: string, mend: string): Finding {
  return { what, state: "note", text, mend };
}

export function fault(what: string, text: string, mend: string): Finding {
  return { what, state: "fault", text, mend };
}

/** Prints the findings as text or JSON. Returns the exit status of the command: 1 if there is a fault. */
export function printed(findings: Finding[], json = false): 0 | 1 {
  const faults = findings.filter(({ state }) => state === "fault").length;
  const text = `${findingsText(findings)}\n${summary(findings)}`;
  print(json, { faults, findings }, text);
  return faults > 0 ? 1 : 0;
}

/** The findings as text: a line each, and what to do below it. */
function findingsText(findings: Finding[]): string {
  const lines = findings.flatMap(({ what, state, text, mend }) => [
    [`${MARKS[state]} ${what}`, text],
    ...(mend ? [["", styleText("dim", `→ ${mend}`)]] : []),
  ]);
  const columns = [0, 1].map((at) => cell<string[]>("", (line) => line[at] ?? ""));
  return aligned(columns, lines).join("\n");
}

const MARKS = { ok: styleText("green", "✓"), note: styleText("yellow", "!"), fault: styleText("red", "✗") };

/** `2 faults, 1 note`. */
function summary(findings: Finding[]): string {
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  return `${countText(count("fault"), "fault")}, ${countText(count("note"), "note")}`;
}
