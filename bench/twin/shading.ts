//! Bid shading: finds the bid with the greatest expected surplus, if `b` wins with the chance `b^k / (b^k +
//! typical^k)`. Runs once per campaign while the catalog loads, in exact integers.

/** Amounts are scaled to this many bits. */
const BITS = 24;

/** The bid in micros, at most `value`. `steepness` is 1 to 4. */
export function bestShaded(value: number, typical: number, steepness: number): number {
  const used = Math.max(value, typical, 1).toString(2).length;
  const shift = Math.max(0, used - BITS);
  const scaled = (amount: number) => BigInt(Math.floor(amount / 2 ** shift));
  const [v, k] = [scaled(value), BigInt(steepness)];
  const tk = scaled(typical) ** k;
  let [low, high] = [0n, v];
  while (low < high) {
    const b = (low + high + 1n) / 2n;
    if (k * tk * (v - b) >= b * (b ** k + tk)) low = b;
    else high = b - 1n;
  }
  return Math.min(Math.max(Number(low) * 2 ** shift, 1), Math.max(value, 1));
}
