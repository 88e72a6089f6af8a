//! The objects of pacing: one pacer, and some relays in each region.

import { RELAYS } from "../limits.ts";
import { REGIONS } from "../regions.ts";

/** The only pacer. */
export function pacerOf(env: Pick<Env, "PACER">): ReturnType<Env["PACER"]["getByName"]> {
  return env.PACER.getByName("pacer");
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
