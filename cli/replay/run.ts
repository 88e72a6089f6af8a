//! Replays requests one by one: each catalog decides, the totals grow, and differences are counted. Does no I/O and
//! knows no clock, so equal requests give equal results, however often the work is interrupted and taken up again.

import { MAX_BODY_BYTES } from "../../worker/src/limits.ts";
import { parsedJson } from "../json.ts";
import type { Bid, Contender, Decision } from "./contender.ts";
import {
  addDifferences,
  type Difference,
  type Differences,
  differencesOf,
  type Kind,
  noDifferences,
} from "./differences.ts";
import type { Line } from "./lines.ts";
import { type Asked, askedIn } from "./request.ts";
import { addDecision, noTotals, type Totals } from "./totals.ts";
import { type Call, errorOf, type Why, whyNot } from "./why.ts";

/** What a run is asked to do. */
export interface Settings {
  /** The SSP of all requests; undefined: the one that the line names, else {@link DEFAULT_SSP}. */
  ssp?: string;
  /** The time of all decisions; undefined: the one that the line names, else `started`. */
  now?: number;
  /** When the run began, in milliseconds since the epoch. */
  started: number;
  /** The most examples of each kind of difference. A request is at most one example of a kind. */
  examples: number;
}

/** A place in the requests. */
export interface Place {
  file: string;
  line: number;
}

/** One side of an example. */
export interface Side {
  bid?: Bid;
  /** Without any bid on the request: its outcome. */
  outcome?: string;
  /** Why this catalog does not bid with the campaign that bids on the other side. */
  why?: Why;
}

export interface Example extends Place {
  kind: Kind;
  request: string | null;
  ssp: string;
  /** The time of the decision. */
  at: string;
  a: Side;
  b: Side;
}

/** What a run has found so far. Plain data, so that a state can hold it. */
export interface Found {
  requests: number;
  imps: number;
  /** Requests that were decided at the time that their line names. */
  own_times: number;
  bad: { count: number; first: (Place & { why: string })[] };
  /** One for each catalog. */
  sides: Totals[];
  differences: Differences;
  examples: Example[];
}

/** The SSP of requests that name none, as in `edgebid explain`. */
export const DEFAULT_SSP = "demo";

/** The most bytes of a line: the largest request, and what `edgebid tail` writes around it. */
export const MAX_LINE_BYTES = MAX_BODY_BYTES + 1024;

/** Bad requests that are shown. */
const FIRST_BAD = 5;
/** Decisions after which the counts that the modules keep for reports are dropped. */
const FORGET_AFTER = 10_000;

export class Run {
  readonly contenders: readonly Contender[];
  readonly settings: Settings;
  readonly found: Found;
  readonly #shown = new Map<Kind, number>();

  /** `found`: what a run that goes on has found before. Throws `Failure` if a catalog lacks the SSP of the settings. */
  constructor(contenders: readonly Contender[], settings: Settings, found?: Found) {
    this.contenders = contenders;
    this.settings = settings;
    if (settings.ssp !== undefined) for (const contender of contenders) contender.require(settings.ssp);
    this.found = found ?? {
      ...{ requests: 0, imps: 0, own_times: 0, bad: { count: 0, first: [] } },
      ...{ sides: contenders.map(noTotals), differences: noDifferences(), examples: [] },
    };
    for (const { kind } of this.found.examples) this.#shown.set(kind, (this.#shown.get(kind) ?? 0) + 1);
  }

  /** Replays one line. Throws `Failure` if no option says for which SSP it is. */
  take({ number, bytes }: Line, file: string): void {
    const place = this.found.requests++;
    if (this.found.requests % FORGET_AFTER === 0) for (const contender of this.contenders) contender.forget();
    const where = { file, line: number };
    const refused = bytes === null ? LONG : this.#decide(bytes, place, where);
    if (refused === null) return;
    const { bad } = this.found;
    bad.count++;
    if (bad.first.length < FIRST_BAD) bad.first.push({ ...where, why: refused });
  }

  /** Decides on a line. Returns what is wrong with it; null if it is a request. */
  #decide(bytes: Uint8Array, place: number, where: Place): string | null {
    const asked = askedIn(bytes);
    if (typeof asked === "string") return asked;
    const { body } = asked;
    if (body.byteLength > MAX_BODY_BYTES) return LONG;
    const call = { body, ssp: this.#sspOf(asked), now: this.settings.now ?? asked.at ?? this.settings.started };
    const decisions = this.contenders.map((contender) => contender.decide(body, call.ssp, call.now, place));
    const refusing = decisions.findIndex(({ outcome }) => outcome === "bad-request");
    const judge = this.contenders[refusing];
    if (judge) return this.found.bad.first.length < FIRST_BAD ? errorOf(judge, call) : "";
    this.found.imps += asked.imps;
    if (this.settings.now === undefined && asked.at !== undefined) this.found.own_times++;
    for (const [at, decision] of decisions.entries()) addDecision(this.found.sides[at] as Totals, decision);
    const [a, b] = decisions;
    if (a && b) this.#compare(a, b, where, call);
    return null;
  }

  #sspOf({ ssp }: Asked): string {
    if (this.settings.ssp !== undefined) return this.settings.ssp;
    if (ssp !== undefined) return ssp;
    for (const contender of this.contenders) contender.require(DEFAULT_SSP, "; name one: --ssp");
    return DEFAULT_SSP;
  }

  #compare(a: Decision, b: Decision, where: Place, call: Call): void {
    const found = differencesOf(a, b);
    addDifferences(this.found.differences, found);
    for (const kind of new Set(found.map(({ kind }) => kind))) {
      const shown = this.#shown.get(kind) ?? 0;
      const difference = found.find((one) => one.kind === kind);
      if (shown >= this.settings.examples || !difference) continue;
      this.#shown.set(kind, shown + 1);
      this.found.examples.push(this.#example(difference, a, b, where, call));
    }
  }

  #example({ kind, a, b }: Difference, left: Decision, right: Decision, where: Place, call: Call): Example {
    const [first, second] = this.contenders;
    const side = (
      own: Bid | null,
      other: Bid | null,
      { outcome }: Decision,
      contender: Contender | undefined,
    ): Side => ({
      ...(own ? { bid: told(own) } : { outcome }),
      ...(other && other.cid !== own?.cid && contender && { why: whyNot(contender, call, other.impid, other.cid) }),
    });
    return {
      kind,
      ...where,
      request: idOf(call.body),
      ssp: call.ssp,
      at: new Date(call.now).toISOString(),
      a: side(a, b, left, first),
      b: side(b, a, right, second),
    };
  }
}

const LONG = `longer than ${MAX_BODY_BYTES / 2 ** 20} MiB`;

/** The attributes of a bid that are compared. */
function told({ impid, cid, crid, dealid, price_micros = 0, cur }: Bid): Bid {
  return { impid, cid, crid, ...(dealid !== undefined && { dealid }), price_micros, cur };
}

/** The id of a request that the bidder has read; null if it has none. */
function idOf(body: Uint8Array): string | null {
  const id = parsedJson<{ id?: unknown }>(body)?.id;
  return id === undefined ? null : String(id);
}
