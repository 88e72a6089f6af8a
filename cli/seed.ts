//! Pushes a bidder's own catalog to the local KV before `wrangler dev` starts, unless another catalog was pushed there.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLocalStore } from "./catalog/open.ts";
import { servedVersion } from "./catalog/read.ts";
import { sourceOf, sourceOfBytes } from "./catalog/source.ts";
import type { Store } from "./catalog/store.ts";
import { readCurrent, readServed } from "./catalog/versions.ts";
import { pushSource } from "./catalog/write.ts";
import type { LocalBidder, Served } from "./serve.mjs";
import { ROOT } from "./tools.mjs";

/** The modules count as a part of a catalog, because another build of them may use another layout of snapshots. */
const MODULES = ["crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", "crates/compiler-wasm/pkg/compiler_wasm_bg.wasm"];

/**
 * Pushes the bidder's catalog if there is none, or only an older one that was pushed here. The stamp file in the state
 * folder holds the hash of the last catalog that was pushed here, and its version. With `reseed`, pushes it in place of
 * any other catalog.
 */
export async function seed({ folder, state, catalog, isExample }: LocalBidder, reseed: boolean): Promise<Served> {
  const stamp = join(state, "edgebid-seed");
  const source = sourceOf(join(folder, catalog));
  const hash = createHash("sha256").update(source.document);
  for (const file of MODULES) hash.update(readFileSync(join(ROOT, file)));
  const own = hash.digest("hex");
  const [seeded, version] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];
  mkdirSync(state, { recursive: true });
  return withLocalStore(state, async (store) => {
    const served = await servedVersion(store);
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
