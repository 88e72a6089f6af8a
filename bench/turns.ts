//! Measures things in turns. In a turn, each thing runs once, directly after the others, so that a slow moment hits all
//! of them. Each turn begins with a different thing.

const LOG_EVERY_MS = 15_000;

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

/** Shows on standard error what runs: one changing line on a terminal, otherwise a line now and then. */
export class Progress {
  readonly #terminal = process.stderr.isTTY;
  #logged = Date.now();

  /** `done` of `total` steps; `what` is running now. */
  show(done: number, total: number, what: string): void {
    const line = `… ${Math.floor((100 * done) / total)} %  ${what}`;
    if (this.#terminal) {
      process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns || 80) - 1)}`);
    } else if (Date.now() - this.#logged >= LOG_EVERY_MS) {
      this.#logged = Date.now();
      process.stderr.write(`${line}\n`);
    }
  }

  /** Removes the line. */
  end(): void {
    if (this.#terminal) process.stderr.write("\r\x1b[K");
  }
}
