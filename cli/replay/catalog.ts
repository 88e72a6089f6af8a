//! The catalogs that a replay compares, named as in `edgebid catalog diff`: files, folders, or versions in KV. Each
//! decides on the requests as a bidder of its own.
//!
//! A replay lacks the knowledge of a running bidder, so it assumes whole shares for all budgets, and that no person has
//! reached a frequency cap. Prices come from the bids' events, which have them as integers.

import { Failure } from "../../build/failure.mjs";
import { type Stopped, versionOf } from "../../shared/catalog/pointer.ts";
import { CAPS, decideUnseen } from "../../shared/frequency/decide.ts";
import { wholeShares } from "../../shared/pacing/shares.ts";
import { Bidder, type Question } from "../../shared/wasm/bidder.ts";
import { explanation, type Only } from "../../shared/wasm/explanation.ts";
import type { Report } from "../../worker/inspect/views/request/report.ts";
import { type InKv, openAll } from "../catalog/chosen.ts";
import { compiledAside } from "../catalog/compiling.ts";
import type { StoreOptions } from "../catalog/open.ts";
import { step } from "../catalog/progress.ts";
import { type Source, sourceOfBytes } from "../catalog/source.ts";
import { readNamed, readSnapshot, versionNamed } from "../catalog/versions.ts";
import { problemOf } from "../catalog/write.ts";
import { compiler, module } from "../module.ts";

/** A compiled catalog. `name`: the name in the command, or the whole name of the version. */
export interface Named {
  name: string;
  version: string;
  snapshot: Uint8Array;
  /** The KV that has it, and what is stopped there; absent if it is on disk. */
  kv?: { where: string; stopped: Stopped | null };
}

/** A bid, as in its event. */
export interface Bid {
  impid: string;
  cid: string;
  crid: string;
  dealid?: string;
  /** The price for a thousand impressions in millionths of `cur`. */
  price_micros?: number;
  cur: string;
  /** Whether the auction is a test, which is not billed. */
  test?: boolean;
}

/** The decision of a catalog on a request. */
export interface Decision {
  /** `bid`, `bad-request`, `trap`, `unknown-ssp`, or the no-bid reason. */
  outcome: string;
  bids: Bid[];
  /** The number of bids that are not in `bids`, because their events were too long. */
  untold: number;
  /** Whether the decision reached its limit of work. */
  isCutOff: boolean;
}

/** The call of a decision. */
export interface Call {
  body: Uint8Array;
  ssp: string;
  now: number;
  /** The number of requests that it stands for; absent if it is not known. */
  oneIn?: number;
}

/** A check that failed, with what it wanted and found in words. */
export interface Why {
  reason: string;
  wanted?: string;
  found?: string;
}

/** The weight of a decision that writes an event for each bid and none for the auction. */
const BIDS_ONLY = 0;

/** A time after all decisions: the shares are never too old. */
const NEVER_OLD = Date.UTC(9999, 0);

/** Settings of notices. Their URLs lead nowhere, so the key is not a secret. */
const NOTICES = ["https://replay.example", 1, 1, "replay".repeat(8)];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Where a catalog is from: its path, or the options that name its KV. */
export function originOf({ name, kv }: Named): string {
  return kv?.where ?? name;
}

/** Opens the catalogs, as {@link openAll} finds them. */
export function openNamed(names: (string | undefined)[], options: StoreOptions): Promise<Named[]> {
  return openAll(names, options, { onDisk: compiled, inKv });
}

/** Compiles a source. Throws `CatalogRefused`. */
export async function compiled(source: Source): Promise<Named> {
  const name = source.path;
  const { snapshot } = await step(`compiling ${name}`, () => compiledAside(source));
  return { name, version: await versionOf(snapshot), snapshot };
}

/** Reads a version. If another build of edgebid has pushed it, compiles it from its source. */
async function inKv({ store, current, version: wanted }: InKv): Promise<Named> {
  const kv = { where: store.where, stopped: current.stopped ?? null };
  if (current.pointer || wanted !== current.version) {
    const version = await versionNamed(store, current, wanted);
    const name = version.version;
    const snapshot = await step(`reading ${name}`, () => readSnapshot(store, version));
    if (snapshot && problemOf(snapshot) === null) return { name, version: name, snapshot, kv };
  }
  const { name, document } = await readNamed(store, current, wanted);
  return { ...(await compiled(sourceOfBytes(name, document))), kv };
}

/** A catalog that decides on the requests. */
export class ReplayedCatalog {
  readonly name: string;
  readonly version: string;
  readonly bidder: Bidder;

  constructor({ name, version, snapshot }: Named) {
    this.name = name;
    this.version = version;
    this.bidder = new Bidder(snapshot, module, version);
    // Without notices, impressions could not be counted, and campaigns with caps would bid only for unknown people.
    if (this.bidder.options.has(CAPS)) this.bidder.useNotices(encoder.encode(NOTICES.join("\n")));
    this.bidder.useShares(encoder.encode(wholeShares(this.bidder, NEVER_OLD)));
    this.bidder.useSigner(true);
  }

  /** Throws {@link Failure} if the catalog has no such SSP. */
  require(ssp: string, hint = ""): void {
    if (this.bidder.ssp(ssp) !== undefined) return;
    throw new Failure(`${this.name} has no SSP ${ssp}; it has ${this.bidder.ssps.join(", ")}${hint}`);
  }

  /** Decides on a request. `position`: the number of requests before it, which is the seed of the bid ids. */
  decide({ body, ssp, now }: Call, position: number): Decision {
    const number = this.bidder.ssp(ssp);
    if (number === undefined) return { outcome: "unknown-ssp", bids: [], untold: 0, isCutOff: false };
    const seed: [number, number] = [Math.floor(position / 2 ** 32), position >>> 0];
    const question: Question = { body, ssp: number, now, seed, weight: BIDS_ONLY };
    const { count, records, dropped, gaveUp } = decideUnseen(this.bidder, question);
    const events = records === null ? "" : decoder.decode(records).trimEnd().replaceAll("\n", ",");
    return { outcome: count, bids: JSON.parse(`[${events}]`), untold: dropped, isCutOff: gaveUp };
  }

  /** Drops what the module counts for reports, before it runs out of room. */
  forget(bidders = [this.bidder]): void {
    for (const bidder of bidders) {
      bidder.takeTally();
      bidder.takeCounts(0);
    }
  }

  /** Why this campaign of the catalog does not bid on this impression. */
  whyNot(call: Call, impid: string, cid: string): Why {
    let report = this.#explained(call, { campaign: cid });
    if (report === null) return { reason: "unknown-ssp" };
    // There may be too many impressions to explain at once.
    if (report.error !== undefined) report = this.#explained(call, { campaign: cid, imp: impid }) ?? report;
    if (report.error !== undefined) return { reason: "not in the catalog" };
    const imp = report.imps?.find(({ id }) => id === impid);
    const row = [...(imp?.rejected ?? []), ...(report.rejected ?? [])].find((row) => row.cid === cid);
    // If the whole request is refused, there are no rows.
    const { reason, wanted, found } = row ?? { ...report, reason: report.outcome };
    if (!row && wanted === undefined && found === undefined)
      return { reason: imp?.bids?.some((bid) => bid.cid === cid) ? "outbid" : "unknown" };
    return { reason, ...(wanted && { wanted }), ...(found && { found }) };
  }

  /** What is wrong with a body that is not a bid request. */
  errorOf(call: Call): string {
    return this.#explained(call)?.error ?? "not a bid request";
  }

  #explained({ body, ssp, now }: Call, only?: Only): (Report & { error?: string }) | null {
    const number = this.bidder.ssp(ssp);
    if (number === undefined) return null;
    const { json } = explanation(this.bidder, body, number, now, compiler, undefined, only);
    return JSON.parse(decoder.decode(json));
  }
}
