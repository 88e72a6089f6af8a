//! Finds the bidder that an operator asks: one that serves, or one that is built beside it.

import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import type { CatalogKeeper } from "../catalog/keeper.ts";
import { load, placeOf, Refused } from "../catalog/versions.ts";
import type { Attempts } from "../http/attempts.ts";
import { LEDGER_SHARDS } from "../limits.ts";
import { NO_NOTICES } from "../notices/settings.ts";
import type { PacingExchange } from "../pacing/exchange.ts";
import { filledShares, sharesAt } from "../pacing/shares.ts";
import type { SkadnKey } from "../skadn/signer.ts";
import { Bidder } from "../wasm/bidder.ts";
import { type Asked, type Plan, TooLarge } from "./asked.ts";

/** What the operator's questions use of an isolate. */
export interface Inspected {
  keeper: CatalogKeeper;
  attempts: Attempts;
  pacing: PacingExchange;
  skadn: SkadnKey;
  asked: Asked;
}

/** There is no such version. The message says what there is. */
export class UnknownVersion extends Error {
  override name = "UnknownVersion";
}

/** How to answer a question about a version that ended in this error. Throws the error if it is none of ours. */
export function refusalOf(error: unknown): { message: string; status: number } {
  if (error instanceof UnknownVersion) return { message: error.message, status: 404 };
  if (error instanceof TooLarge) return { message: error.message, status: 413 };
  if (error instanceof Refused) return { message: `this version cannot be used: ${error.message}`, status: 503 };
  throw error;
}

/** The word for the second version in place of its name. */
const SECOND = "second";

/**
 * The bidder that serves this version now, as the first or as the second one; null if none does. Throws
 * {@link UnknownVersion} if there is no second version.
 */
export function servingOf(version: string | null, served: Bidder, { keeper }: Pick<Inspected, "keeper">) {
  const second = keeper.second;
  if (version === null || version === served.version) return { bidder: served, isSent: true };
  if (second !== undefined && (version === SECOND || version === second.version))
    return { bidder: second.bidder, isSent: second.mode === "split" };
  if (version !== SECOND) return null;
  throw new UnknownVersion(
    `there is no second version, or it is not loaded${keeper.state().second ? `: ${keeper.state().second?.failure}` : ""}`,
  );
}

/** How to build a bidder on the version of this one. */
export function planBeside(bidder: Bidder): Plan {
  const { version, snapshotBytes: bytes } = bidder;
  return { version, bytes, build: () => new Bidder(bidder.snapshot(), module, version) };
}

/** How to build a bidder on a version in KV. Throws {@link UnknownVersion}. */
export async function planFromKv(version: string, env: Env): Promise<Plan> {
  const place = await placeOf(env, version);
  if (place === null) throw new UnknownVersion(`KV has no version ${version}; GET /inspect/api/versions lists them`);
  return { version, bytes: place.bytes ?? 0, build: async () => (await load(env, place)).bidder };
}

/** What a bidder takes over from the one that serves, before it is asked. */
export interface Setting {
  /** The bidder that serves the first version. */
  served: Bidder;
  /** Whether the bidder asked has a version that serves. */
  isServing: boolean;
  /** Whether bids for SKAdNetwork are signed. */
  signs: boolean;
  /** Whether bids that serve have notice URLs. */
  hasNotices: boolean;
  /** The time of the decision in milliseconds since the epoch; null for now. */
  at: number | null;
}

/** A host that never exists (RFC 6761), and a key that signs nothing else: no notice of such a bid is ever booked. */
const NOWHERE = new TextEncoder().encode(
  ["https://not-sent.invalid", LEDGER_SHARDS, 1, "a-key-for-bids-that-are-only-shown-to-people"].join("\n"),
);

/**
 * Stops in `own` what is stopped, and gives it the shares of the bidder that serves. Campaigns with a budget that the
 * pacer does not know may bid on all requests; they are counted in the result.
 */
export function setBeside(own: Bidder, { served, isServing, signs, hasNotices, at }: Setting): number {
  own.stop(served.stops);
  own.useSkadn(signs);
  const notices = hasNotices ? NOWHERE : NO_NOTICES;
  if (own.notices !== notices) own.useNotices(notices);
  if (own.budgets === 0) return 0;
  const known = served.shares && new TextDecoder().decode(served.shares);
  if (known === null) {
    own.useShares(null);
    return 0;
  }
  const shares = isServing ? known : filledShares(own, known);
  own.useShares(new TextEncoder().encode(at === null ? shares : sharesAt(shares, at)));
  return shares.split("\n").length - known.split("\n").length;
}
