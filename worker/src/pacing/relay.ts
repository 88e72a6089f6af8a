//! A relay: adds up the counts of the isolates of a region, and passes them to the pacers every few seconds. It keeps
//! their newest shares and answers each isolate with them at once.
//!
//! Everything is in memory. If a pacer does not answer, the relay keeps the counts, one row for each campaign and
//! SSP, and sends them again. It still answers with the old shares: isolates see their age.

import { DurableObject } from "cloudflare:workers";
import { EXCHANGE_MS, FIRST_SHARES_MS, IDLE_MS, RELAY_TIMEOUT_MS } from "../../../shared/limits.ts";
import { AllShares } from "../../../shared/pacing/shares.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { pause, within } from "../time/retry.ts";
import { PacingModule } from "./module.ts";
import { pacerOf } from "./objects.ts";

/** Counts that the pacer adds only once, even if they arrive twice. */
export interface Parcel {
  /** The instance of the relay, and the number of the parcel. */
  relay: string;
  number: number;
  /** The counts as text. */
  counts: string;
}

/** The exchange with one pacer. */
interface Line {
  /** The last parcel, until the pacer has taken it. */
  parcel: Parcel | null;
  askedAt: number;
  asking?: Promise<void> | undefined;
}

export class Relay extends DurableObject<Env> {
  #module = new PacingModule();
  readonly #relay = crypto.randomUUID();
  readonly #all = new AllShares();
  /** By the number of the pacer. */
  readonly #lines: Line[] = [];
  #number = 0;

  /** Takes an isolate's counts, and returns the newest shares; an empty text if there are none yet. */
  async exchange(counts: string | null): Promise<string> {
    const { of } = this.#all.pacers;
    this.#lines.length = Math.min(this.#lines.length, of);
    // Without counts too: the pacer must know how many isolates bid with these shares.
    const lost = this.#guarded(() => this.#module.merge(counts ?? "", of)) ?? 0;
    if (lost > 0) fail("relay-told", `${lost} bids and notices of learned shading are lost: too many different ones`);
    const asking = Array.from({ length: of }, (_, pacer) => this.#start(pacer));
    // Without requests for a while, nobody has asked for newer shares. If there are none, the age is infinite.
    const { age } = this.#all;
    if (age >= IDLE_MS) await Promise.race([Promise.all(asking), pause(FIRST_SHARES_MS)]);
    return this.#guarded(() => this.#all.text((shares) => this.#module.join(shares))) ?? "";
  }

  /** Asks a pacer, if it is time. */
  #start(pacer: number): Promise<void> | undefined {
    const line = this.#lines[pacer] ?? { parcel: null, askedAt: Number.NEGATIVE_INFINITY };
    this.#lines[pacer] = line;
    if (Date.now() < line.askedAt) {
      // The clock was set back, so nobody knows how old the shares are.
      this.#all.forget(pacer);
      line.askedAt = Number.NEGATIVE_INFINITY;
    }
    const since = Date.now() - line.askedAt;
    if (line.asking === undefined && since >= EXCHANGE_MS) {
      line.askedAt = Date.now();
      line.asking = this.#ask(pacer, line).finally(() => {
        line.asking = undefined;
      });
      this.ctx.waitUntil(line.asking);
    }
    return line.asking;
  }

  async #ask(pacer: number, line: Line): Promise<void> {
    try {
      line.parcel ??= this.#nextParcel(pacer);
      const answer = pacerOf(this.env, pacer).exchange(line.parcel, this.#all.pacers);
      this.#all.take(pacer, await within(RELAY_TIMEOUT_MS, answer));
      line.parcel = null;
    } catch (error) {
      fail("relay-pacer", error);
    }
  }

  #nextParcel(pacer: number): Parcel | null {
    const counts = this.#guarded(() => this.#module.take(pacer)) ?? "";
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
