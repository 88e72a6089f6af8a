//! The highest rate that a target holds: a search over rates of the open loop.

/** A pause of V8's must not decide alone: a rate that does not hold at once gets another chance. */
const ATTEMPTS = 2;

/**
 * The highest of the rates up to `most` that holds, to within one part in 2^`steps` of it; 0 when the lowest one that
 * was tried does not hold.
 */
export async function highestRate(
  most: number,
  steps: number,
  holds: (rate: number) => Promise<boolean>,
): Promise<number> {
  let [held, failed] = [0, most];
  for (let step = 0; step < steps; step++) {
    const rate = Math.round((held + failed) / 2);
    let isHeld = false;
    for (let chance = 0; chance < ATTEMPTS && !isHeld; chance++) isHeld = await holds(rate);
    if (isHeld) held = rate;
    else failed = rate;
  }
  return held;
}
