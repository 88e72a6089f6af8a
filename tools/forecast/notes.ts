//! What the figures of a forecast leave open, in words.

import { isObject } from "../../cli/input.ts";
import type { Market } from "./market.ts";
import type { Reach } from "./reach.ts";
import type { Documents } from "./variants.ts";

/** Targeting of what `edgebid tail` leaves out of kept requests, or keeps only roughly. */
const NOT_KEPT = ["zip", "radius", "eids", "mm", "buyeruid"];

/** `reach` is undefined without a recording. */
export function notesOf(reach: Reach | undefined, documents: Documents, market: Market): string[] {
  const isUnknown = market.wins.length + market.prices.length === 0;
  const why = market.problem ?? (isUnknown ? "the bidder has no bids in its report of seven days" : null);
  return [
    ...(reach
      ? notesOnReach(reach, documents)
      : ["no --recording says what matches: npx edgebid tail --keep makes one"]),
    ...(why === null ? [] : [`what wins at which price is not known: ${why}`]),
  ];
}

function notesOnReach(
  { days, recording, matches, people, capped }: Reach,
  { campaign, isCapped }: Documents,
): string[] {
  const { hours, from, one_in } = recording;
  const target = isObject(campaign["target"]) ? campaign["target"] : {};
  const lost = NOT_KEPT.filter((name) => from !== null && name in target);
  const known = people === null ? 0 : Math.round(people.known * 100);
  const all = [
    matches.low === null && "too short for intervals: they need four minutes, or 240 lines without times",
    hours === null && "the lines have no times; --hours says how long they took, for counts of a day",
    hours !== null && hours < 24 && "less than a day is recorded: other hours may have other traffic",
    from === null && "hours" in target && "the lines have no times, so hours are those of the present time",
    lost.length > 0 && `it targets ${lost.join(", ")}, which edgebid tail does not keep: whole requests may match more`,
    people === null
      ? "no matching request names a person (edgebid tail leaves them out), so people and frequency caps are not told"
      : `${known} % of the matching requests name a person; people are those only`,
    isCapped && people !== null && capped === null && "without times, frequency caps are not told",
    capped !== null &&
      (one_in > 1 || (days ?? 0) * 24 > (hours ?? 0)) &&
      "frequency caps: at most, because the recording has only some requests of a person",
    campaign["learn_shading"] === true && "learned shading is not applied to the prices of the bids: it pays less",
    "budgets, flights and pauses are not counted; other campaigns of the catalog bid as at the time of the request",
  ];
  return all.filter((note) => note !== false);
}
