//! Counts the requests of a recording that a campaign matches, and those that it would match without one of its
//! attributes. The module decides on each request, with the catalogs of `variants.ts`.

import { compile } from "../../worker/src/catalog/compile.ts";
import { added, type Counts, seen } from "../../worker/src/frequency/buckets.ts";
import type { Capped } from "../../worker/src/wasm/answers.ts";
import type { Bidder } from "../../worker/src/wasm/bidder.ts";
import { bytesOf } from "../catalog/store.ts";
import { compiler } from "../module.ts";
import { type Bid, type Call, type Decision, type Named, ReplayedCatalog } from "../replay/catalog.ts";
import { BLOCKS } from "./interval.ts";
import type { Documents, Entry } from "./variants.ts";

/** What is counted of a recording; behind these, what would come back without each attribute. */
export const COLUMNS = ["requests", "matches", "capped", "bids"] as const;

/** A person in the recording. */
interface Person {
  requests: number;
  /** The impressions of campaigns and creatives with frequency caps, if each bid is shown. */
  shown: Map<string, Counts>;
}

/** The first width of a slot: a second; or a line, if lines have no times. */
const SLOT_MS = 1000;
/** With more slots, each becomes twice as wide. */
const MOST_SLOTS = 20_000;
/** The fewest slots in a block of an interval, so that blocks are about equally long. */
const SLOTS_PER_BLOCK = 10;
const SOME_OBJECT = 1;
const NO_VERSION = "0".repeat(16);

/** The catalog, as a replay needs it. It also asks what the campaign matches, and counts that. */
export class Sample extends ReplayedCatalog {
  /** The attributes that are removed one at a time. */
  readonly removed: readonly string[];
  /** Whether the campaign has a frequency cap. */
  readonly isCapped: boolean;
  /** The people of matching requests, by the key with which the module counts for frequency caps. */
  readonly people = new Map<string, Person>();
  /** The time of the first and the last request in milliseconds since the epoch; without times, their numbers. */
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  /** Whether lines have their times; null before the first line. */
  isTimed: boolean | null = null;
  /** The lines that count. */
  lines = 0;
  readonly #cid: string;
  readonly #started: number;
  readonly #bid: (bid: Bid, ssp: string) => void;
  readonly #any: Bidder;
  readonly #base: Bidder;
  readonly #without: Bidder[];
  readonly #slots = new Map<number, Float64Array>();
  #slotMs = SLOT_MS;
  #refusal: string | null = null;

  /** `started`: the time of lines without a time. `bid`: told each bid that the campaign makes in the whole catalog. */
  constructor(
    whole: Named,
    { base, any, without, isCapped }: Documents,
    started: number,
    bid: (bid: Bid, ssp: string) => void,
  ) {
    super(whole);
    this.#cid = String((base["campaigns"] as Entry[])[0]?.["cid"]);
    this.isCapped = isCapped;
    this.removed = [...without.keys()];
    [this.#any, this.#base] = [opened(any), opened(base)];
    this.#without = [...without.values()].map(opened);
    [this.#started, this.#bid] = [started, bid];
  }

  /** Counts the request, and returns the decision of the whole catalog if the campaign matches. */
  override decide(call: Call, place: number): Decision {
    const isTimed = call.now !== this.#started;
    this.isTimed ??= isTimed;
    this.#refusal = this.#refusalOf(call.ssp, isTimed);
    const ssp = this.bidder.ssp(call.ssp);
    if (this.#refusal !== null || ssp === undefined) return none("bad-request");
    const asked = (bidder: Bidder) => bidder.decide(call.body, ssp, call.now, 0, place >>> 0);
    const any = asked(this.#any);
    if (any.count === "bad-request") return none(any.count);
    const row = this.#row(isTimed ? call.now : place * SLOT_MS);
    this.lines++;
    add(row, 0);
    if (any.count !== "bid" || any.test) return none(any.count);
    const { capped, count } = asked(this.#base);
    if (capped === null && count !== "bid") {
      for (const [n, bidder] of this.#without.entries())
        if (asked(bidder).count === "bid") add(row, COLUMNS.length + n);
      return none(count);
    }
    add(row, 1);
    if (capped === null || this.#mayShow(capped, call.now)) add(row, 2);
    const decision = super.decide(call, place);
    const own = decision.bids.filter(({ cid }) => cid === this.#cid);
    if (own.length > 0) add(row, 3);
    for (const bid of own) this.#bid(bid, call.ssp);
    return decision;
  }

  override errorOf(call: Call): string {
    return this.#refusal ?? super.errorOf(call);
  }

  override forget(): void {
    super.forget();
    for (const bidder of [this.#any, this.#base, ...this.#without]) {
      bidder.takeTally();
      bidder.takeCounts(0);
    }
  }

  /** The counts of each column in {@link BLOCKS} blocks, and whether the blocks are long enough for an interval. */
  blocks(): { columns: number[][]; isEnough: boolean } {
    const numbers = [...this.#slots.keys()];
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    const length = last - first + 1;
    const width = COLUMNS.length + this.removed.length;
    const columns = Array.from({ length: width }, () => Array<number>(BLOCKS).fill(0));
    for (const [slot, row] of this.#slots) {
      const block = Math.floor(((slot - first) * BLOCKS) / length);
      for (const [at, column] of columns.entries()) column[block] = (column[block] ?? 0) + (row[at] ?? 0);
    }
    return { columns, isEnough: length >= BLOCKS * SLOTS_PER_BLOCK };
  }

  #refusalOf(ssp: string, isTimed: boolean): string | null {
    if (this.bidder.ssp(ssp) === undefined)
      return `the catalog has no SSP ${ssp}; it has ${this.bidder.ssps.join(", ")}`;
    if (isTimed !== this.isTimed) return `${isTimed ? "a" : "no"} time (at), unlike the lines before`;
    return null;
  }

  #row(at: number): Float64Array {
    [this.first, this.last] = [Math.min(this.first, at), Math.max(this.last, at)];
    const slot = Math.floor(at / this.#slotMs);
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    if (this.#slots.size >= MOST_SLOTS) {
      this.#widen();
      return this.#row(at);
    }
    const row = new Float64Array(COLUMNS.length + this.removed.length);
    this.#slots.set(slot, row);
    return row;
  }

  /** Joins each two neighbouring slots. */
  #widen(): void {
    const old = [...this.#slots];
    this.#slots.clear();
    this.#slotMs *= 2;
    for (const [slot, row] of old) {
      const joined = this.#slots.get(Math.floor(slot / 2));
      if (joined === undefined) this.#slots.set(Math.floor(slot / 2), row);
      else for (const [at, count] of row.entries()) joined[at] = (joined[at] ?? 0) + count;
    }
  }

  /** Whether the frequency caps let the person see a bid. Counts it as shown, and the person. */
  #mayShow({ ask, decide }: Capped, now: number): boolean {
    const [key = ""] = ask.keys;
    const person = this.people.get(key) ?? { requests: 0, shown: new Map<string, Counts>() };
    this.people.set(key, person);
    person.requests++;
    const seconds = Math.floor(now / 1000);
    const left = ask.subjects.map(({ subject, caps }) => {
      const shown = person.shown.get(subject);
      return Math.min(...caps.map(({ n, per }) => n - (shown ? seen(shown, per, seconds) : 0)));
    });
    const { counted, count } = decide(SOME_OBJECT, left);
    for (const subject of counted.flatMap(({ subjects }) => subjects))
      person.shown.set(subject, added(person.shown.get(subject) ?? null, seconds));
    return count === "bid";
  }
}

function opened(document: Entry): Bidder {
  const { snapshot } = compile(bytesOf(JSON.stringify(document)), compiler);
  return new ReplayedCatalog({ name: "variant", version: NO_VERSION, snapshot }).bidder;
}

function add(row: Float64Array, column: number): void {
  row[column] = (row[column] ?? 0) + 1;
}

function none(outcome: string): Decision {
  return { outcome, bids: [], untold: 0, isCutOff: false };
}
