//! The pacer's state on disk: a text in rows of limited length. Rows that did not change are not written again. The
//! state includes the number of the last shares, so that the next shares have a higher number, whatever the clock says.

import { NUMBERS_UNSAVED, SAVED_ROW } from "../limits.ts";

export class Saved {
  readonly #storage: DurableObjectStorage;
  /** The rows on disk; null if there is no table yet. */
  #rows: string[] | null;
  #number: number;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const { sql } = storage;
    const exists = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'state'").toArray().length > 0;
    const all = () => sql.exec<{ text: string }>("SELECT text FROM state ORDER BY number").toArray();
    this.#rows = exists ? all().map(({ text }) => text) : null;
    const number = /^number (\d+)\n/.exec(this.#rows?.[0] ?? "")?.[1];
    this.#number = number === undefined ? 0 : Number(number) + NUMBERS_UNSAVED;
  }

  /** A number for new shares: the time `now`, or one more than the highest earlier number. */
  nextNumber(now: number): number {
    this.#number = Math.max(now, this.#number + 1);
    return this.#number;
  }

  /**
   * The text that was written last, which begins with the number; empty if there is none. The module skips that line.
   */
  read(): string {
    return this.#rows?.join("") ?? "";
  }

  /** Writes the state in one transaction. Its text is ASCII, so its characters are bytes. */
  write(state: string): void {
    const text = `number ${this.#number}\n${state}`;
    const rows: string[] = [];
    for (let at = 0; at < text.length; at += SAVED_ROW) rows.push(text.slice(at, at + SAVED_ROW));
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      if (this.#rows === null) sql.exec("CREATE TABLE state (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
      for (const [number, row] of rows.entries()) {
        if (row !== this.#rows?.[number]) sql.exec("INSERT OR REPLACE INTO state VALUES (?, ?)", number, row);
      }
      if (rows.length < (this.#rows?.length ?? 0)) sql.exec("DELETE FROM state WHERE number >= ?", rows.length);
    });
    this.#rows = rows;
  }
}
