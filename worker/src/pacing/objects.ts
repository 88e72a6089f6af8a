//! The objects of pacing: one pacer, or several for a large catalog, and some relays in each region.

import { BUDGET_PAIRS, MAX_PACERS, PACER_PAIRS, RELAYS } from "../../../shared/limits.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { REGIONS } from "../regions.ts";

/** The first pacer, which answers for all of them, or another one. */
export function pacerOf(env: Pick<Env, "PACER">, number = 0): ReturnType<Env["PACER"]["getByName"]> {
  return env.PACER.getByName(nameOf(number));
}

/** The number of the pacer with this id. An object that an alarm has woken does not know its name. */
export function numberOfPacer({ PACER }: Pick<Env, "PACER">, id: DurableObjectId): number {
  const numbers = Array.from({ length: MAX_PACERS }, (_, number) => number);
  return numbers.find((number) => PACER.idFromName(nameOf(number)).equals(id)) ?? MAX_PACERS;
}

function nameOf(pacer: number): string {
  return pacer === 0 ? "pacer" : `pacer/${pacer}`;
}

/** The pairs of a budget and an SSP in a catalog, and {@link BUDGET_PAIRS} for each budget. */
export function pairsOf({ budgets, ssps }: Pick<Bidder, "budgets" | "ssps">): number {
  return budgets * (BUDGET_PAIRS + Math.max(1, ssps.length));
}

/** How many pacers the budgets of these catalogs need: a power of two. */
export function pacersFor(bidders: Pick<Bidder, "budgets" | "ssps">[]): number {
  const pairs = bidders.reduce((sum, bidder) => sum + pairsOf(bidder), 0);
  return Math.min(MAX_PACERS, 2 ** Math.ceil(Math.log2(Math.max(1, pairs / PACER_PAIRS))));
}

/**
 * A relay of a region. `n` is from 0 to below {@link RELAYS}. The platform uses the hint only when it makes the object.
 */
export function relayOf(env: Pick<Env, "RELAY">, region: number, n: number): ReturnType<Env["RELAY"]["getByName"]> {
  const locationHint = (REGIONS[region] ?? REGIONS[0]).hint;
  return env.RELAY.getByName(`${locationHint}/${n}`, { locationHint });
}

/** The number of any relay, but not of this one. */
export function anyRelay(except?: number): number {
  if (except === undefined) return Math.floor(Math.random() * RELAYS);
  return (except + 1 + Math.floor(Math.random() * (RELAYS - 1))) % RELAYS;
}
