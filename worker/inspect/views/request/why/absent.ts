//! Tells that a request does not have what a check looked at, in place of `unknown` or `none`.

import { places } from "../ask/json.ts";
import type { Report } from "../report.ts";

/** What is found where nothing is. */
export const ABSENT = "not in the request";

/** What a report says of an attribute without a value. */
const WITHOUT = new Set(["unknown", "none"]);

interface Looked {
  found?: string;
  at?: string[];
}

/** The report of a decision on the request `text`. A value that is there, but has no meaning, stays `unknown`. */
export function withAbsent(report: Report, text: string): Report {
  const all = places(text);
  const told = <T extends Looked>(row: T): T => {
    const { found = "", at = [] } = row;
    const isAbsent = WITHOUT.has(found) && at.length > 0 && !at.some((path) => all.has(path));
    return isAbsent ? { ...row, found: ABSENT } : row;
  };
  const { rejected = [], imps = [] } = report;
  return {
    ...told(report),
    rejected: rejected.map(told),
    imps: imps.map((imp) => ({ ...imp, rejected: (imp.rejected ?? []).map(told) })),
  };
}
