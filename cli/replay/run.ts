//! Replays requests one by one: each catalog decides, the totals grow, and differences are counted. Does no I/O and has
//! no clock, so equal requests give equal results, however often the run is interrupted and resumed.

import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { parsedJson } from "../input.ts";
import type { Bid, Call, Decision, ReplayedCatalog, Why } from "./catalog.ts";
import {
  addDifferences,
  type Difference,
  type Differences,
  differencesOf,
  type Kind,
  noDifferences,
} from "./differences.ts";
import { type Line, requestIn } from "./lines.ts";
import { addDecision, noTotals, type Totals } from "./totals.ts";

/** The options of a run. */
export interface Settings {
  /** The SSP of all requests; undefined: the one that the line names, else {@link DEFAULT_SSP}. */
  ssp?: string;
  /** The time of all decisions; undefined: the one that the line names, else `started`. */
  now?: number;
  /** When the run began, in milliseconds since the epoch. */
  started: number;
  /** The most examples of each kind of difference. Each example of a kind comes from another request. */
  examples: number;
}

/** The location of a request. */
export interface Location {
  file: string;
  line: number;
}

/** The result of one of the catalogs in an example. */
export interface Choice {
  bid?: Bid;
  /** The outcome of the request, if it got no bid. */
  outcome?: string;
  /** Why this catalog does not bid with the campaign that bids in the other catalog. */
  why?: Why;
}

export interface Example extends Location {
  kind: Kind;
  request: string | null;
  ssp: string;
  /** The time of the decision. */
  at: string;
  a: Choice;
  b: Choice;
}

/** What a run has found so far. Plain data, so that a state can hold it. */
export interface Found {
  requests: number;
  imps: number;
  /** Requests whose line has its own time of decision. */
  own_times: number;
  bad: { count: number; first: (Location & { why: string })[] };
  /** One for each catalog. */
  totals: Totals[];
  differences: Differences;
  examples: Map<Kind, Example[]>;
}

/** The SSP of requests that name none, as in `edgebid explain`. */
const DEFAULT_SSP = "demo";

/** The most bytes of a line: the largest request, and the members that `edgebid tail` writes around it. */
export const MAX_LINE_BYTES = MAX_BODY_BYTES + 1024;

/** Bad requests that are shown. */
const FIRST_BAD = 5;
/** Decisions after which the counts that the modules keep for reports are dropped. */
const FORGET_AFTER = 10_000;
const LONG = `longer than ${MAX_BODY_BYTES / 2 ** 20} MiB`;

export class Run {
  readonly catalogs: readonly ReplayedCatalog[];
  settings: Settings;
  found: Found;

  /** Throws `Failure` if a catalog lacks the SSP of the settings. */
  constructor(catalogs: readonly ReplayedCatalog[], settings: Settings) {
    this.catalogs = catalogs;
    this.settings = settings;
    if (settings.ssp !== undefined) for (const catalog of catalogs) catalog.require(settings.ssp);
    this.found = {
      ...{ requests: 0, imps: 0, own_times: 0, bad: { count: 0, first: [] } },
      ...{ totals: catalogs.map(noTotals), differences: noDifferences(), examples: new Map() },
    };
  }

  /**
   * Replays one line. Throws `Failure` if neither the line nor an option names the SSP, and a catalog lacks the default
   * one.
   */
  take({ number, bytes }: Line, file: string): void {
    const { bad } = this.found;
    const position = this.found.requests++;
    if (this.found.requests % FORGET_AFTER === 0) for (const catalog of this.catalogs) catalog.forget();
    const where = { file, line: number };
    const refused = bytes === null ? LONG : this.#decide(bytes, position, where);
    if (refused === null) return;
    bad.count++;
    if (bad.first.length < FIRST_BAD) bad.first.push({ ...where, why: refused });
  }

  /** Decides on a line. Returns what is wrong with it; null if it is a request. */
  #decide(bytes: Uint8Array, position: number, where: Location): string | null {
    const sent = requestIn(bytes);
    if (typeof sent === "string") return sent;
    const { body, imps, at, oneIn } = sent;
    if (body.byteLength > MAX_BODY_BYTES) return LONG;
    const { now, started } = this.settings;
    const call: Call = { body, ssp: this.#sspOf(sent.ssp), now: now ?? at ?? started, ...(oneIn && { oneIn }) };
    const decisions = this.catalogs.map((catalog) => catalog.decide(call, position));
    const refusing = this.catalogs[decisions.findIndex(({ outcome }) => outcome === "bad-request")];
    if (refusing) return this.found.bad.first.length < FIRST_BAD ? refusing.errorOf(call) : "";
    this.found.imps += imps;
    if (now === undefined && at !== undefined) this.found.own_times++;
    for (const [at, decision] of decisions.entries()) addDecision(this.found.totals[at] as Totals, decision);
    const [a, b] = decisions;
    if (a && b) this.#compare(a, b, where, call);
    return null;
  }

  #sspOf(own: string | undefined): string {
    const named = this.settings.ssp ?? own;
    if (named === undefined) for (const catalog of this.catalogs) catalog.require(DEFAULT_SSP, "; name one: --ssp");
    return named ?? DEFAULT_SSP;
  }

  #compare(a: Decision, b: Decision, where: Location, call: Call): void {
    const found = differencesOf(a, b);
    addDifferences(this.found.differences, found);
    for (const difference of new Map(found.toReversed().map((one) => [one.kind, one])).values()) {
      const examples = this.found.examples.get(difference.kind) ?? [];
      this.found.examples.set(difference.kind, examples);
      if (examples.length < this.settings.examples) examples.push(this.#example(difference, a, b, where, call));
    }
  }

  #example({ kind, a, b }: Difference, left: Decision, right: Decision, where: Location, call: Call): Example {
    const [first, second] = this.catalogs;
    const choice = (own: Bid | null, other: Bid | null, outcome: string, catalog = first): Choice => ({
      ...(own ? { bid: compared(own) } : { outcome }),
      ...(other && other.cid !== own?.cid && catalog && { why: catalog.whyNot(call, other.impid, other.cid) }),
    });
    const id = parsedJson<{ id?: unknown }>(call.body)?.id;
    return {
      ...{ kind, ...where, request: id === undefined ? null : String(id), ssp: call.ssp },
      at: new Date(call.now).toISOString(),
      a: choice(a, b, left.outcome),
      b: choice(b, a, right.outcome, second),
    };
  }
}

/** The attributes of a bid that are compared. */
function compared({ impid, cid, crid, dealid, price_micros = 0, cur }: Bid): Bid {
  return { impid, cid, crid, ...(dealid !== undefined && { dealid }), price_micros, cur };
}
