//! The advertising systems of a catalog.

import { Failure } from "../../build/failure.mjs";
import { sourceOf } from "../../cli/catalog/source.ts";
import { parsedJson } from "../../cli/input.ts";
import { type Entry, objectsIn } from "../../shared/compare/entry.ts";

/** The domains of a catalog's SSPs, and more, in lower case. Throws {@link Failure} if there is none. */
export function domainsOf(catalog: string, more: string[]): string[] {
  const { ssps } = parsedJson<Entry>(sourceOf(catalog).document) ?? {};
  const own = objectsIn(ssps).flatMap(({ domain }) => (typeof domain === "string" ? domain : []));
  const all = [...own, ...more].map((one) => one.toLowerCase());
  if (all.length > 0) return [...new Set(all)];
  throw new Failure("no SSP of the catalog has a domain; expected one, such as exchange.example, or --system DOMAIN");
}
