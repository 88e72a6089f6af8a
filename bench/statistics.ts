//! What a list of measurements comes to.

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const above = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? above : (above + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The value that `share` (0 to 1) of the values do not exceed (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Three significant digits, without an exponent: 0.0213, 4.71, 1230. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const whole = Math.floor(Math.log10(Math.abs(value) || 1)) + 1;
  return value.toFixed(Math.max(0, 3 - whole)).replace(/^(\d+\.\d*?)0+$/, (text, kept) => (whole > 0 ? text : kept));
}
