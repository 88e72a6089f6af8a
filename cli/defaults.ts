//! The files that commands use if none is named: those of the folder with wrangler.toml, and in a clone the examples.

import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Failure } from "../build/failure.mjs";
import { EXAMPLE, nearestConfiguration, ROOT } from "../build/tools.mjs";

/** The names of a bidder's own catalog, in the order in which they are looked for. */
export const CATALOGS = ["catalog.json", "catalog.yaml", "catalog.yml", "catalog"];
export const REQUEST = "request.json";

/** The path of a catalog: in a clone the example. Throws {@link Failure} in a folder without a catalog. */
export function defaultCatalog(): string {
  const example = join(ownFolder(), EXAMPLE.catalog);
  return existsSync(example) ? relative("", example) : ownCatalog();
}

/** The path of a catalog for generated traffic, which may be any. */
export function catalogOrExample(): string {
  return ownFile(CATALOGS) ?? join(ROOT, EXAMPLE.catalog);
}

/** The path of the catalog in a person's own folder. Throws {@link Failure} if there is none. */
export function ownCatalog(): string {
  const found = ownFile(CATALOGS);
  if (found !== undefined) return found;
  throw new Failure(
    "this folder has no catalog; name one with --catalog FILE, or write one: npx edgebid init catalog.json",
  );
}

/** The path of a request on which the unchanged default catalog bids. */
export function defaultRequest(): string {
  return ownFile([REQUEST]) ?? join(ROOT, EXAMPLE.request);
}

/** The first of these files in the folder of a person's own bidder. The clone's root is not such a folder. */
function ownFile(names: string[]): string | undefined {
  const folder = ownFolder();
  if (folder === ROOT) return undefined;
  const found = names.map((name) => join(folder, name)).find((file) => existsSync(file));
  return found && relative("", found);
}

/** The folder with the nearest wrangler.toml, or else the working folder. */
function ownFolder(): string {
  const configuration = nearestConfiguration();
  return configuration === undefined ? process.cwd() : dirname(configuration);
}
