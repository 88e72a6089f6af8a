//! `edgebid forecast`: reads the catalog, the recording and the report, and makes the forecast of a campaign.

import { versionOf } from "../../worker/src/catalog/pointer.ts";
import { DAY_MS } from "../../worker/src/time/days.ts";
import { compiledAside } from "../catalog/compiling.ts";
import { print } from "../catalog/print.ts";
import { step } from "../catalog/progress.ts";
import { sourceOfBytes } from "../catalog/source.ts";
import { bytesOf } from "../catalog/store.ts";
import { defaultCatalog } from "../defaults.ts";
import { EXIT, Failure } from "../failure.mjs";
import { inputsOf } from "../replay/inputs.ts";
import { badLines, brokenOff } from "../replay/print.ts";
import { replayed } from "../replay/replay.ts";
import type { Result } from "../replay/result.ts";
import { document } from "../traffic/write.ts";
import { type Estimate, peopleIn, projected } from "./interval.ts";
import { notesOf } from "./notes.ts";
import { reachText } from "./print.ts";
import { COLUMNS, Sample } from "./sample.ts";
import { sizesIn } from "./sizes.ts";
import { type Documents, documentsFor, type Entry } from "./variants.ts";

/** Options of the command. */
export interface ForecastOptions {
  recording?: string;
  days: number;
  oneIn: number;
  hours?: number;
  ssp?: string;
  catalog?: string;
  url: string;
  json?: boolean;
}

/** What the recording tells about a campaign. Counts are those of `days` days. */
export interface Reach {
  /** Null if the recording does not say how long it is: then the counts are those of the recording. */
  days: number | null;
  recording: {
    name: string;
    /** The lines that count, each for `one_in` requests. */
    lines: number;
    one_in: number;
    from: string | null;
    to: string | null;
    hours: number | null;
    bad: Result["bad"];
    problems: Result["problems"];
  };
  requests: Estimate;
  /** The requests on which the campaign could bid. */
  matches: Estimate;
  /** The matches that its frequency caps allow if every bid is shown; null if that cannot be told. */
  capped: Estimate | null;
  /** The matches on which it bids, because no campaign of the catalog pays more. */
  bids: Estimate;
  /** The people whose requests match; null if no request of the recording names a person. */
  people: (Estimate & { known: number }) | null;
  /** What comes back without each attribute, in addition to the matches. */
  attributes: (Estimate & { without: string })[];
  /** What the figures leave open, in words. */
  notes: string[];
}

/** Prints the forecast. Returns the exit status. Throws {@link Failure}. */
export async function forecast(cid: string, options: ForecastOptions): Promise<number> {
  const { recording, catalog, json } = options;
  const path = catalog ?? defaultCatalog();
  const whole = await step(`compiling ${path}`, () => document(path));
  documentsFor(whole as Entry, cid, []);
  if (recording === undefined) throw new Failure("name a recording with --recording");
  const inputs = inputsOf([recording]);
  if (recording === "-") throw new Failure("a recording is read twice; write standard input to a file first");
  const sizes = await step(`reading the sizes in ${recording}`, () => sizesIn(inputs));
  const documents = documentsFor(whole as Entry, cid, sizes);
  const started = Date.now();
  const { snapshot } = await compiledAside(sourceOfBytes(path, bytesOf(JSON.stringify(documents.whole))));
  const named = { name: path, version: await versionOf(snapshot), snapshot };
  const sample = new Sample(named, documents, started, () => {});
  const settings = { started, examples: 0, ...(options.ssp !== undefined && { ssp: options.ssp }) };
  const result = await step(`asking ${cid} about ${recording}`, (progress) =>
    replayed([sample], inputs, settings, undefined, progress),
  );
  const reach = reachOf(sample, result, documents, { ...options, recording });
  print(json, { campaign: cid, ...reach }, reachText(reach));
  return reach.matches.low !== null && result.problems.length === 0 ? EXIT.ok : EXIT.found;
}

/** Projects what was counted. Throws {@link Failure} if nothing was. */
export function reachOf(
  sample: Sample,
  { bad, problems }: Pick<Result, "bad" | "problems">,
  documents: Documents,
  { recording = "", days, oneIn, hours: told }: Pick<ForecastOptions, "recording" | "days" | "oneIn" | "hours">,
): Reach {
  const { lines, isTimed, first, last } = sample;
  if (lines === 0) throw new Failure(nothingText(recording, bad, problems), EXIT.found);
  // The last request is followed by a gap like those before.
  const ms = isTimed ? ((last - first) * lines) / Math.max(1, lines - 1) : told === undefined ? null : told * 3_600_000;
  const { columns, isEnough } = sample.blocks();
  const times = ms === null ? 1 : (days * DAY_MS) / ms;
  if (!Number.isFinite(times)) throw new Failure("all requests of the recording have the same time", EXIT.found);
  const estimate = (column: number): Estimate => {
    const blocks = (columns[column] ?? []).map((count) => count * oneIn);
    return projected(blocks, times, oneIn, isEnough);
  };
  const known = sample.people.values().reduce((sum, { requests }) => sum + requests, 0);
  const matches = (columns[1] ?? []).reduce((sum, one) => sum + one, 0);
  const hasCaps = documents.isCapped && known > 0 && isTimed === true;
  const reach = {
    days: ms === null ? null : days,
    recording: {
      ...{ name: recording, lines, one_in: oneIn, bad, problems },
      from: isTimed ? new Date(first).toISOString() : null,
      to: isTimed ? new Date(last).toISOString() : null,
      hours: ms === null ? null : ms / 3_600_000,
    },
    ...{ requests: estimate(0), matches: estimate(1), capped: hasCaps ? estimate(2) : null, bids: estimate(3) },
    people: known > 0 ? { ...peopleIn(sample.people, times * oneIn), known: known / matches } : null,
    attributes: sample.removed
      .map((without, at) => ({ without, ...estimate(COLUMNS.length + at) }))
      .sort((a, b) => b.count - a.count),
  };
  return { ...reach, notes: notesOf(reach, documents) };
}

function nothingText(name: string, bad: Result["bad"], problems: Result["problems"]): string {
  const why = [...problems.map(brokenOff), ...badLines(bad)];
  return `${name} has no request for this catalog${why.length === 0 ? ": it is empty" : `\n${why.join("\n")}`}`;
}
