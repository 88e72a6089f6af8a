//! What a recording tells about a campaign: counts with intervals, projected to the days of the forecast.

import { EXIT, Failure } from "../../build/failure.mjs";
import { badLines, brokenOff } from "../../cli/replay/print.ts";
import type { Result } from "../../cli/replay/result.ts";
import { DAY_MS, HOUR_MS } from "../../shared/time/days.ts";
import { blocksOf, type Estimate, peopleIn, projected } from "./interval.ts";
import type { Sample } from "./sample.ts";
import type { Documents } from "./variants.ts";

/** The least that a recording must have for intervals. */
const LEAST_LINES = 240;
const LEAST_MS = 240_000;

/** What a recording stands for. */
export interface Weight {
  name: string;
  /** The hours that it covers, if its lines have no times. */
  hours?: number;
  /** The days to project to. */
  days: number;
}

/** The counts are those of `days` days. */
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
  /** The people whose requests match, and the part of the matches that name one; null if none does. */
  people: (Estimate & { known: number }) | null;
  /** What comes back without each attribute, in addition to the matches. */
  attributes: (Estimate & { without: string })[];
}

/** What a sample has found. */
export type Found = Pick<
  Sample,
  "isTimed" | "oneIn" | "requests" | "matches" | "capped" | "bids" | "without" | "people"
>;

/** Projects what was counted. Throws {@link Failure} if nothing was. */
export function reachOf(
  sample: Found,
  { bad, problems }: Pick<Result, "bad" | "problems">,
  { name, days, hours: told }: Weight,
  { isCapped }: Pick<Documents, "isCapped">,
): Reach {
  const { requests, isTimed, people, oneIn } = sample;
  const lines = requests.length;
  if (lines === 0 || oneIn === null) {
    const why = [...problems.map(brokenOff), ...badLines(bad)];
    const text = why.length === 0 ? ": it is empty" : `\n${why.join("\n")}`;
    throw new Failure(`${name} has no request for this catalog${text}`, EXIT.found);
  }
  const [from, to] = rangeOf(requests);
  // The last request is followed by a gap like those before.
  const timed = ((to - from) * lines) / Math.max(1, lines - 1) / HOUR_MS;
  const hours = isTimed ? timed : (told ?? null);
  if (hours === 0) throw new Failure(`${name}: all requests have the same time, so it covers no time`, EXIT.found);
  const times = hours === null ? 1 : (days * DAY_MS) / (hours * HOUR_MS);
  const isEnough = lines >= LEAST_LINES && (!isTimed || timed * HOUR_MS >= LEAST_MS);
  const estimate = (found: readonly number[]) => projected(blocksOf(found, from, to), times, oneIn, isEnough);
  const known = people.values().reduce((sum, { requests }) => sum + requests, 0);
  const time = (at: number) => (isTimed ? new Date(at).toISOString() : null);
  const attributes = [...sample.without].map(([without, found]) => ({ without, ...estimate(found) }));
  return {
    days: hours === null ? null : days,
    recording: { name, lines, one_in: oneIn, from: time(from), to: time(to), hours, bad, problems },
    ...{ requests: estimate(requests), matches: estimate(sample.matches), bids: estimate(sample.bids) },
    capped: isCapped && known > 0 && isTimed ? estimate(sample.capped) : null,
    people: known > 0 ? { ...peopleIn(people, times * oneIn), known: known / sample.matches.length } : null,
    attributes: attributes.sort((a, b) => b.count - a.count),
  };
}

/** The first and the last of the times, which need not be in order. */
function rangeOf(times: readonly number[]): [from: number, to: number] {
  const fold = (pick: (a: number, b: number) => number) => times.reduce((a, b) => pick(a, b));
  return [fold(Math.min), fold(Math.max)];
}
