//! The serving module with one catalog in it: bytes in, an outcome out.
//!
//! Knows nothing of HTTP headers, KV or time. Throws only for a bad snapshot. A trap becomes an outcome.

import { concat } from "../bytes.ts";
import { holds } from "../telemetry/assertions.ts";
import { ANSWER, FORMAT, type Format, LOTS } from "./abi.ts";
import type { Outcome, SspFacts, SyncCall, Tallied, Verdict } from "./answers.ts";
import { type Instance, isTrue, type Serving } from "./instance.ts";
import { Running } from "./running.ts";

export { SnapshotRefused } from "./running.ts";

const TRAPPED: Outcome = {
  status: 204,
  gaveUp: false,
  hasMoreImps: false,
  refusesTcf: false,
  dropped: 0,
  test: false,
  body: null,
  records: null,
  left: null,
  count: "trap",
};

/** What is stopped: everything, or the campaigns with these ids. No id contains a line break. */
export interface Stop {
  all?: boolean;
  cids?: string[];
}

/** The version of a split that decides: the first or the second; 0 without a split. */
export type Arm = 0 | 1 | 2;

/** The weight of a decision that produces no events. */
export const SILENT = -1;

/** A bid request to decide on. */
export interface Question {
  body: Uint8Array;
  /** The SSP's number in the catalog. */
  ssp: number;
  /** The time in milliseconds since the epoch. */
  now: number;
  /** The halves of the seed of the bid ids, unsigned 32-bit numbers. */
  seed?: readonly [high: number, low: number];
  /**
   * Which events to write: {@link SILENT} for none, 0 for those of the bids, and a number above 0 for the auction's event
   * too; the number says how many auctions that event stands for.
   */
  weight?: number;
  /** The format of the body; JSON without one. The outcome's body is always JSON: see {@link Bidder.encode}. */
  format?: Format;
  /** The milliseconds since the request arrived, which are subtracted from its `tmax`. */
  waited?: number;
  /** Bids carry it in their tokens. */
  arm?: Arm;
  /** A random number of 32 bits for pacing, which the caller shows to nobody. */
  lot?: number;
  /** Tells the module what an option knows for this decision alone. */
  tell?: (to: Instance<Serving>) => void;
}

const NO_SEED = [0, 0] as const;

/** The version of a catalog that was never pushed. */
const NO_VERSION = "0000000000000000";

export class Bidder extends Running {
  /** Number of campaigns in the catalog. */
  readonly campaigns: number;
  /** Number of campaigns with a budget. */
  readonly budgets: number;
  /** Whether it takes part in pacing: a campaign has a budget, or an option learns with the shares. */
  readonly isPaced: boolean;
  /** The names of the options that the catalog uses. */
  readonly options: ReadonlySet<string>;
  /** All no-bid reasons. */
  readonly reasons: readonly string[];
  /** The reasons of requests on which no campaign passes the checks of SSP, seat and the request's own targeting. */
  readonly untargeted: ReadonlySet<string>;
  readonly #sspFacts: readonly SspFacts[];
  readonly #ssps: ReadonlyMap<string, number>;
  /** The weight that the instance got last. */
  #weight = SILENT;
  #notices: Uint8Array | undefined;
  #signs = false;
  #shares: Uint8Array | null = null;
  #stop: Stop = {};
  #stopped = 0;
  /** Bids of former instances. */
  #tallied: Tallied[] = [];
  /** The counts of former instances. */
  #counted: Uint8Array<ArrayBuffer>[] = [];

  /**
   * Builds an instance for a compiled catalog. Explanations show the version, 16 hex digits, and so do bids if the
   * catalog says so. Throws {@link SnapshotRefused}.
   */
  constructor(bytes: Uint8Array, wasm: WebAssembly.Module, version = NO_VERSION) {
    super(bytes, wasm, version);
    const { campaigns, budgets, paced, options, reasons, untargeted, ssps = [] } = this.facts;
    [this.isPaced, this.options] = [paced, new Set(options)];
    [this.campaigns, this.budgets, this.reasons] = [campaigns, budgets, reasons];
    this.untargeted = new Set(reasons.slice(...untargeted));
    this.#sspFacts = ssps;
    this.#ssps = new Map(ssps.map(({ id }, number) => [id, number]));
  }

  /** The ids of the SSPs. */
  get ssps(): string[] {
    return [...this.#ssps.keys()];
  }

  /** The SSP's number in the catalog; undefined for an unknown id. */
  ssp(id: string): number | undefined {
    return this.#ssps.get(id);
  }

  /** What the catalog says about the SSP with this number, which must exist. */
  factsOf(ssp: number): SspFacts {
    const facts = this.#sspFacts[ssp];
    if (facts === undefined) throw new RangeError(`the catalog has no SSP ${ssp}`);
    return facts;
  }

  /** Whether the SSP may send requests with this bearer token (null: without one). */
  authorize(ssp: number, token: string | null): boolean {
    return this.call((to) => isTrue(to.exports.authorize(ssp, to.putText(token ?? ""))), false);
  }

  /** Decides on a bid request. The same question, catalog and settings always give the same outcome. */
  decide(question: Question): Outcome {
    const { weight = SILENT } = question;
    this.#record(weight);
    return this.call<Outcome>((to) => this.#outcome(to, ask(to, question), weight), TRAPPED);
  }

  /** Counts a sent answer that the module has not counted, because the host could have decided again. */
  count(tallied: Tallied, counts = ""): void {
    this.#tallied.push(tallied);
    if (counts !== "") this.#counted.push(new TextEncoder().encode(counts).slice());
  }

  /** The body of an outcome in this format; null after a trap. */
  encode(body: Uint8Array<ArrayBuffer>, format: Format): Uint8Array<ArrayBuffer> | null {
    if (format === FORMAT.JSON) return body;
    return this.call((to) => to.input(to.exports.encode(to.put(body))), null);
  }

  /** Asks the instance for the events of this weight. */
  #record(weight: number): void {
    if (weight === this.#weight) return;
    this.#weight = weight;
    const [bids, auctions] = [Number(weight !== SILENT), Math.max(0, weight)];
    this.configure("record", ({ exports }) => exports.record(bids, auctions), undefined);
  }

  /** Reads what the last decision has left in the instance. */
  #outcome(from: Instance<Serving>, answer: number, weight: number): Outcome {
    if (!holds((answer & ANSWER.BROKEN) === 0, "the bids of an answer are within their bounds, one for each offer"))
      return { ...TRAPPED, records: weight > 0 ? from.records() : null, count: "unsound" };
    const status = (answer & ANSWER.STATUS) as Outcome["status"];
    const reason = answer >>> ANSWER.REASON_SHIFT;
    return {
      status,
      gaveUp: (answer & ANSWER.GAVE_UP) !== 0,
      hasMoreImps: (answer & ANSWER.MORE_IMPS) !== 0,
      refusesTcf: (answer & ANSWER.REFUSES_TCF) !== 0,
      dropped: weight === SILENT ? 0 : from.exports.records_dropped(),
      test: (answer & ANSWER.TEST) !== 0,
      body: status === 200 ? from.output() : null,
      records: weight > 0 || (weight === 0 && status === 200) ? from.records() : null,
      left: (answer & ANSWER.LEFT) === 0 ? null : from.left(),
      count: reason > 0 ? (this.reasons[reason - 1] ?? "unknown") : status === 400 ? "bad-request" : "bid",
    };
  }

  /**
   * Stops these campaigns, or everything, from the next decision on. All other campaigns bid again. Null lifts the
   * stop. Does nothing if the same is stopped already.
   */
  stop(stop: Stop | null): void {
    const lines = linesOf(stop ?? {});
    const all = stop?.all === true;
    if (lines === linesOf(this.#stop) && all === (this.#stop.all === true)) return;
    this.#stop = { all, cids: stop?.cids ?? [] };
    const stopped = (to: Instance<Serving>) => to.exports.stop(to.putText(lines), Number(all));
    this.#stopped = this.configure("stop", stopped, this.#stopped);
  }

  /** What is stopped. */
  get stops(): Readonly<Stop> {
    return this.#stop;
  }

  /** The number of the catalog's campaigns that are stopped by their id. */
  get stopped(): number {
    return this.#stopped;
  }

  /**
   * The lot of a request: a number below {@link LOTS} that depends only on the request's id and on the version. If the
   * body is not a bid request, {@link LOTS} itself.
   */
  lot(body: Uint8Array, format: Format = FORMAT.JSON): number {
    return this.call((to) => to.exports.lot(to.put(body), format), LOTS);
  }

  /**
   * Reads the query of an SSP's sync call, and refuses the call if privacy forbids to act on it. `optedOut`: the
   * browser itself sends an opt-out.
   */
  readSync(query: string, ssp: number, optedOut: boolean): SyncCall {
    const read = (to: Instance<Serving>) => {
      to.exports.sync(to.putText(query), ssp, Number(optedOut));
      return to.outputJson<SyncCall>();
    };
    return this.call<SyncCall>(read, { refused: "trap" });
  }

  /** Whether the host signs bids. */
  get signs(): boolean {
    return this.#signs;
  }

  /** Sets whether the host signs bids from now on. If not, no bid has anything to sign. */
  useSigner(signs: boolean): void {
    if (signs === this.#signs) return;
    this.#signs = signs;
    this.configure("signs", ({ exports }) => exports.use_signer(Number(signs)), undefined);
  }

  /** The settings of notices that the bidder got last. */
  get notices(): Uint8Array | undefined {
    return this.#notices;
  }

  /**
   * Makes bids carry notice URLs of ours, and {@link notice} read them. `settings` are the lines of `set_notices` in
   * `crates/bidder-wasm/src`. Returns what is wrong with them.
   */
  useNotices(settings: Uint8Array): string[] {
    this.#notices = settings;
    const set = (to: Instance<Serving>) => {
      to.exports.set_notices(to.put(settings));
      return to.outputJson<{ errors?: string[] }>().errors ?? [];
    };
    return this.configure<string[]>("notices", set, []);
  }

  /** Reads the end of a notice's URL, `KIND/TOKEN?QUERY`; null if there is no such notice. */
  notice(url: string, now: number): Verdict | null | "trap" {
    const read = (to: Instance<Serving>) => {
      return isTrue(to.exports.notice(to.putText(url), now)) ? to.outputJson<Verdict>() : null;
    };
    return this.call<Verdict | null | "trap">(read, "trap");
  }

  /** Takes the counts of the bids with notice URLs. A trap loses the counts of its instance. */
  takeTally(): Tallied[] {
    const taken = [...this.#tallied, ...this.call((from) => [tallyOf(from)], [])];
    this.#tallied = [];
    return taken;
  }

  /**
   * The budgets, SSPs and rates of the catalog, for one of `of` pacers: JSON, see
   * `crates/auction/src/write/budgets.rs`.
   */
  budgetList(pacer = 0, of = 1): Uint8Array {
    const list = (from: Instance<Serving>) => {
      from.exports.budgets(pacer, of);
      return from.output();
    };
    return this.call<Uint8Array>(list, new TextEncoder().encode('{"budgets":[],"ssps":[],"rates":{}}'));
  }

  /**
   * Sets the shares of campaigns with a budget, a text of `crates/pacing/src/shares.rs`. They count until the next
   * call. With null, or a text that is not shares, campaigns with a budget bid only under deals that
   * their catalog calls guaranteed.
   */
  useShares(shares: Uint8Array | null): void {
    this.#shares = shares;
    const set = (to: Instance<Serving>) => void to.exports.set_shares(to.put(shares ?? new Uint8Array()));
    this.configure("shares", set, undefined);
  }

  /** The shares that the bidder got last. */
  get shares(): Uint8Array | null {
    return this.#shares;
  }

  /**
   * Takes the counts of campaigns with a budget since the last call, a text of `crates/pacing/src/counts.rs`; null if
   * there are none. A trap loses the counts of its instance.
   */
  takeCounts(now: number): Uint8Array | null {
    // Texts of counts may be joined.
    const counts = concat([...this.#counted, ...this.call((from) => [countsOf(from, now)], [])]);
    this.#counted = [];
    return counts.byteLength > 0 ? counts : null;
  }

  /** Replaces an instance that still works, and keeps its counts. */
  renew(): void {
    this.#tallied.push(...this.call((from) => [tallyOf(from)], []));
    // The new instance counts from its first decision on.
    this.#counted.push(...this.call((from) => [countsOf(from, 0)], []));
    this.replace();
  }
}

function ask(to: Instance<Serving>, question: Question): number {
  const { body, ssp, now, seed: [high, low] = NO_SEED, format = FORMAT.JSON, waited = 0, arm = 0, lot = 0 } = question;
  question.tell?.(to);
  return to.exports.decide(to.put(body), ssp, now, high, low, format, waited, arm, lot);
}

function linesOf({ cids = [] }: Stop): string {
  return cids.map((cid) => `${cid}\n`).join("");
}

function countsOf(from: Instance<Serving>, now: number): Uint8Array<ArrayBuffer> {
  from.exports.take_counts(now);
  return from.output();
}

function tallyOf(from: Instance<Serving>): Tallied {
  from.exports.take_tally();
  return from.outputJson<Tallied>();
}
