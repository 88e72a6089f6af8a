//! Statistics of lists of measurements.

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const above = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? above : (above + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The smallest value that at least `share` (0 to 1) of the values do not exceed (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * The probability that two samples of the same distribution differ at least as much as these, by their ranks: the
 * Mann–Whitney test, two-sided and exact, with ties. 1 if a sample is empty.
 */
export function rankTest(one: readonly number[], other: readonly number[]): number {
  const ranks = doubledRanks([...one, ...other]);
  const most = ranks.reduce((sum, rank) => sum + rank, 0);
  // `choices[size][sum]`: in how many ways `size` ranks can be chosen so that they add up to `sum`.
  const choices = Array.from({ length: one.length + 1 }, () => new Float64Array(most + 1));
  choices[0]?.fill(1, 0, 1);
  for (const rank of ranks) {
    for (let size = one.length; size > 0; size--) {
      const [from, to] = [choices[size - 1], choices[size]];
      for (let sum = rank; from && to && sum <= most; sum++) to[sum] = (to[sum] ?? 0) + (from[sum - rank] ?? 0);
    }
  }
  const expected = (one.length * most) / Math.max(1, ranks.length);
  const observed = ranks.slice(0, one.length).reduce((sum, rank) => sum + rank, 0);
  const counts = Array.from(choices[one.length] ?? []);
  const total = counts.reduce((total, count) => total + count, 0);
  const isFar = (sum: number) => Math.abs(sum - expected) >= Math.abs(observed - expected);
  return counts.reduce((far, count, sum) => (isFar(sum) ? far + count : far), 0) / total;
}

/** Twice the rank of each value. Equal values share their mean rank, and twice a mean rank is a whole number. */
function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * below + equal + 1;
  });
}

/**
 * Which of several tests are significant, in the order of `ps`. With Holm's method, the probability that any reported
 * test is wrong is at most `alpha`.
 */
export function holm(ps: readonly number[], alpha: number): boolean[] {
  const order = ps.map((_, at) => at).sort((a, b) => (ps[a] ?? 1) - (ps[b] ?? 1));
  const failed = order.findIndex((at, rank) => (ps[at] ?? 1) > alpha / (ps.length - rank));
  const kept = new Set(failed < 0 ? order : order.slice(0, failed));
  return ps.map((_, at) => kept.has(at));
}
