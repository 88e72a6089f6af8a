//! `edgebid dev`: serves the catalog of a folder that `edgebid init` has written, and for `npm start` the example of
//! the clone. Pushes it to the local KV before `wrangler dev` starts, unless another catalog was pushed there.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { EXIT, Failure, runScript } from "../build/process.mjs";
import { configuration, DEFAULT_STATE, EXAMPLE, ROOT } from "../build/tools.mjs";
import { withLocalStore } from "./catalog/local.ts";
import { servedVersion } from "./catalog/read.ts";
import { sourceOf, sourceOfBytes } from "./catalog/source.ts";
import type { Store } from "./catalog/store.ts";
import { readCurrent, readServed } from "./catalog/versions.ts";
import { pushSource } from "./catalog/write.ts";
import { CATALOGS, REQUEST } from "./defaults.ts";
import { assertPortFree, type LocalBidder, portOf, type Served, serve } from "./serve.mjs";

/** The modules count as a part of a catalog, because another build of them may use another layout of snapshots. */
const MODULES = ["crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", "crates/compiler-wasm/pkg/compiler_wasm_bg.wasm"];

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

/**
 * Pushes the bidder's catalog if the KV has none, or an older one that this function pushed. The stamp file in the
 * state folder holds the hash and the version of its last push. With `reseed`, pushes it in place of any other catalog.
 */
async function seed({ folder, state, catalog, isExample }: LocalBidder, reseed: boolean): Promise<Served> {
  const stamp = join(state, "edgebid-seed");
  const source = sourceOf(join(folder, catalog));
  const hash = createHash("sha256").update(source.document);
  for (const file of MODULES) hash.update(readFileSync(join(ROOT, file)));
  const own = hash.digest("hex");
  const [seeded, version] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];
  mkdirSync(state, { recursive: true });
  return withLocalStore(state, async (store) => {
    const served = await servedVersion(store);
    if (!reseed && served.problem !== null && served.version === null) {
      const back = `npx edgebid catalog rollback VERSION ${store.where} --force`;
      throw new Failure(`${served.problem}. --reseed serves ${catalog}; an earlier version: ${back}`, EXIT.found);
    }
    if (!reseed && served.version !== null) {
      if (served.version !== version) {
        if (served.problem !== null) await compileAgain(store);
        return { ...(await servedVersion(store)), isOwn: false };
      }
      if (seeded === own) return { ...served, isOwn: true };
    }
    const pushed = await pushSource(store, source, { note: isExample ? "the example" : catalog, force: reseed });
    writeFileSync(stamp, `${own} ${pushed.version}`);
    return { version: pushed.version, problem: null, ssps: pushed.ssps, isOwn: true };
  });
}

/** Compiles the catalog again, because another build has compiled it with a layout that this build cannot use. */
async function compileAgain(store: Store): Promise<void> {
  const document = await readServed(store, await readCurrent(store));
  if (document)
    await pushSource(store, sourceOfBytes("the catalog", document), { note: "compiled again by npm start" });
}
