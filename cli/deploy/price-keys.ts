//! Compares the keys of encoded prices in a file of `wrangler dev` with the SSPs of the local catalog. The serving module
//! decides which SSPs need which keys, as it does in the Worker.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { compile } from "../../worker/src/catalog/compile.ts";
import { priceKeysOf } from "../../worker/src/notices/price-keys.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { withLocalStore } from "../catalog/open.ts";
import { readCurrent, readServed } from "../catalog/versions.ts";
import { compiler, module } from "../module.ts";
import { DEFAULT_STATE, page } from "../tools.mjs";
import { type Finding, fault, note, ok } from "./finding.ts";

/** Settings of notices. No notice is ever read with them, so the key is no secret. */
const NOTICES = ["https://doctor.invalid", 1, 1, "doctor".repeat(8)];

const WHAT = ".dev.vars PRICE_KEYS";

/**
 * The findings on PRICE_KEYS in the file `devVars`, beside the configuration `config`. None if there is nothing to
 * compare: no file, a text that is not JSON, no local catalog.
 */
export async function priceKeysFindings(devVars: string, config: string): Promise<Finding[]> {
  const state = join(dirname(config), DEFAULT_STATE);
  // Opening the local KV would make the folder.
  if (!existsSync(devVars) || !existsSync(state)) return [];
  const text = parseEnv(readFileSync(devVars, "utf8"))["PRICE_KEYS"];
  const { lines, errors } = priceKeysOf(text);
  if (errors.length > 0) return [];
  try {
    const document = await withLocalStore(state, async (store) => readServed(store, await readCurrent(store)), config);
    if (document === null) return [];
    const found = errorsOf(document, lines);
    if (found.length === 0) return text ? [ok(WHAT, "has the keys that the local catalog needs")] : [];
    return found.map((error) => fault(WHAT, error, `read ${page("money.md#which-exchange-needs-what")}`));
  } catch {
    return [note(WHAT, "the local catalog cannot be read, so the keys are not compared with it", "push it again")];
  }
}

/** What is wrong with these keys for this catalog. Throws if the catalog cannot be compiled. */
function errorsOf(document: Uint8Array, lines: string[]): string[] {
  const bidder = new Bidder(compile(document, compiler).snapshot, module);
  return bidder.useNotices(new TextEncoder().encode([...NOTICES, ...lines].join("\n")));
}
