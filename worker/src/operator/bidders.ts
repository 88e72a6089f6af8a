//! Finds the bidder that answers a question of the operator: a serving one, or one that is built for the question.

import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { LEDGER_SHARDS } from "../../../shared/limits.ts";
import { filledShares, sharesAt } from "../../../shared/pacing/shares.ts";
import { Refusal } from "../../../shared/telemetry/failures.ts";
import { Bidder } from "../../../shared/wasm/bidder.ts";
import { load, manifestOf, Refused } from "../catalog/versions.ts";
import type { Call } from "../isolate.ts";
import { NO_NOTICES } from "../notices/settings.ts";

/** A bidder to ask. */
export interface Found {
  bidder: Bidder;
  /** Whether the bids of its version are sent; null if the version does not serve. */
  isSent: boolean | null;
  /** Whether it is an extra bidder. Only such a bidder may decide, because decisions raise its counts. */
  isExtra: boolean;
}

/** The word that names the second version. */
const SECOND = "second";

/** Turns the refusal of a version into the answer to a question about it. Throws every other error again. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Refused) return new Refusal(`this version cannot be used: ${error.message}`, 503);
  throw error;
}

/**
 * The bidder that serves this version now; null if none does. A version of null means `served`. Throws a {@link
 * Refusal} for `second` without a second version.
 */
export function servingOf(version: string | null, served: Bidder, { keeper }: Call["isolate"]): Found | null {
  const { second } = keeper;
  if (version === null || version === served.version) return { bidder: served, isSent: true, isExtra: false };
  if (second && (version === SECOND || version === second.version))
    return { bidder: second.bidder, isSent: second.mode === "split", isExtra: false };
  if (version !== SECOND) return null;
  const failure = keeper.state().second?.failure;
  throw new Refusal(`there is no second version, or it is not loaded${failure ? `: ${failure}` : ""}`, 404);
}

/** An extra bidder, on the version of `serving`, else on this version in KV. Throws {@link refusalOf}. */
export async function extraBidder(version: string, serving: Found | null, { env, ctx, isolate }: Call): Promise<Found> {
  const held = isolate.extraBidders.of(version, ctx);
  const plan = async () => {
    if (serving) {
      const { bidder } = serving;
      const build = () => new Bidder(bidder.snapshot(), module, version);
      return { version, bytes: bidder.snapshotBytes, build };
    }
    const manifest = await manifestOf(env, version);
    if (manifest === null) throw new Refusal(`KV has no version ${version}; GET /inspect/api/versions lists them`, 404);
    return { version, bytes: manifest.bytes ?? 0, build: async () => (await load(env, manifest)).bidder };
  };
  const bidder = held ?? (await isolate.extraBidders.build(await plan(), ctx));
  return { bidder, isSent: serving?.isSent ?? null, isExtra: true };
}

/** The settings that an extra bidder takes over from the serving one, before it decides. */
interface Setting {
  /** The bidder that serves the first version. */
  served: Bidder;
  /** Whether the extra bidder has a version that serves. */
  isServing: boolean;
  /** Whether the serving bidder's bids have notice URLs. */
  hasNotices: boolean;
  /** The time of the decision in milliseconds since the epoch; null for now. */
  at: number | null;
}

/** A host that never exists (RFC 6761), and a key for such bids only: no notice of them is ever booked. */
const NOWHERE = new TextEncoder().encode(
  ["https://not-sent.invalid", LEDGER_SHARDS, 1, "a-key-for-bids-that-are-only-shown-to-people"].join("\n"),
);

/**
 * Gives `own` the stop and the shares of the serving bidder. Campaigns with a budget that the pacer does not know may
 * bid on all requests; the result is their number.
 */
export function setUp(own: Bidder, { served, isServing, hasNotices, at }: Setting): number {
  own.stop(served.stops);
  const notices = hasNotices ? NOWHERE : NO_NOTICES;
  if (own.notices !== notices) own.useNotices(notices);
  if (!own.isPaced) return 0;
  if (served.shares === null) {
    own.useShares(null);
    return 0;
  }
  const known = new TextDecoder().decode(served.shares);
  const shares = isServing ? known : filledShares(own, known);
  own.useShares(new TextEncoder().encode(at === null ? shares : sharesAt(shares, at)));
  return shares.split("\n").length - known.split("\n").length;
}
