//! Reads the secret PRICE_KEYS. The module checks the keys.

import { messageOf } from "../telemetry/failures.ts";

/** The keys of an SSP in PRICE_KEYS. */
interface PriceKeys {
  encryption?: unknown;
  integrity?: unknown;
}

/** One line for each SSP, as `set_notices` in `crates/bidder-wasm/src` takes it: its id and its keys. */
export function priceKeysOf(json: string | undefined): { lines: string[]; errors: string[] } {
  try {
    const all: Record<string, PriceKeys> = JSON.parse(json || "{}");
    const lines = Object.entries(all).map(([ssp, keys]) => {
      const { encryption = "", integrity = "" } = keys ?? {};
      return [ssp, encryption, integrity].map((text) => String(text).replace(/[\t\r\n]/g, "")).join("\t");
    });
    return { lines, errors: [] };
  } catch (error) {
    // The message of a JSON error would quote the secret text.
    const why = error instanceof SyntaxError ? "it is not JSON" : messageOf(error);
    return { lines: [], errors: [`PRICE_KEYS: ${why}; expected {"SSP":{"encryption":"…","integrity":"…"}}`] };
  }
}
