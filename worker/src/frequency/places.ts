//! Which object counts the impressions of a person. An object is named by its region and number, such as `eu/07`.
//!
//! A region is the continent where a request arrives: the object must answer within some milliseconds. The module chooses
//! the number by the person. A token has both as one number, so a notice reaches the object from anywhere.

import { FREQUENCY_OBJECTS } from "../limits.ts";

type FrequencyEnv = Pick<Env, "FREQUENCY">;
export type FrequencyStub = ReturnType<Env["FREQUENCY"]["getByName"]>;

/** The regions, and where their objects start. The order must not change, because tokens have the place in it. */
const REGIONS = [
  { name: "na", hint: "enam" },
  { name: "eu", hint: "weur" },
  { name: "as", hint: "apac" },
  { name: "sa", hint: "sam" },
  { name: "oc", hint: "oc" },
  { name: "af", hint: "afr" },
] as const satisfies { name: string; hint: DurableObjectLocationHint }[];

/**
 * The number in tokens of the object `object` in the region where a request arrives. Requests from nowhere count in the
 * first region. Never 0.
 */
export function numberOf(request: Request, object: number): number {
  const continent = String(request.cf?.["continent"] ?? "").toLowerCase();
  const region = REGIONS.findIndex(({ name }) => name === continent);
  return Math.max(0, region) * FREQUENCY_OBJECTS + object + 1;
}

/** The object with this number in tokens. */
export function frequencyOf(env: FrequencyEnv, number: number): FrequencyStub {
  const [region, object] = [Math.floor((number - 1) / FREQUENCY_OBJECTS), (number - 1) % FREQUENCY_OBJECTS];
  const found = REGIONS[region];
  if (found === undefined || object < 0) throw new RangeError(`there is no object ${number}`);
  const { name, hint } = found;
  return env.FREQUENCY.getByName(`${name}/${String(object).padStart(2, "0")}`, { locationHint: hint });
}

/** The object `object` of every region. */
export function inAllRegions(env: FrequencyEnv, object: number): FrequencyStub[] {
  return REGIONS.map((_, region) => frequencyOf(env, region * FREQUENCY_OBJECTS + object + 1));
}
