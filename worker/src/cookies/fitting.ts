//! How many of a list's first items fit, told by encoding few times. Knows no format.

/** The items that fit, and their encoding. */
export interface Fitting<T> {
  items: readonly T[];
  text: string;
}

/**
 * As many of the first items as can be encoded in `limit` characters; one more would be too many. An encoding of no
 * items has to fit.
 *
 * Binary search: for n items, `encode` is called ⌈log2(n)⌉ + 2 times at most, and once where all of them fit. It need not
 * make longer texts of more items, or add up from item to item.
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
