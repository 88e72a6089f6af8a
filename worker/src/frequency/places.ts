//! Which object counts the impressions of a person. An object is named by its region and number, such as `weur/07`.
//!
//! A region is the continent where a request arrives: the object must answer within some milliseconds. The number comes
//! from the person's key, so nobody else knows which ids meet in one object. A token has both as one number, so a notice reaches the object from anywhere.

import { FREQUENCY_OBJECTS } from "../limits.ts";
import { REGIONS, regionOf } from "../regions.ts";

type FrequencyEnv = Pick<Env, "FREQUENCY">;
export type FrequencyStub = ReturnType<Env["FREQUENCY"]["getByName"]>;

/** The number in tokens of the object of this key in the region where a request arrives. Never 0. */
export function numberOf(request: Pick<Request, "cf">, key: string): number {
  return regionOf(request) * FREQUENCY_OBJECTS + objectOf(key) + 1;
}

function objectOf(key: string): number {
  return Number.parseInt(key.slice(0, 4), 16) % FREQUENCY_OBJECTS;
}

/** The object with this number in tokens. */
export function frequencyOf(env: FrequencyEnv, number: number): FrequencyStub {
  const [region, object] = [Math.floor((number - 1) / FREQUENCY_OBJECTS), (number - 1) % FREQUENCY_OBJECTS];
  const found = REGIONS[region];
  if (found === undefined || object < 0) throw new RangeError(`there is no object ${number}`);
  const name = `${found.hint}/${String(object).padStart(2, "0")}`;
  return env.FREQUENCY.getByName(name, { locationHint: found.hint });
}

/** The object of this key in every region. */
export function inAllRegions(env: FrequencyEnv, key: string): FrequencyStub[] {
  return REGIONS.map((_, region) => frequencyOf(env, region * FREQUENCY_OBJECTS + objectOf(key) + 1));
}
