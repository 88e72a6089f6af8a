//! `edgebid dev`: serves the catalog of a folder that `edgebid init` has written, and for `npm start` the example
//! of the clone.

import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { CATALOGS, REQUEST } from "./defaults.ts";
import { Failure, runScript } from "./process.mjs";
import { seed } from "./seed.ts";
import { assertPortFree, portOf, serve } from "./serve.mjs";
import { configuration, DEFAULT_STATE, EXAMPLE, ROOT } from "./tools.mjs";

/** Options of the command. */
export interface DevOptions {
  catalog?: string;
  port: string;
  reseed?: boolean;
  persistTo?: string;
}

/** Serves until a signal ends it. */
export async function dev({ catalog, port: text, reseed = false, persistTo }: DevOptions): Promise<void> {
  await runScript(async () => {
    const port = portOf(text);
    const folder = dirname(configuration());
    const served = catalogIn(folder, catalog);
    const isExample = folder === ROOT && served === EXAMPLE.catalog;
    const bidder = {
      folder,
      state: persistTo === undefined ? join(folder, DEFAULT_STATE) : resolve(persistTo),
      catalog: served,
      request: isExample ? EXAMPLE.request : REQUEST,
      isExample,
    };
    await assertPortFree(port);
    await serve(bidder, await seed(bidder, reseed), port);
  });
}

/** The catalog's path from the folder. */
function catalogIn(folder: string, named: string | undefined): string {
  if (named !== undefined && existsSync(named)) return relative(folder, resolve(named));
  const found = CATALOGS.find((name) => existsSync(join(folder, name)));
  if (named === undefined && found !== undefined) return found;
  throw new Failure(`there is no ${named ?? join(folder, "catalog.json")}; npx edgebid init catalog.json writes one`);
}
