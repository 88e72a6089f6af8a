//! Notes on campaigns and files by the clock, which the compiler does not have: what has ended, and what begins or ends in
//! a year that is probably mistyped.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Finding, oldSupplyText } from "../../shared/catalog/compile.ts";
import { endOf } from "../../shared/compare/campaigns.ts";
import { byId, type Entry, isObject, objectsIn, withTemplate } from "../../shared/compare/entry.ts";
import { DAY_MS } from "../../shared/time/days.ts";
import { zoneData } from "../../shared/time/zones.ts";
import { listsIn, oldFrom } from "./list-text.ts";

const YEAR_MS = 365 * DAY_MS;
/** A start or an end so many years ahead is hardly meant, unless the end says "never" as 2099 does. */
const FAR_STARTS = 2;
const FAR_ENDS = 10;
const NEVER = "2090";

/** Notes on each campaign that is not paused. `now`: milliseconds since the epoch. */
export function timeFindings(document: unknown, now: number): Finding[] {
  if (!isObject(document) || !Array.isArray(document["campaigns"])) return [];
  const templates = byId(document["templates"], "id");
  return document["campaigns"].flatMap((own: Entry, i): Finding[] => {
    const campaign = withTemplate(own, templates);
    const note = (rule: string, message: string): Finding => {
      return { path: `campaigns[${i}]`, rule, of: String(campaign["cid"]), message, severity: "note" };
    };
    if (campaign["paused"] === true) return [];
    const last = endOf(campaign);
    if (last !== null && Date.parse(last) <= now)
      return [
        note(
          "ended",
          `ended at ${last}, so the campaign never bids; expected a later end, or the campaign paused or left out`,
        ),
      ];
    const yearsTo = (time: unknown) => (typeof time === "string" ? (Date.parse(time) - now) / YEAR_MS : 0);
    const starts = [campaign, ...objectsIn(campaign["flights"])].map(({ start }) => start);
    const start = starts.find((start) => yearsTo(start) > FAR_STARTS);
    const isFar = last !== null && yearsTo(last) > FAR_ENDS && last < NEVER;
    const far = (what: string, time: unknown, most: number) =>
      note("far", `${what} at ${time}, in ${Math.floor(yearsTo(time))} years; expected at most ${most} years from now`);
    return [
      ...(start === undefined ? [] : [far("starts", start, FAR_STARTS)]),
      ...(isFar ? [far("ends", last, FAR_ENDS)] : []),
    ];
  });
}

/** A note if the files of `supply` are too old since a time before `now`, in milliseconds since the epoch. */
export function oldSupplyFindings(since: string | null, now: number): Finding[] {
  if (since === null || Date.parse(since) > now) return [];
  return [{ path: "supply.date", rule: "ended", message: oldSupplyText(since), severity: "note" }];
}

/** A note on each text of a list in a folder whose values were fetched too long before `now`, in milliseconds since the epoch. */
export function oldListFindings(folder: string, now: number): Finding[] {
  return listsIn(folder).flatMap((name): Finding[] => {
    if (now < oldFrom(readFileSync(join(folder, name), "utf8"))) return [];
    const message = "the values were fetched more than 14 days ago; expected newer ones: npx edgebid lists fetch";
    return [{ path: name, rule: "ended", message, severity: "note" }];
  });
}

/** A note if a catalog with time zones gets data that were too old before `now`, in milliseconds since the epoch. */
export function oldZonesFindings(zones: string | null, now: number): Finding[] {
  const { version, released } = zoneData();
  if (zones === null || now < Date.parse(released) + YEAR_MS) return [];
  const message = `the time-zone data are those of ${version}, more than a year old, so hours and days of some zones may be wrong; expected newer ones: npm update edgebid or a newer Node, and push the catalog`;
  return [{ path: "", rule: "ended", message, severity: "note" }];
}
