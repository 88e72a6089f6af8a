//! Notes on campaigns and files whose last moment is past. The compiler has no clock, so it cannot know.

import { type Finding, oldSupplyText } from "../../worker/src/catalog/compile.ts";
import { endOf } from "../../worker/src/compare/campaigns.ts";
import { byId, isObject, withTemplate } from "../../worker/src/compare/entry.ts";

/** A note for each campaign that is not paused and ended before `now`, in milliseconds since the epoch. */
export function endedFindings(document: unknown, now: number): Finding[] {
  if (!isObject(document) || !Array.isArray(document["campaigns"])) return [];
  const templates = byId(document["templates"], "id");
  return document["campaigns"].flatMap((own: Record<string, unknown>, i): Finding[] => {
    const campaign = withTemplate(own, templates);
    const last = endOf(campaign);
    if (campaign["paused"] === true || last === null || !(Date.parse(last) <= now)) return [];
    const message = `ended at ${last}, so the campaign never bids; expected a later end, or the campaign paused or left out`;
    return [{ path: `campaigns[${i}]`, rule: "ended", of: String(campaign["cid"]), message, severity: "note" }];
  });
}

/** A note if the files of `supply` are too old since a time before `now`, in milliseconds since the epoch. */
export function oldSupplyFindings(since: string | null, now: number): Finding[] {
  if (since === null || Date.parse(since) > now) return [];
  return [{ path: "supply.date", rule: "ended", message: oldSupplyText(since), severity: "note" }];
}
