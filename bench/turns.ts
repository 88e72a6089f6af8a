//! Measures things in turns. In a turn, each thing runs once, directly after the others, so that a slow moment hits all
//! of them. Each turn begins with a different thing.

import { Progress } from "./progress.ts";

export async function takeTurns<T>(
  what: string,
  turns: number,
  things: readonly T[],
  run: (thing: T, turn: number) => unknown,
): Promise<void> {
  const progress = new Progress();
  for (let turn = 0; turn < turns; turn++) {
    progress.show(turn, turns, `${what}: turn ${turn + 1} of ${turns}`);
    const from = turn % Math.max(1, things.length);
    for (const thing of [...things.slice(from), ...things.slice(0, from)]) await run(thing, turn);
  }
  progress.end();
}
