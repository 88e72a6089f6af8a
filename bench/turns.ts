//! Measures things in turns. In a turn, each thing runs once, directly after the others, so that a slow moment hits all
//! of them. Each turn begins with a different thing.

const LOG_EVERY_MS = 15_000;

export async function takeTurns<T>(
  what: string,
  turns: number,
  things: readonly T[],
  run: (thing: T) => unknown,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    show(`${what}: turn ${turn + 1} of ${turns}`);
    const from = turn % Math.max(1, things.length);
    for (const thing of [...things.slice(from), ...things.slice(0, from)]) await run(thing);
  }
  show("");
}

let logged = Date.now();

/** Shows on standard error what runs: one changing line on a terminal, otherwise a line now and then. */
export function show(what: string): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\x1b[K${what.slice(0, (process.stderr.columns || 80) - 1)}`);
  } else if (what !== "" && Date.now() - logged >= LOG_EVERY_MS) {
    logged = Date.now();
    process.stderr.write(`… ${what}\n`);
  }
}
