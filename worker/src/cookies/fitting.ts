//! Finds how many of a list's first items fit into a limit, with few calls of any encoder.

/** The items that fit, and their encoding. */
export interface Fitting<T> {
  items: readonly T[];
  text: string;
}

/**
 * As many first items as fit into an encoding of at most `limit` characters. The encoding of an empty list must fit.
 *
 * A binary search: it calls `encode` at most ⌈log2(n)⌉ + 2 times for n items, and once if all of them fit. The encoding
 * of a longer list may be shorter.
 */
export function firstThatFit<T>(
  items: readonly T[],
  limit: number,
  encode: (items: readonly T[]) => string,
): Fitting<T> {
  const whole = encode(items);
  if (whole.length <= limit) return { items, text: whole };
  let best: Fitting<T> | undefined;
  let fitting = 0;
  let over = items.length;
  while (over - fitting > 1) {
    const middle = (fitting + over) >>> 1;
    const first = items.slice(0, middle);
    const text = encode(first);
    if (text.length <= limit) {
      fitting = middle;
      best = { items: first, text };
    } else {
      over = middle;
    }
  }
  return best ?? { items: [], text: encode([]) };
}
