//! One instance of the serving module with one catalog in it: bytes in, an outcome out.
//!
//! Knows nothing of HTTP headers, KV or time. Throws only for a bad snapshot. A trap becomes an outcome, and a new
//! instance replaces the instance that trapped.

import { concat } from "../bytes.ts";
import { fail } from "../telemetry/failures.ts";
import { ANSWER, halves, LOTS, SYNC, SYNC_PARAMETERS } from "./abi.ts";
import type {
  Ask,
  Capped,
  Counted,
  Facts,
  Outcome,
  SyncCall,
  SyncRefusal,
  Tallied,
  Unsigned,
  Verdict,
} from "./answers.ts";
import { Instance, isTrue, type Serving } from "./instance.ts";

/** This module cannot use the bytes as a snapshot. */
export class SnapshotRefused extends Error {
  override name = "SnapshotRefused";
}

/** Shared by all outcomes without such bids. */
const NONE_COUNTED: Counted[] = [];

/** Shared by all outcomes without anything to sign. */
const NONE_UNSIGNED: Unsigned[] = [];

const TRAPPED: Outcome = {
  status: 204,
  gaveUp: false,
  hasMoreImps: false,
  dropped: 0,
  test: false,
  body: null,
  records: null,
  unsigned: NONE_UNSIGNED,
  capped: null,
  counted: NONE_COUNTED,
  count: "trap",
};

const SYNC_REFUSALS: Readonly<Record<number, SyncRefusal>> = {
  [SYNC.BAD_CALL]: "bad-call",
  [SYNC.NO_CONSENT]: "no-consent",
  [SYNC.BAD_REDIRECT]: "bad-redirect",
};

/** What is stopped: everything, or the campaigns with these ids. No id contains a line break. */
export interface Stop {
  all?: boolean;
  cids?: string[];
}

/** A {@link Stop} as the modules take it: the ids, each followed by a line break. */
export interface StopCall {
  lines: Uint8Array;
  all: boolean;
}

/** The weight of a decision that produces no events. */
export const SILENT = -1;

/** The version of a catalog that was never pushed. */
const NO_VERSION = "0000000000000000";

export class Bidder {
  /** Number of campaigns in the catalog. */
  readonly campaigns: number;
  /** Number of campaigns with a budget. */
  readonly budgets: number;
  /** Whether a campaign or a creative has a frequency cap. */
  readonly hasCaps: boolean;
  /** Whether a campaign has something to say to SKAdNetwork. */
  readonly hasSkadn: boolean;
  readonly version: string;
  /** All no-bid reasons. */
  readonly reasons: readonly string[];
  readonly #ssps: ReadonlyMap<string, number>;
  readonly #syncs: readonly string[];
  readonly #closed: ReadonlySet<number>;
  readonly #gzip: ReadonlySet<number>;
  readonly #tmax: readonly number[];
  readonly #wasm: WebAssembly.Module;
  #instance: Instance<Serving>;
  /** Where the snapshot is in the instance's memory. Nothing ever writes there. */
  #snapshot: { at: number; length: number };
  /** The weight that the instance got last. */
  #weight = SILENT;
  /** The settings of notices that the instance got last. */
  #settings: Uint8Array | undefined;
  /** Bids of former instances. */
  #tallied: Tallied[] = [];
  /** Whether bids for SKAdNetwork are signed. */
  #signsSkadn = false;
  /** The shares that the instance got last. */
  #shares: Uint8Array | null = null;
  /** The counts of former instances. */
  #counted: Uint8Array<ArrayBuffer>[] = [];
  #stop: StopCall = { lines: new Uint8Array(), all: false };
  #stopped = 0;

  /**
   * Builds an instance for a compiled catalog. Explanations show the version, 16 hex digits, and so do bids if the
   * catalog says so. Throws {@link SnapshotRefused}.
   */
  constructor(bytes: Uint8Array, wasm: WebAssembly.Module, version = NO_VERSION) {
    const { instance, facts } = load(bytes, wasm, version);
    this.#wasm = wasm;
    this.version = version;
    this.#instance = instance;
    this.#snapshot = placeOf(instance);
    this.campaigns = facts.campaigns;
    this.budgets = facts.budgets;
    this.hasCaps = facts.caps;
    this.hasSkadn = facts.skadn;
    this.#ssps = new Map((facts.ssps ?? []).map((id, number) => [id, number]));
    this.#syncs = facts.syncs ?? [];
    const numbers = (ids: string[] = []) => new Set(ids.map((id) => this.#ssps.get(id) ?? -1));
    this.#closed = numbers(facts.closed);
    this.#gzip = numbers(facts.gzip);
    this.#tmax = facts.tmax ?? [];
    this.reasons = facts.reasons;
  }

  /** The ids of the SSPs. */
  get ssps(): string[] {
    return [...this.#ssps.keys()];
  }

  /** The SSP's number in the catalog; undefined for an unknown id. */
  ssp(id: string): number | undefined {
    return this.#ssps.get(id);
  }

  /** Whether the SSP must send credentials. */
  isClosed(ssp: number): boolean {
    return this.#closed.has(ssp);
  }

  /** Whether the SSP accepts answers in gzip. */
  takesGzip(ssp: number): boolean {
    return this.#gzip.has(ssp);
  }

  /** The SSP's usual `tmax` in milliseconds; 0 if the catalog has none. */
  tmax(ssp: number): number {
    return this.#tmax[ssp] ?? 0;
  }

  /** Whether the SSP may send requests with this bearer token (null: without one). */
  authorize(ssp: number, token: string | null): boolean {
    const bytes = new TextEncoder().encode(token ?? "");
    return this.#guarded(() => isTrue(this.#instance.exports.authorize(ssp, this.#instance.put(bytes))), false);
  }

  /**
   * Decides on a bid request. The same body, catalog, time and seed always give the same outcome. `now` is in
   * milliseconds since the epoch; the two halves of the seed are unsigned 32-bit numbers.
   *
   * `weight` asks for events: {@link SILENT} for none, 0 for those of the bids, and a number above 0 for the auction's
   * event too; the number says how many auctions that event stands for.
   *
   * `protobuf`: the body is in protobuf, and not in JSON. The outcome's body is JSON all the same: see {@link encode}. `waited`: the
   * milliseconds since the request arrived, of which its `tmax` has so much less left.
   */
  decide(
    body: Uint8Array,
    ssp: number,
    now: number,
    seedHigh: number,
    seedLow: number,
    weight: number = SILENT,
    protobuf = false,
    waited = 0,
  ): Outcome {
    const format = Number(protobuf);
    const decided = () => {
      this.#record(weight);
      const answer = this.#instance.exports.decide(
        this.#instance.put(body),
        ssp,
        now,
        seedHigh,
        seedLow,
        format,
        waited,
      );
      const outcome = this.#outcome(answer, weight);
      if ((answer & ANSWER.ASKS) === 0) return outcome;
      const ask = this.#instance.askedJson<Ask>();
      const settings = this.#settings;
      const unseen = () => ask.subjects.map(({ caps }) => Math.min(...caps.map(({ n }) => n)));
      const again = (object: number, left = unseen()) => {
        const allowed = ask.subjects.map(({ subject }, place) => `${subject} ${left[place] ?? 0}`);
        this.#record(weight);
        // Since the first decision, other requests may have brought other settings.
        if (settings && settings !== this.#settings) this.useNotices(settings);
        this.#instance.exports.allow(this.#instance.put(new TextEncoder().encode([object, ...allowed].join("\n"))));
        const length = this.#instance.put(body);
        const answer = this.#instance.exports.decide_capped(length, ssp, now, seedHigh, seedLow, format);
        // An SSP that wants `nbr` gets a 200 without a bid too.
        const isBid = (answer & ANSWER.STATUS) === 200 && answer >>> ANSWER.REASON_SHIFT === 0;
        const { bids = [] } = isBid ? this.#instance.askedJson<{ bids?: Counted[] }>() : {};
        return { ...this.#outcome(answer, weight), counted: bids };
      };
      const capped: Capped = {
        ask,
        decide: (object, left) => this.#guarded<Outcome>(() => again(object, left), TRAPPED),
        keep: () => {
          this.#tallied.push(ask.kept);
          if (ask.demand) this.#counted.push(new TextEncoder().encode(ask.demand).slice());
        },
      };
      return { ...outcome, capped };
    };
    return this.#guarded<Outcome>(decided, TRAPPED);
  }

  /** Encodes the body of an outcome as protobuf; null after a trap. */
  encode(body: Uint8Array): Uint8Array<ArrayBuffer> | null {
    const encoded = () => this.#instance.input(this.#instance.exports.encode(this.#instance.put(body)));
    return this.#guarded(encoded, null);
  }

  /** Asks the instance for the events of this weight. */
  #record(weight: number): void {
    if (weight === this.#weight) return;
    this.#instance.exports.record(Number(weight !== SILENT), Math.max(0, weight));
    this.#weight = weight;
  }

  /** Reads what the last decision has left in the instance. */
  #outcome(answer: number, weight: number): Outcome {
    const status = (answer & ANSWER.STATUS) as Outcome["status"];
    const reason = answer >>> ANSWER.REASON_SHIFT;
    return {
      status,
      gaveUp: (answer & ANSWER.GAVE_UP) !== 0,
      hasMoreImps: (answer & ANSWER.MORE_IMPS) !== 0,
      dropped: weight === SILENT ? 0 : this.#instance.exports.records_dropped(),
      test: (answer & ANSWER.TEST) !== 0,
      body: status === 200 ? this.#instance.output() : null,
      records: weight > 0 || (weight === 0 && status === 200) ? this.#instance.records() : null,
      unsigned: (answer & ANSWER.SIGNS) === 0 ? NONE_UNSIGNED : unsignedOf(this.#instance.unsigned()),
      capped: null,
      counted: NONE_COUNTED,
      count: reason > 0 ? (this.reasons[reason - 1] ?? "unknown") : status === 400 ? "bad-request" : "bid",
    };
  }

  /** The keys by which a person is counted, and the former object: see `keys_of` in `crates/bidder-wasm/src/abi`. */
  keysOf(kind: string, scope: string, id: string): Pick<Ask, "keys" | "object"> {
    const read = () => {
      this.#instance.exports.keys_of(this.#instance.put(new TextEncoder().encode([kind, scope, id].join("\n"))));
      return { keys: [], object: 0, ...this.#instance.outputJson<Partial<Ask>>() };
    };
    return this.#guarded(read, { keys: [], object: 0 });
  }

  /**
   * Stops these campaigns, or everything, from the next decision on. All other campaigns bid again. Null lifts the
   * stop. Does nothing if the same is stopped already.
   */
  stop(stop: Stop | null): void {
    const lines = new TextEncoder().encode((stop?.cids ?? []).map((cid) => `${cid}\n`).join(""));
    const all = stop?.all === true;
    const { lines: now } = this.#stop;
    const isSame = lines.byteLength === now.byteLength && lines.every((byte, place) => byte === now[place]);
    if (isSame && all === this.#stop.all) return;
    this.#stop = { lines, all };
    this.#guarded(() => this.#stopIn(this.#instance), undefined);
  }

  /** What is stopped. */
  get stopCall(): Readonly<StopCall> {
    return this.#stop;
  }

  /** The number of the catalog's campaigns that are stopped by their id. */
  get stopped(): number {
    return this.#stopped;
  }

  #stopIn(instance: Instance<Serving>): void {
    const { lines, all } = this.#stop;
    this.#stopped = instance.exports.stop(instance.put(lines), Number(all));
  }

  /**
   * The lot of a request: a number below {@link LOTS} that depends only on the request's id and on the version. If the
   * body is not a bid request, {@link LOTS} itself. `protobuf`: as for {@link decide}.
   */
  lot(body: Uint8Array, protobuf = false): number {
    return this.#guarded(() => this.#instance.exports.lot(this.#instance.put(body), Number(protobuf)), LOTS);
  }

  /** The address to which the SSP wants our id sent, with placeholders; empty if the SSP wants no id. */
  syncUrl(ssp: number): string {
    return this.#syncs[ssp] ?? "";
  }

  /**
   * Reads the query of an SSP's sync call, and refuses the call if privacy forbids to act on it. `optedOut`: the
   * browser itself sends an opt-out.
   */
  readSync(query: string, ssp: number, optedOut: boolean): SyncCall | SyncRefusal {
    const read = () => {
      const length = this.#instance.put(new TextEncoder().encode(query));
      const answer = this.#instance.exports.sync(length, ssp, Number(optedOut));
      if (answer !== SYNC.ALLOWED) return SYNC_REFUSALS[answer] ?? "bad-call";
      const values = new TextDecoder().decode(this.#instance.output()).split("\n");
      return Object.fromEntries(SYNC_PARAMETERS.map((name, index) => [name, values[index] ?? ""])) as SyncCall;
    };
    return this.#guarded<SyncCall | SyncRefusal>(read, "trap");
  }

  /** Whether bids for SKAdNetwork are signed. */
  get signsSkadn(): boolean {
    return this.#signsSkadn;
  }

  /** Sets whether bids for SKAdNetwork are signed from now on. If not, no bid says anything to SKAdNetwork. */
  useSkadn(signs: boolean): void {
    if (signs === this.#signsSkadn) return;
    this.#signsSkadn = signs;
    this.#guarded(() => this.#instance.exports.sign_skadn(Number(signs)), undefined);
  }

  /** The settings of notices that the bidder got last. */
  get notices(): Uint8Array | undefined {
    return this.#settings;
  }

  /**
   * Makes bids carry notice URLs of ours, and {@link notice} read them. `settings` are the lines of `set_notices` in
   * `crates/bidder-wasm/src/abi`. Returns what is wrong with them.
   */
  useNotices(settings: Uint8Array): string[] {
    this.#settings = settings;
    return this.#guarded(() => this.#setNotices(), []);
  }

  /** Reads the end of a notice's URL, `KIND/TOKEN?QUERY`; null if there is no such notice. */
  notice(url: string, now: number): Verdict | null | "trap" {
    const read = () => {
      const length = this.#instance.put(new TextEncoder().encode(url));
      return isTrue(this.#instance.exports.notice(length, now)) ? this.#instance.outputJson<Verdict>() : null;
    };
    return this.#guarded<Verdict | null | "trap">(read, "trap");
  }

  /** Takes the counts of the bids with notice URLs. A trap loses the counts of its instance. */
  takeTally(): Tallied[] {
    const taken = this.#tallied;
    this.#tallied = [];
    return [...taken, ...this.#guarded(() => [this.#tally()], [])];
  }

  /** The budgets, SSPs and rates of the catalog, for the pacer: JSON, see `crates/bidder-wasm/src/write/budgets.rs`. */
  budgetList(): Uint8Array {
    const list = () => {
      this.#instance.exports.budgets();
      return this.#instance.output();
    };
    return this.#guarded(list, new TextEncoder().encode('{"budgets":[],"ssps":[],"rates":{}}'));
  }

  /**
   * Sets the shares of campaigns with a budget, a text of `crates/pacing/src/shares.rs`. They count until the next call.
   * Null, or a text that is no shares: campaigns with a budget bid only under guaranteed deals.
   */
  useShares(shares: Uint8Array | null): void {
    this.#shares = shares;
    this.#guarded(() => this.#setShares(this.#instance), undefined);
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
    // Texts of counts may be joined: the first one tells the times.
    const counts = concat([...this.#counted, ...this.#guarded(() => [this.#counts(now)], [])]);
    this.#counted = [];
    return counts.byteLength > 0 ? counts : null;
  }

  /** Bytes of the instance's memory besides the snapshot. Large requests make the memory grow, and it never shrinks. */
  get spareBytes(): number {
    return this.#instance.size - this.#snapshot.length;
  }

  /** Bytes of the snapshot. */
  get snapshotBytes(): number {
    return this.#snapshot.length;
  }

  /** A copy of the snapshot. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return this.#instance.bytes(this.#snapshot.at, this.#snapshot.length);
  }

  /** Replaces an instance that still works. */
  renew(): void {
    this.#tallied.push(this.#tally());
    // The new instance counts from its first decision on.
    this.#counted.push(this.#counts(0));
    this.replace();
  }

  /**
   * Replaces the instance by a new one with the same catalog and shares, where the same is stopped. Reads only the
   * snapshot of the old one.
   */
  replace(): void {
    const { at, length } = this.#snapshot;
    const { instance } = load(this.#instance.view(at, length), this.#wasm, this.version);
    // Before the instance is used: it must not bid for a stopped campaign.
    if (this.#stop.all || this.#stop.lines.byteLength > 0) this.#stopIn(instance);
    if (this.#shares) this.#setShares(instance);
    if (this.#signsSkadn) instance.exports.sign_skadn(1);
    this.#instance = instance;
    this.#snapshot = placeOf(this.#instance);
    this.#weight = SILENT;
    if (this.#settings) this.#setNotices();
  }

  #setNotices(): string[] {
    this.#instance.exports.set_notices(this.#instance.put(this.#settings ?? new Uint8Array()));
    return this.#instance.outputJson<{ errors?: string[] }>().errors ?? [];
  }

  #setShares(instance: Instance<Serving>): void {
    instance.exports.set_shares(instance.put(this.#shares ?? new Uint8Array()));
  }

  #counts(now: number): Uint8Array<ArrayBuffer> {
    this.#instance.exports.take_counts(now);
    return this.#instance.output();
  }

  #tally(): Tallied {
    this.#instance.exports.take_tally();
    return this.#instance.outputJson<Tallied>();
  }

  /** Replaces the instance after a trap. Its code can no longer be called then, but its memory can still be read. */
  #guarded<T>(call: () => T, otherwise: T): T {
    try {
      return call();
    } catch (error) {
      fail("trap", error);
      this.replace();
      return otherwise;
    }
  }
}

function unsignedOf(lines: string): Unsigned[] {
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => {
      const space = line.indexOf(" ");
      return { at: Number(line.slice(0, space)), message: line.slice(space + 1) };
    });
}

function placeOf({ exports }: Instance<Serving>) {
  return { at: exports.snapshot(), length: exports.snapshot_len() };
}

function load(bytes: Uint8Array, wasm: WebAssembly.Module, version: string) {
  const instance = new Instance<Serving>(wasm);
  const loaded = isTrue(instance.exports.load(instance.put(bytes), ...halves(version)));
  if (!loaded) throw new SnapshotRefused(instance.outputJson<{ error: string }>().error);
  return { instance, facts: instance.outputJson<Facts>() };
}
