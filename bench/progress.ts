//! Shows the progress on standard error: one changing line on a terminal, otherwise a line now and then. Standard
//! output stays free for results.

const LOG_EVERY_MS = 15_000;

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
