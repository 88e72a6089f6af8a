//! Measures things in turns. In a turn, each thing runs one short batch, directly after the others, so that a slow
//! moment hits all of them. Each turn begins with a different thing.

import { median } from "./statistics.ts";

/** Turns directly after each other are hardly independent, so `compare` uses the median of this many: a round. */
export const TURNS_A_ROUND = 5;

/** The times of one thing. */
export interface Turns {
  /** In workerd: mean microseconds per call for each turn. Empty if it only runs natively. */
  wasm: number[];
  /** Natively: mean microseconds per call for each turn. Empty if it only runs in workerd. */
  native: number[];
}

/** Takes turn `number`. `wasm` or `native` returns null for a thing that does not run there. */
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

/** One ratio per turn, because a slow minute slows both times of a turn. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  return over.map((value, turn) => value / (under[turn] ?? Number.NaN));
}

/** One difference per turn: the time of the whole minus the time of a part. */
export function differences(whole: readonly number[], part: readonly number[]): number[] {
  return whole.map((value, turn) => value - (part[turn] ?? Number.NaN));
}

/** One value per round: the median of its turns. */
export function rounds(turns: readonly number[]): number[] {
  return Array.from({ length: Math.ceil(turns.length / TURNS_A_ROUND) }, (_, round) =>
    median(turns.slice(round * TURNS_A_ROUND, (round + 1) * TURNS_A_ROUND)),
  );
}

function rotated<T>(items: readonly T[], turn: number): T[] {
  const from = turn % Math.max(1, items.length);
  return [...items.slice(from), ...items.slice(0, from)];
}
