//! Writes an SSP's decisions about creatives into a catalog's folder. It does not fetch them, and it does not push.

import { join } from "node:path";
import { Failure } from "../../build/failure.mjs";
import { done, findingsText, print } from "../../cli/catalog/print.ts";
import { assertFolder, saved } from "../../cli/catalog/save.ts";
import { sourceOf } from "../../cli/catalog/source.ts";
import { ownCatalog } from "../../cli/defaults.ts";
import { parsedJson, readInput } from "../../cli/input.ts";
import { jsonText } from "../../cli/json-text.ts";
import { type Decision, decisionsIn, STATES } from "./decisions.ts";

export interface ImportOptions {
  catalog?: string;
  json?: boolean;
}

interface Document {
  ssps?: { id?: string; needs_approval?: boolean }[];
  creatives?: { crid?: string }[];
}

/** Writes `approvals-SSP.json`. Throws `CatalogRefused`, and changes nothing, if the compiler refuses it. */
export async function importDecisions(ssp: string, path: string, options: ImportOptions): Promise<void> {
  const { catalog = ownCatalog(), json } = options;
  assertFolder(catalog);
  const { ssps = [], creatives = [] } = parsedJson<Document>(sourceOf(catalog).document) ?? {};
  const record = ssps.find(({ id }) => id === ssp);
  if (record === undefined) {
    throw new Failure(`the catalog has no SSP ${ssp}; expected one of ${ssps.map(({ id }) => id).join(", ")}`);
  }
  const all = decisionsIn(readInput(path));
  const own = new Set(creatives.flatMap(({ crid }) => crid ?? []));
  const kept = all.filter(({ crid }) => own.has(crid));
  const approvals = kept.map((decision) => ({ ssp, ...decision }));
  const file = join(catalog, `approvals-${ssp}.json`);
  const { notes } = await saved(file, `${jsonText({ approvals })}\n`, catalog);
  const decided = new Set(kept.map(({ crid }) => crid));
  const undecided = [...own].filter((crid) => !decided.has(crid));
  const counts = STATES.map((state) => `${of(kept, state)} ${state}`);
  const hint = record.needs_approval ? [] : [`  they count when the record of ${ssp} has "needs_approval": true`];
  const lines = [
    done(`${file}: ${counts.join(", ")}; ${undecided.length} without a decision`),
    ...(all.length > kept.length
      ? [`  ${all.length - kept.length} are of creatives that the catalog does not have`]
      : []),
    ...hint,
    `  to see what a push of it changes: npx edgebid catalog diff ${catalog} --local (or --remote)${findingsText(notes)}`,
  ];
  print(json, { file, approvals, undecided, others: all.length - kept.length, findings: notes }, lines.join("\n"));
}

function of(decisions: Decision[], state: Decision["state"]): number {
  return decisions.filter((decision) => decision.state === state).length;
}
