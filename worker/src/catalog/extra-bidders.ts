//! Bidders that answer the operator's questions on any version, and serve no requests. Their decisions reach no ledger,
//! no pacer and no exchange.
//!
//! The serving bidders need the memory of the isolate. So only one extra bidder is built at a time, all of them
//! together stay below a limit, and each is dropped some seconds after its last question.

import { megabytes } from "../../../shared/bytes.ts";
import { EXTRA_KEEP_MS, EXTRA_LOOK_MS, EXTRA_WAIT_MS, MAX_EXTRA_BYTES } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";

/** A version to build, with the bytes of its snapshot. */
interface Plan {
  version: string;
  bytes: number;
  build(): Promise<Bidder> | Bidder;
}

export class ExtraBidders {
  readonly #keepMs: number;
  /** The bidders by version. The bidder that was asked last is at the end. */
  readonly #held = new Map<string, { bidder: Bidder }>();
  /** When the present build began, in milliseconds since the epoch. */
  #building = Number.NEGATIVE_INFINITY;

  /** `keepMs`: how long a bidder stays after its last question. */
  constructor(keepMs = EXTRA_KEEP_MS) {
    this.#keepMs = keepMs;
  }

  /** The number of bidders that are held now. */
  get held(): number {
    return this.#held.size;
  }

  /** The bidder on this version, if it is still held. */
  of(version: string, ctx: Background): Bidder | undefined {
    const bidder = this.#held.get(version)?.bidder;
    if (bidder) this.#keep(version, bidder, ctx);
    return bidder;
  }

  /**
   * Builds the bidder, unless it is still held. Throws a {@link Refusal} for a version over the limit, and what `build`
   * throws.
   */
  async build({ version, bytes, build }: Plan, ctx: Background): Promise<Bidder> {
    const asked = Date.now();
    // If the caller of another request has gone, that request's promise may never settle. So this code polls.
    while (this.#isBuilding && Date.now() - asked < EXTRA_WAIT_MS) await scheduler.wait(EXTRA_LOOK_MS);
    const held = this.of(version, ctx);
    if (held) return held;
    if (bytes > MAX_EXTRA_BYTES) throw new Refusal(tooLarge(version, bytes), 413);
    this.#makeRoom(bytes);
    this.#building = Date.now();
    try {
      const bidder = await build();
      // The size in KV was missing or wrong.
      this.#makeRoom(bidder.snapshotBytes);
      this.#keep(version, bidder, ctx);
      return bidder;
    } finally {
      this.#building = Number.NEGATIVE_INFINITY;
    }
  }

  /** Whether a build runs. A build whose caller has gone may never end, so it counts for a limited time only. */
  get #isBuilding(): boolean {
    const since = Date.now() - this.#building;
    return since >= 0 && since < EXTRA_WAIT_MS;
  }

  /** Drops bidders until there is room, those with the oldest last question first. */
  #makeRoom(bytes: number): void {
    let all = bytes;
    for (const [version, { bidder }] of [...this.#held].reverse()) {
      all += bidder.snapshotBytes;
      if (all > MAX_EXTRA_BYTES) this.#held.delete(version);
    }
  }

  #keep(version: string, bidder: Bidder, ctx: Background): void {
    // Each question stores a new object, so that only the wait of the last question drops the bidder.
    const held = { bidder };
    this.#held.delete(version);
    this.#held.set(version, held);
    const drop = async () => {
      await scheduler.wait(this.#keepMs);
      if (this.#held.get(version) === held) this.#held.delete(version);
    };
    ctx.waitUntil(drop());
  }
}

function tooLarge(version: string, bytes: number): string {
  return `version ${version} has ${megabytes(bytes)}, and the bidder builds at most ${megabytes(MAX_EXTRA_BYTES)} beside the versions that serve; ask on your machine: npx edgebid explain`;
}
