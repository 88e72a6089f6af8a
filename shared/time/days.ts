//! UTC days as texts, `YYYY-MM-DD`, and times that come from outside.

export const HOUR_MS = 3_600_000;
/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** The day at a time in milliseconds since the epoch. */
export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The day that is `days` later; earlier if negative. */
export function shifted(day: string, days: number): string {
  return dayAt(Date.parse(day) + days * DAY_MS);
}

/** Every day from `first` to `last`. They are counted: the day after 9999-12-31 is, as a text, before all others. */
export function daysBetween(first: string, last: string): string[] {
  const start = Date.parse(first);
  const count = Math.max(0, (Date.parse(last) - start) / DAY_MS + 1);
  return Array.from({ length: count }, (_, n) => dayAt(start + n * DAY_MS));
}

/** The years of days and times from outside. A century is enough, and stays far from the ends of dates. */
const [FIRST_MS, END_MS] = [Date.UTC(2000), Date.UTC(2100)];
const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** What {@link timeIn} reads, for messages. */
export const A_TIME = "an ISO-8601 time from 2000 to 2099, such as 2026-11-18T12:00Z";

/**
 * An ISO-8601 time from 2000 to 2099 in milliseconds since the epoch, in UTC if it names no zone; undefined if the value
 * is none.
 */
export function timeIn(value: unknown): number | undefined {
  const [whole = "", day = "", clock, zone] = TIME.exec(String(value)) ?? [];
  const [start, ms] = [day, clock && !zone ? `${whole}Z` : whole].map(Date.parse) as [number, number];
  // `Date.parse` takes 31 February for 3 March.
  return isWithin(start) && isWithin(ms) && dayAt(start) === day ? ms : undefined;
}

/** Whether the text is a day from 2000 to 2099. */
export function isDay(text: string): boolean {
  return text.length === "2026-11-18".length && timeIn(text) !== undefined;
}

function isWithin(ms: number): boolean {
  return ms >= FIRST_MS && ms < END_MS;
}
