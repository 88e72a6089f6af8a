//! The jackknife: how sure a figure is, from the same figure without each of the blocks that it was made from.

/** Half of the 95 % interval. `without`: the figure without each block, as an estimate of the figure with all of them. */
export function marginOf(without: readonly number[]): number {
  const count = without.length;
  const mean = without.reduce((sum, one) => sum + one, 0) / count;
  const squares = without.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return studentOf(count - 1) * Math.sqrt((squares * (count - 1)) / count);
}

/** The 97.5 % quantile of Student's distribution, to a thousandth for 11 degrees of freedom and more. */
function studentOf(freedom: number): number {
  return 1.96 + 2.372 / freedom + 2.823 / freedom ** 2;
}
