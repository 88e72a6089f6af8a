//! What the runtime knows of a time zone: when its offset from UTC changes. The module carries no
//! time-zone database; it gets this when a catalog is compiled. Decides nothing.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How many years after this one the changes reach: a catalog is pushed anew long before that. */
const YEARS = 2;

/** A zone as the module takes it: instants in ms since the epoch, each with the offset in minutes. */
export interface Zone {
  name: string;
  changes: number[];
}

/** Until when changes are known of every zone. */
export function zonesEnd(): Date {
  return new Date(Date.UTC(new Date().getUTCFullYear() + 1 + YEARS, 0, 1));
}

/** The zone of an IANA name, or nothing when the runtime does not know the name. */
export function changesOf(name: string): Zone[] {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return [];
  }
  // Whole years, so that a catalog compiles to the same bytes all year.
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

/** The first quarter of an hour in (`from`, `to`] whose offset is `offset`. */
function firstWith(format: Intl.DateTimeFormat, offset: number, from: number, to: number): number {
  const quarter = HOUR_MS / 4;
  let at = from;
  while (at < to && offsetAt(format, at) !== offset) at += quarter;
  return at;
}

/** Minutes from UTC: `GMT+05:30` is 330, `GMT` is 0. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const text = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d+)(?::(\d+))?/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
