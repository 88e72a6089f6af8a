//! Notes on campaigns whose last moment is past. The compiler has no clock, so it cannot know.

import type { Finding } from "../../worker/src/catalog/compile.ts";
import { byId, withTemplate } from "../../worker/src/operator/diff.ts";
import { isObject } from "../input.ts";

/** A note for each campaign that is not paused and ended before `now`, in milliseconds since the epoch. */
export function endedFindings(document: unknown, now: number): Finding[] {
  if (!isObject(document) || !Array.isArray(document["campaigns"])) return [];
  const templates = byId(document["templates"], "id");
  return document["campaigns"].flatMap((own: Record<string, unknown>, i): Finding[] => {
    const { cid, end, flights, paused } = withTemplate(own, templates);
    const last = Array.isArray(flights) && flights.length > 0 ? flights.at(-1)?.end : end;
    if (paused === true || typeof last !== "string" || !(Date.parse(last) <= now)) return [];
    const message = `ended at ${last}, so the campaign never bids; expected a later end, or the campaign paused or left out`;
    return [{ path: `campaigns[${i}]`, rule: "ended", of: String(cid), message, severity: "note" }];
  });
}
