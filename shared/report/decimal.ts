//! Decimal text from integers. No float holds an amount.

/** Billionths of a currency in one unit of it. */
export const NANOS = 1_000_000_000n;

/** Billionths as a decimal of at most nine decimals, without zeros at the end: `1250000000n` is `1.25`. */
export function decimal(nanos: bigint): string {
  return rounded(nanos, NANOS, 9).replace(/\.?0+$/, "");
}

/** The quotient with this number of decimals. A half is rounded away from zero. */
export function rounded(numerator: bigint, denominator: bigint, decimals: number): string {
  const isNegative = numerator < 0n !== denominator < 0n;
  const above = numerator < 0n ? -numerator : numerator;
  const below = denominator < 0n ? -denominator : denominator;
  const units = (2n * above * 10n ** BigInt(decimals) + below) / (2n * below);
  const digits = `${units}`.padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return isNegative && units > 0n ? `-${text}` : text;
}

/**
 * Reads a decimal of at most nine decimals as billionths; null if the text is not one. The inverse of {@link decimal}.
 */
export function nanosOf(text: string): bigint | null {
  const [, sign, whole, decimals = ""] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const nanos = BigInt(whole) * NANOS + BigInt(decimals.padEnd(9, "0"));
  return sign === "-" ? -nanos : nanos;
}
