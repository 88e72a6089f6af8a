//! The objects of pacing: one pacer, and some relays in each region.

import { RELAYS } from "../limits.ts";

/** The region of relays for each continent, as Cloudflare writes both. */
const REGIONS: Readonly<Record<string, DurableObjectLocationHint>> = {
  AF: "afr",
  AS: "apac",
  EU: "weur",
  NA: "enam",
  OC: "oc",
  SA: "sam",
};

/** The region of isolates on an unknown continent. */
const DEFAULT_REGION: DurableObjectLocationHint = "enam";

/** The only pacer. */
export function pacerOf(env: Pick<Env, "PACER">): ReturnType<Env["PACER"]["getByName"]> {
  return env.PACER.getByName("pacer");
}

/** A relay near a continent. `n` is from 0 to below {@link RELAYS}. The platform uses the hint only when it makes the object. */
export function relayOf(
  env: Pick<Env, "RELAY">,
  continent: string | undefined,
  n: number,
): ReturnType<Env["RELAY"]["getByName"]> {
  const locationHint = REGIONS[continent ?? ""] ?? DEFAULT_REGION;
  return env.RELAY.getByName(`${locationHint}/${n}`, { locationHint });
}

/** The number of any relay, but not of this one. */
export function anyRelay(except?: number): number {
  if (except === undefined) return Math.floor(Math.random() * RELAYS);
  return (except + 1 + Math.floor(Math.random() * (RELAYS - 1))) % RELAYS;
}
