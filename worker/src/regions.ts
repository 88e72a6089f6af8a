//! The regions of Durable Objects that must be near their callers: one for each continent.

/**
 * The continents as Cloudflare writes them, and where the objects of each start. The order is in tokens: append only.
 */
export const REGIONS = [
  { continent: "NA", hint: "enam" },
  { continent: "EU", hint: "weur" },
  { continent: "AS", hint: "apac" },
  { continent: "SA", hint: "sam" },
  { continent: "OC", hint: "oc" },
  { continent: "AF", hint: "afr" },
] as const satisfies { continent: string; hint: DurableObjectLocationHint }[];

/** The number of the region where a request arrives. Without a continent, it is the first one. */
export function regionOf({ cf }: Pick<Request, "cf">): number {
  const region = REGIONS.findIndex(({ continent }) => continent === cf?.["continent"]);
  return Math.max(0, region);
}
