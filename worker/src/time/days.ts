//! UTC days as texts, `YYYY-MM-DD`.

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
