//! The pacer's state on disk: a text in rows. It is written and read in parts, because all of it takes as much memory as the
//! module. The state includes the number of the last shares, so that the next shares have a higher number, whatever the
//! clock says.

import { NUMBERS_UNSAVED, SAVED_ROW } from "../../../shared/limits.ts";

export class Saved {
  readonly #storage: DurableObjectStorage;
  #number = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    for (const row of this.read()) {
      const number = /^number (\d+)\n/.exec(row)?.[1];
      if (number !== undefined) this.#number = Number(number) + NUMBERS_UNSAVED;
      break;
    }
  }

  /** A number for new shares: the time `now`, or one more than the highest earlier number. */
  nextNumber(now: number): number {
    this.#number = Math.max(now, this.#number + 1);
    return this.#number;
  }

  /**
   * The rows of the text that was written last, which begins with the number: the module skips that line. None if there is
   * no text. A row may end within a line.
   */
  *read(): Generator<string> {
    const { sql } = this.#storage;
    if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'state'").toArray().length === 0) return;
    for (const { text } of sql.exec<{ text: string }>("SELECT text FROM state ORDER BY number")) yield text;
  }

  get isEmpty(): boolean {
    return this.read().next().done === true;
  }

  /** Writes the state in one transaction. Its text is ASCII, so its characters are bytes. */
  write(parts: Iterable<string>): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec("CREATE TABLE IF NOT EXISTS state (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
      let rows = 0;
      for (const part of parts) {
        const text = rows === 0 ? `number ${this.#number}\n${part}` : part;
        for (let at = 0; at < text.length; at += SAVED_ROW)
          sql.exec("INSERT OR REPLACE INTO state VALUES (?, ?)", rows++, text.slice(at, at + SAVED_ROW));
      }
      sql.exec("DELETE FROM state WHERE number >= ?", rows);
    });
  }
}
