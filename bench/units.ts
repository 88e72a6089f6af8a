//! Ways to write a number.

/** A number with three significant digits and no exponent, such as 0.0213, 4.71 or 1230. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const whole = Math.floor(Math.log10(Math.abs(value) || 1)) + 1;
  return value.toFixed(Math.max(0, 3 - whole)).replace(/^(\d+\.\d*?)0+$/, (text, kept) => (whole > 0 ? text : kept));
}

export const us = (value: number) => (Math.abs(value) < 10_000 ? `${digits(value)} µs` : `${digits(value / 1000)} ms`);
export const ms = (value: number) => `${digits(value)} ms`;
export const usAsMs = (value: number) => digits(value / 1000);
export const kilobytes = (value: number) => `${digits(value / 1000)} KB`;
export const megabytes = (value: number) => `${digits(value / 2 ** 20)} MB`;
export const percent = (value: number) => `${digits(100 * value)} %`;
export const whole = (value: number) => Math.round(value).toLocaleString("en");
