//! The time zones of catalogs: when their offset from UTC changes. The data are those of the runtime, except for zones that
//! have changed since: runtimes get new data only with a new version of themselves.

import { DAY_MS } from "./days.ts";
import { NEWER } from "./newer-zones.ts";

/** Offsets change at a quarter of an hour. */
const QUARTER_MS = 900_000;

/** The number of years after this year that the data covers. A catalog is pushed again long before the data ends. */
const YEARS = 2;

/** A zone in the module's form: times in milliseconds since the epoch, each followed by the offset in minutes. */
interface Zone {
  name: string;
  changes: number[];
}

/** This year. With whole years, a catalog compiles to the same bytes all year. */
const thisYear = () => new Date(Date.now()).getUTCFullYear();

/** When the data on every zone ends. */
export function zonesEnd(): Date {
  return new Date(Date.UTC(thisYear() + 1 + YEARS, 0, 1));
}

/** The version of the data, and the day of its release; of the runtime's data only the year is known. */
export function zoneData(): { version: string; released: string } {
  const version = runtimeVersion();
  return version > NEWER.version ? { version, released: `${version.slice(0, 4)}-01-01` } : NEWER;
}

/** A list with the zone of this IANA name; empty if the runtime does not know the name. */
export function changesOf(name: string): Zone[] {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return [];
  }
  const start = Date.UTC(thisYear() - 1, 0, 1);
  const end = zonesEnd().getTime();
  const newer = end > NEWER.until || runtimeVersion() > NEWER.version ? undefined : newerChanges(format, start, end);
  if (newer) return [{ name, changes: newer }];
  let offset = offsetAt(format, start);
  const changes = [start, offset];
  for (let day = start; day < end; day += DAY_MS) {
    const next = offsetAt(format, day + DAY_MS);
    if (next === offset) continue;
    changes.push(firstWith(format, next, day, day + DAY_MS), next);
    offset = next;
  }
  return [{ name, changes }];
}

/** The version of the runtime's data, such as `2025b`; empty if it does not tell. */
function runtimeVersion(): string {
  return globalThis.process?.versions?.["tz"] ?? "";
}

/** The changes of a zone from `start` to `end`, if they are other ones than those that the oldest runtimes know. */
function newerChanges(format: Intl.DateTimeFormat, start: number, end: number): number[] | undefined {
  const all = NEWER.zones[format.resolvedOptions().timeZone];
  if (!all) return undefined;
  const times = all.filter((_, at) => at % 2 === 0);
  const first = Math.max(
    0,
    times.findLastIndex((time) => time <= start),
  );
  const within = times.flatMap((time, at) => (at >= first && time < end ? [time, all[2 * at + 1] ?? 0] : []));
  return [start, ...within.slice(1)];
}

/** The first time in (`from`, `to`], in steps of 15 minutes, at which the offset is `offset`. */
function firstWith(format: Intl.DateTimeFormat, offset: number, from: number, to: number): number {
  let at = from;
  while (at < to && offsetAt(format, at) !== offset) at += QUARTER_MS;
  return at;
}

/** The offset from UTC in minutes: `GMT+05:30` is 330, `GMT` is 0. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const text = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d+)(?::(\d+))?/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
