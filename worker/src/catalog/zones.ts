//! The runtime's data on time zones: when a zone's offset from UTC changes. The module has no time-zone database, so it
//! gets this data when a catalog is compiled.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The number of years after this year that the data covers. A catalog is pushed again long before the data ends. */
const YEARS = 2;

/** A zone in the module's form: times in milliseconds since the epoch, each followed by the offset in minutes. */
export interface Zone {
  name: string;
  changes: number[];
}

/** When the data on every zone ends. */
export function zonesEnd(): Date {
  return new Date(Date.UTC(new Date().getUTCFullYear() + 1 + YEARS, 0, 1));
}

/** A list of the one zone with this IANA name; an empty list if the runtime does not know the name. */
export function changesOf(name: string): Zone[] {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return [];
  }
  // With whole years, a catalog compiles to the same bytes all year.
  const year = new Date().getUTCFullYear();
  const start = Date.UTC(year - 1, 0, 1);
  const end = zonesEnd().getTime();
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

/** The first time in (`from`, `to`], in steps of 15 minutes, at which the offset is `offset`. */
function firstWith(format: Intl.DateTimeFormat, offset: number, from: number, to: number): number {
  const quarter = HOUR_MS / 4;
  let at = from;
  while (at < to && offsetAt(format, at) !== offset) at += quarter;
  return at;
}

/** The offset from UTC in minutes: `GMT+05:30` is 330, `GMT` is 0. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const text = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d+)(?::(\d+))?/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
