//! The settings of notice URLs: the bidder's origin and the secret keys. Without NOTICE_KEYS, bids have no notice URLs
//! of ours.

import { LEDGER_SHARDS, MAX_ORIGINS } from "../../../shared/limits.ts";
import { priceKeysOf } from "../../../shared/notices/price-keys.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";

/** Settings of a bidder whose bids have no notice URLs of ours. */
export const NO_NOTICES = new Uint8Array();

const CAPS_WITHOUT_KEYS =
  "the catalog has frequency caps, but there are no NOTICE_KEYS: campaigns with caps bid only for unknown people";
const BUDGETS_WITHOUT_KEYS =
  "the catalog has budgets, but there are no NOTICE_KEYS: campaigns with a budget bid only under deals with `guaranteed`";
const LEARNING_WITHOUT_KEYS =
  "the catalog has learn_shading, but there are no NOTICE_KEYS: nothing is learned, because no notice comes";

/** The settings of notices, kept from request to request. */
export class NoticeSettings {
  #env: Env | undefined;
  /** The scheme and host of the last call, as the URL has them, and its lines. */
  #called = "";
  #lines: Uint8Array = NO_NOTICES;
  /** The lines of other calls, by scheme and host. */
  readonly #known = new Map<string, Uint8Array>();
  /** What is wrong with the text of PRICE_KEYS. */
  #errors: string[] = [];
  /** The errors that each bidder found. They differ, because the SSPs of each catalog need other keys. */
  readonly #found = new WeakMap<Bidder, string[]>();
  readonly #logged = new Set<string>();

  /**
   * The lines for `Bidder.useNotices`; {@link NO_NOTICES} without NOTICE_KEYS. The origin is NOTICE_ORIGIN, else that
   * of the request. The settings of an origin are mostly the same object.
   */
  of(request: Request, env: Env): Uint8Array {
    if (!env.NOTICE_KEYS) return NO_NOTICES;
    const { url } = request;
    if (env === this.#env && (env.NOTICE_ORIGIN || url.startsWith(this.#called))) return this.#lines;
    if (env !== this.#env) this.#known.clear();
    this.#env = env;
    this.#called = url.slice(0, url.indexOf("/", url.indexOf("://") + 3) + 1);
    this.#lines = this.#known.get(this.#called) ?? this.#made(env, env.NOTICE_KEYS);
    return this.#lines;
  }

  /** Makes the lines of this call, and remembers them. */
  #made(env: Env, secrets: string): Uint8Array {
    const keys = secrets.split(",").map((key) => key.trim());
    const { lines, errors } = priceKeysOf(env.PRICE_KEYS);
    this.#errors = errors;
    const origin = env.NOTICE_ORIGIN || secured(this.#called.slice(0, -1));
    const made = new TextEncoder().encode([origin, LEDGER_SHARDS, keys.length, ...keys, ...lines].join("\n"));
    if (this.#known.size >= MAX_ORIGINS) this.#known.clear();
    this.#known.set(this.#called, made);
    return made;
  }

  /**
   * Whether bids have notice URLs, and what is wrong with the secrets for the catalog of `bidder`. `GET /healthz` shows
   * it to the operator.
   */
  state({ NOTICE_KEYS: keys }: Env, bidder?: Bidder): { on: boolean; errors: string[] } {
    const errors = [...this.#errors, ...((bidder && this.#found.get(bidder)) ?? [])];
    if (!keys && bidder?.options.has("caps")) errors.push(CAPS_WITHOUT_KEYS);
    if (!keys && bidder?.budgets) errors.push(BUDGETS_WITHOUT_KEYS);
    if (!keys && bidder?.options.has("shading")) errors.push(LEARNING_WITHOUT_KEYS);
    return { on: Boolean(keys), errors };
  }

  /** Gives a bidder the settings. */
  use(bidder: Bidder, settings: Uint8Array): void {
    if (bidder.notices === settings) return;
    const errors = bidder.useNotices(settings);
    this.#found.set(bidder, errors);
    for (const error of errors.filter((error) => !this.#logged.has(error))) {
      this.#logged.add(error);
      fail("notice-settings", error);
    }
  }
}

/**
 * The origin with https, except on this machine. The page of an ad may be https even if the SSP called by http, and
 * browsers block plain http in such a page.
 */
function secured(origin: string): string {
  return origin.startsWith("https:") || LOCAL.test(origin) ? origin : origin.replace(/^http:/, "https:");
}

const LOCAL = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/;
