//! Asks the module about each request of a recording: whether the campaign matches it, and whether it would without one of
//! its attributes. `variants.ts` has the catalogs.

import { bytesOf } from "../../cli/catalog/store.ts";
import { compiler } from "../../cli/module.ts";
import { type Bid, type Call, type Decision, type Named, ReplayedCatalog } from "../../cli/replay/catalog.ts";
import { compile } from "../../shared/catalog/compile.ts";
import type { Entry } from "../../shared/compare/entry.ts";
import { added, type Counts, seen } from "../../shared/frequency/buckets.ts";
import { type Ask, askOf, countedOf, decideAgain } from "../../shared/frequency/decide.ts";
import type { Bidder, Question } from "../../shared/wasm/bidder.ts";
import type { Documents } from "./variants.ts";

/** A person in the recording. */
interface Person {
  requests: number;
  /** The impressions of campaigns and creatives with frequency caps, if each bid is shown. */
  shown: Map<string, Counts>;
}

const NO_VERSION = "0".repeat(16);

/** The whole catalog, as a replay needs it. It also asks the others, and keeps what it learns. */
export class Sample extends ReplayedCatalog {
  /** When each request was sent, in milliseconds since the epoch; the numbers of the lines, if they have no times. */
  readonly requests: number[] = [];
  /** The same of the requests that match, of those that the frequency caps allow, and of those that get a bid. */
  readonly matches: number[] = [];
  readonly capped: number[] = [];
  readonly bids: number[] = [];
  /** The same of the requests that match only without an attribute. */
  readonly without: ReadonlyMap<string, number[]>;
  /** The people of matching requests, by the key with which the module counts for frequency caps. */
  readonly people = new Map<string, Person>();
  /** Whether the lines have their times; null before the first line. */
  isTimed: boolean | null = null;
  /** The number of requests that each line stands for; null before the first line. */
  oneIn: number | null = null;
  readonly #cid: unknown;
  readonly #started: number;
  readonly #oneIn: number;
  readonly #bid: (bid: Bid, ssp: string) => void;
  readonly #any: Bidder;
  readonly #base: Bidder;
  readonly #others: ReadonlyMap<string, Bidder>;
  #refusal: string | null = null;

  /**
   * `started`: the time of lines without a time. `oneIn`: the weight of lines that have none. `bid`: told each bid that the campaign makes in the whole
   * catalog.
   */
  constructor(
    whole: Named,
    documents: Documents,
    { started, oneIn }: { started: number; oneIn: number },
    bid: (bid: Bid, ssp: string) => void,
  ) {
    super(whole);
    [this.#cid, this.#started, this.#oneIn, this.#bid] = [documents.campaign["cid"], started, oneIn, bid];
    [this.#any, this.#base] = [opened(documents.any), opened(documents.base)];
    this.#others = new Map([...documents.without].map(([name, document]) => [name, opened(document)]));
    this.without = new Map([...this.#others.keys()].map((name) => [name, []]));
  }

  /** Returns the decision of the whole catalog if the campaign matches. */
  override decide(call: Call, position: number): Decision {
    const [isTimed, { oneIn = this.#oneIn }] = [call.now !== this.#started, call];
    this.isTimed ??= isTimed;
    this.oneIn ??= oneIn;
    const ssp = this.bidder.ssp(call.ssp);
    const other = ssp === undefined && `the catalog has no SSP ${call.ssp}; it has ${this.bidder.ssps.join(", ")}`;
    const mixed = isTimed !== this.isTimed && `${isTimed ? "a" : "no"} time (at), unlike the lines before`;
    const weighed = oneIn !== this.oneIn && `one request in ${oneIn}, unlike the lines before`;
    this.#refusal = other || mixed || weighed || null;
    if (this.#refusal !== null || ssp === undefined) return none("bad-request");
    const { body, now } = call;
    const question: Question = { body, ssp, now, seed: [0, position >>> 0] };
    const asked = (bidder: Bidder) => bidder.decide(question);
    const { count: outcome, test } = asked(this.#any);
    if (outcome === "bad-request") return none(outcome);
    const at = isTimed ? call.now : position;
    this.requests.push(at);
    if (outcome !== "bid" || test) return none(outcome);
    const base = asked(this.#base);
    const [ask, { count }] = [askOf(base), base];
    if (ask === null && count !== "bid") {
      for (const [name, bidder] of this.#others) if (asked(bidder).count === "bid") this.without.get(name)?.push(at);
      return none(count);
    }
    this.matches.push(at);
    if (ask === null || this.#mayShow(question, ask)) this.capped.push(at);
    const decision = super.decide(call, position);
    const own = decision.bids.filter(({ cid }) => cid === this.#cid);
    if (own.length > 0) this.bids.push(at);
    for (const bid of own) this.#bid(bid, call.ssp);
    return decision;
  }

  override errorOf(call: Call): string {
    return this.#refusal ?? super.errorOf(call);
  }

  override forget(): void {
    super.forget([this.bidder, this.#any, this.#base, ...this.#others.values()]);
  }

  /** Whether the frequency caps let the person see a bid. Counts the person, and the bid as shown. */
  #mayShow(question: Question, ask: Ask): boolean {
    const [key = ""] = ask.keys;
    const person = this.people.get(key) ?? { requests: 0, shown: new Map<string, Counts>() };
    this.people.set(key, person);
    person.requests++;
    const seconds = Math.floor(question.now / 1000);
    const left = ask.subjects.map(({ subject, caps }) => {
      const shown = person.shown.get(subject);
      return Math.max(0, Math.min(...caps.map(({ n, per }) => n - (shown ? seen(shown, per, seconds) : 0))));
    });
    const outcome = decideAgain(this.#base, question, ask, undefined, left);
    for (const subject of countedOf(outcome).flatMap(({ subjects }) => subjects))
      person.shown.set(subject, added(person.shown.get(subject) ?? null, seconds));
    return outcome.count === "bid";
  }
}

function opened(document: Entry): Bidder {
  const { snapshot } = compile(bytesOf(JSON.stringify(document)), compiler);
  return new ReplayedCatalog({ name: "variant", version: NO_VERSION, snapshot }).bidder;
}

function none(outcome: string): Decision {
  return { outcome, bids: [], untold: 0, isCutOff: false };
}
