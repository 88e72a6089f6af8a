//! Recognises notices that this isolate has already handled. An exchange may send a notice again, and a copied URL may
//! be called thousands of times. The ledger books a bid only once anyway; this saves the call to it.

import { MAX_REPEATS } from "../../../shared/limits.ts";

export class Repeats {
  #handled = new Set<string>();
  /** The set before `#now`: so an isolate never forgets all notices at once. */
  #before = new Set<string>();

  /** Whether {@link add} got this key lately. */
  has(key: string): boolean {
    return this.#handled.has(key) || this.#before.has(key);
  }

  add(key: string): void {
    if (this.#handled.size >= MAX_REPEATS) [this.#before, this.#handled] = [this.#handled, new Set()];
    this.#handled.add(key);
  }
}
