//! What runs and how far it is, on standard error: one line that changes on a terminal, a line now
//! and then elsewhere. Standard output stays free for results.

const LOG_EVERY_MS = 15_000;

export class Progress {
  readonly #terminal = process.stderr.isTTY;
  #logged = Date.now();

  /** `done` of `total`; `what` is running now. */
  show(done: number, total: number, what: string): void {
    const line = `… ${Math.floor((100 * done) / total)} %  ${what}`;
    if (this.#terminal) {
      process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns || 80) - 1)}`);
    } else if (Date.now() - this.#logged >= LOG_EVERY_MS) {
      this.#logged = Date.now();
      process.stderr.write(`${line}\n`);
    }
  }

  /** Takes the line away. */
  end(): void {
    if (this.#terminal) process.stderr.write("\r\x1b[K");
  }
}
