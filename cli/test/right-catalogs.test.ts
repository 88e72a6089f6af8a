//! A thousand right catalogs get no finding: a false note would teach people to overlook the true ones.

import { expect, test } from "vitest";
import { compile } from "../../shared/catalog/compile.ts";
import { compiler } from "../module.ts";
import { rightCatalog } from "./right-catalogs.ts";

const CATALOGS = 1000;

/** The findings on a catalog, each with its location; refusals are thrown. */
function findings(seed: number): string[] {
  const document = new TextEncoder().encode(JSON.stringify(rightCatalog(seed)));
  return compile(document, compiler).notes.map(({ path, message }) => `seed ${seed}: ${path}: ${message}`);
}

test("right catalogs have no finding", { timeout: 120_000 }, () => {
  const found = Array.from({ length: CATALOGS }, (_, seed) => findings(seed)).flat();
  expect(found).toEqual([]);
});
