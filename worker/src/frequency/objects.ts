//! Which object counts the impressions of a person. An object is named by its region and number, such as `weur/07`.
//!
//! A region is the continent where a request arrives: the object must answer within some milliseconds. The number comes
//! from the person's secret key, so nobody outside knows which ids share an object. A token has both as one number, so
//! a notice reaches the object from anywhere.

import type { Ask } from "../../../shared/frequency/decide.ts";
import { FREQUENCY_OBJECTS } from "../../../shared/limits.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { REGIONS, regionOf } from "../regions.ts";

type FrequencyEnv = Pick<Env, "FREQUENCY">;
export type FrequencyStub = ReturnType<Env["FREQUENCY"]["getByName"]>;

/** A counter of a person: its key, and the number of the object that may have it, the same in each region. */
export interface Counter {
  key: string;
  object: number;
}

/** The counters of a person: the first one is for writing. While keys are replaced, there are several. */
export function countersOf(keys: readonly string[]): Counter[] {
  return keys.map((key) => ({ key, object: Number.parseInt(key.slice(0, 4), 16) % FREQUENCY_OBJECTS }));
}

/** The number in tokens of the object `object` in the region where a request arrives. Never 0. */
export function numberOf(request: Pick<Request, "cf">, object: number): number {
  return regionOf(request) * FREQUENCY_OBJECTS + object + 1;
}

/** The object with this number in tokens. */
export function frequencyOf(env: FrequencyEnv, number: number): FrequencyStub {
  const [region, object] = [Math.floor((number - 1) / FREQUENCY_OBJECTS), (number - 1) % FREQUENCY_OBJECTS];
  const found = REGIONS[region];
  if (found === undefined || object < 0) throw new RangeError(`there is no object ${number}`);
  const name = `${found.hint}/${String(object).padStart(2, "0")}`;
  return env.FREQUENCY.getByName(name, { locationHint: found.hint });
}

/** The object `object` of every region. */
export function inAllRegions(env: FrequencyEnv, object: number): FrequencyStub[] {
  return REGIONS.map((_, region) => frequencyOf(env, region * FREQUENCY_OBJECTS + object + 1));
}

/** The keys by which a person is counted: see `keys_of` in `crates/bidder-wasm/src/options/caps.rs`. */
export function keysOf(bidder: Bidder, kind: string, scope: string, id: string): string[] {
  return bidder.call((to) => {
    to.exports.keys_of(to.putText([kind, scope, id].join("\n")));
    return to.outputJson<Partial<Ask>>().keys ?? [];
  }, []);
}
