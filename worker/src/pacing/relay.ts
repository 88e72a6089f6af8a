//! A relay: adds up the counts of the isolates of a region, and passes them to the pacer every few seconds. It keeps
//! the pacer's newest shares and answers each isolate with them at once.
//!
//! Everything is in memory. If the pacer does not answer, the relay keeps the counts, one row for each campaign and
//! SSP, and sends them again. It still answers with the old shares: isolates see their age.

import { DurableObject } from "cloudflare:workers";
import { EXCHANGE_MS, FIRST_SHARES_MS, IDLE_MS, RELAY_TIMEOUT_MS } from "../limits.ts";
import { fail } from "../telemetry/failures.ts";
import { pause, within } from "../time/retry.ts";
import { PacingModule } from "./module.ts";
import { pacerOf } from "./places.ts";
import { headOf, numbered } from "./shares.ts";

/** Counts that the pacer adds only once, even if they arrive twice. */
export interface Parcel {
  /** The instance of the relay, and the number of the parcel. */
  relay: string;
  number: number;
  /** The counts as text. */
  counts: string;
}

export class Relay extends DurableObject<Env> {
  #module = new PacingModule();
  readonly #relay = crypto.randomUUID();
  /** The last parcel, until the pacer has taken it. */
  #parcel: Parcel | null = null;
  #number = 0;
  #shares = "";
  /** When the pacer made them, by this object's clock. */
  #madeAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  /** Takes an isolate's counts, and returns the newest shares; an empty text if there are none yet. */
  async exchange(counts: string | null): Promise<string> {
    // Without counts too: the pacer must know how many isolates bid with these shares.
    const lost = this.#guarded(() => this.#module.merge(counts ?? "")) ?? 0;
    if (lost > 0) fail("relay-told", `${lost} bids and notices of learned shading are lost: too many different ones`);
    const since = Date.now() - this.#askedAt;
    if (this.#asking === undefined && !(since >= 0 && since < EXCHANGE_MS)) {
      this.#askedAt = Date.now();
      this.#asking = this.#ask().finally(() => {
        this.#asking = undefined;
      });
      this.ctx.waitUntil(this.#asking);
    }
    // Without requests for a while, nobody has asked for newer shares. If there are none, the age is infinite.
    const age = Date.now() - this.#madeAt;
    if (!(age >= 0 && age < IDLE_MS)) await Promise.race([this.#asking, pause(FIRST_SHARES_MS)]);
    return numbered(this.#shares, headOf(this.#shares).number, Date.now() - this.#madeAt);
  }

  async #ask(): Promise<void> {
    try {
      this.#parcel ??= this.#nextParcel();
      const shares = await within(RELAY_TIMEOUT_MS, pacerOf(this.env).exchange(this.#parcel));
      this.#parcel = null;
      const { number, age } = headOf(shares);
      if (number <= headOf(this.#shares).number) return;
      this.#shares = shares;
      this.#madeAt = Date.now() - (age ?? 0);
    } catch (error) {
      fail("relay-pacer", error);
    }
  }

  #nextParcel(): Parcel | null {
    const counts = this.#guarded(() => this.#module.ask("take")) ?? "";
    return counts === "" ? null : { relay: this.#relay, number: this.#number++, counts };
  }

  /** Replaces the module after a trap. Its counts are lost. */
  #guarded<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      fail("relay-trap", error);
      this.#module = new PacingModule();
      return undefined;
    }
  }
}
