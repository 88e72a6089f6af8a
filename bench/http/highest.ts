//! Searches for the highest request rate at which a target still passes the open-loop test. The caller's `holds` says
//! whether one rate passes.

/** One pause of V8 must not decide, so a rate that fails gets a second attempt. */
const ATTEMPTS = 2;

/**
 * The highest rate up to `most` for which `holds` is true, to within `most` / 2^`steps`; 0 if every rate tried fails.
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
