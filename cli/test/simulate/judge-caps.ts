//! The judge of frequency caps: nobody sees a campaign more often than it may be seen, each impression reaches the object
//! that counts it, and a person can be forgotten.

import { Broken } from "./broken.ts";
import type { Bid, Market } from "./market.ts";
import type { Actor } from "./platform/actor.ts";
import type { Platform } from "./platform/platform.ts";

/** A window of a cap is an hour, for an object whose clock may be four seconds wrong. */
const HOUR_MS = 3_595_000;
/** Milliseconds around an answered bill in which its isolate tells of it. */
const TELLING_MS = 120_000;

export class CapsJudge {
  readonly #platform: Platform;
  readonly #market: Market;
  /**
   * The bills that objects of frequency caps were told of; the bids that they have taken; the bills that they have
   * taken, with the number of instances before; and when they have counted what.
   */
  readonly #told = new Set<string>();
  readonly #expected = new Set<string>();
  readonly #billed = new Map<string, number>();
  readonly #countedAt = new Map<string, number>();
  /** The keys of the people who were forgotten. */
  readonly #forgotten = new Set<string>();

  constructor(platform: Platform, market: Market) {
    [this.#platform, this.#market] = [platform, market];
  }

  /**
   * An object of frequency caps is told of bids or of a bill, or has taken that. A billed impression counts when the
   * object has taken both. If the bill came first, it may forget the bill with its instance.
   */
  onCall({ className, ended }: Actor, method: string, [first, second]: unknown[], isDone: boolean): void {
    if (className !== "Frequency") return;
    const { now } = this.#platform.world;
    if (method === "bill") {
      const id = String(first);
      this.#told.add(id);
      if (!isDone) return;
      this.#billed.set(id, ended);
      if (this.#expected.has(id)) this.#countedAt.set(id, now);
    } else if (method === "bid" && isDone) {
      for (const { bid: id, on } of second as { bid: string; on: string }[]) {
        this.#expected.add(id);
        if (on === "bid" || this.#billed.get(id) === ended) this.#countedAt.set(id, now);
      }
    } else if (method === "forget") {
      this.#forgotten.add(String(first).toUpperCase());
    }
  }

  /** A person who has reached a campaign's cap does not see it again, as far as impressions were counted. */
  onBid({ id, campaign, person, askedAt }: Bid): void {
    const { cap } = campaign;
    if (cap === undefined) return;
    const counted = this.#market.bidsFor(person).filter((one) => {
      const at = this.#countedAt.get(one.id) ?? Number.POSITIVE_INFINITY;
      return one.campaign === campaign && one.id !== id && at < askedAt && at > askedAt - HOUR_MS;
    });
    if (counted.length < cap.n) return;
    const about = [id, ...counted.map((one) => one.id)];
    throw new Broken("caps", `${person} sees ${campaign.cid} again after ${counted.length} times`, about);
  }

  /** Nothing is left about these people. They may see each campaign again. */
  judgeForgotten(people: Set<string>): void {
    const query = "SELECT hex(key) AS key FROM seen UNION SELECT hex(key) AS key FROM pending";
    for (const { name, storage } of this.#platform.actorsOf("Frequency")) {
      const rows = storage.isEmpty ? [] : storage.peek<{ key: string }>(query);
      const left = rows.find(({ key }) => this.#forgotten.has(key));
      if (left) throw new Broken("forget", `${name} still knows ${left.key}`, [name, left.key.toLowerCase()]);
    }
    for (const { id } of [...people].flatMap((person) => this.#market.bidsFor(person))) this.#countedAt.delete(id);
  }

  /** Each impression that counts for a cap was told, unless an isolate has ended meanwhile. */
  judgeTelling(): void {
    for (const { id, campaign, bookedAt } of this.#market.bids.values()) {
      if (campaign.cap?.on !== "bill" || bookedAt === undefined || this.#told.has(id)) continue;
      if (this.#platform.endings.some((at) => Math.abs(at - bookedAt) < TELLING_MS)) continue;
      throw new Broken("caps", `${id} is billed, and no object of frequency caps was told`, [id]);
    }
  }
}
