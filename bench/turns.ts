//! Turns: everything that is compared runs for one short batch, one directly after the other, so that
//! what slows the machine down hits all of it. Who begins changes from turn to turn.

import { median } from "./statistics.ts";

/** What is taken together for comparisons with another run: turns so near each other are hardly independent. */
export const TURNS_A_ROUND = 5;

/** What one thing took. */
export interface Turns {
  /** In workerd: for each turn, the mean microseconds per call; empty for what runs natively alone. */
  wasm: number[];
  /** The same natively; empty for what runs in workerd alone. */
  native: number[];
}

/** Takes turn `number`. Each side yields null for what it does not have. */
export async function takeTurn<T extends Turns>(
  all: readonly T[],
  number: number,
  wasm: (one: T) => Promise<number> | null,
  native: (one: T) => Promise<number> | null,
): Promise<void> {
  for (const one of rotated(all, number)) {
    const measured = { wasm: await wasm(one), native: await native(one) };
    if (measured.wasm !== null) one.wasm.push(measured.wasm);
    if (measured.native !== null) one.native.push(measured.native);
  }
}

/** Turn by turn, so that a slow minute slows both sides. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  return over.map((value, turn) => value / (under[turn] ?? Number.NaN));
}

/** What of the one time the other does not explain, turn by turn. */
export function differences(whole: readonly number[], part: readonly number[]): number[] {
  return whole.map((value, turn) => value - (part[turn] ?? Number.NaN));
}

/** A value for each round: the median of its turns. */
export function rounds(turns: readonly number[]): number[] {
  return Array.from({ length: Math.ceil(turns.length / TURNS_A_ROUND) }, (_, round) =>
    median(turns.slice(round * TURNS_A_ROUND, (round + 1) * TURNS_A_ROUND)),
  );
}

function rotated<T>(items: readonly T[], turn: number): T[] {
  const from = turn % Math.max(1, items.length);
  return [...items.slice(from), ...items.slice(0, from)];
}
