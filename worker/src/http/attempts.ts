//! Limits wrong tokens, with the platform's rate limiting if that is bound.
//!
//! Only wrong tokens are counted, so a right token never waits for the counter. A network that sends too many wrong
//! tokens is refused for a while, even with a right token, because otherwise it could go on guessing. Only this isolate
//! and the platform's counter store the network's address.

import { MAX_SHUT_OUT, SHUT_OUT_SECONDS } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { fail } from "../../../shared/telemetry/failures.ts";

/** The owner of `OPERATOR_TOKEN`. No SSP has this id, because ids of SSPs have no slash. */
export const OPERATOR = "/operator";

/** The headers of a refusal, by its status. */
export const REFUSAL_HEADERS = {
  401: { "www-authenticate": "Bearer" },
  429: { "retry-after": `${SHUT_OUT_SECONDS}` },
} as const;

export class Attempts {
  readonly #counters: Counters;
  /** When each refusal ends, in milliseconds since the epoch, by key. The refusal that ends first is entry 0. */
  readonly #shutOut = new Map<string, number>();

  /** Raises the counter `too-many-attempts`. */
  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Whether the caller has sent too many wrong tokens for `owner`: an SSP's id, or {@link OPERATOR}. */
  isShutOut(owner: string, request: Request): boolean {
    if (this.#shutOut.size === 0) return false;
    const until = this.#shutOut.get(keyOf(owner, request)) ?? 0;
    const left = until - Date.now();
    // A clock that was set back must not make the refusal longer.
    return left > 0 && left <= SHUT_OUT_SECONDS * 1000;
  }

  /** The status for a caller that is refused or has sent a wrong token. Counts the wrong token. */
  async refuse(owner: string, request: Request, { ATTEMPTS: limiter }: Pick<Bindings, "ATTEMPTS">): Promise<401 | 429> {
    if (!this.isShutOut(owner, request)) {
      const key = keyOf(owner, request);
      if (limiter === undefined || (await isWithin(limiter, key))) return 401;
      this.#shutOut.delete(key);
      const [earliest] = this.#shutOut.keys();
      if (earliest !== undefined && this.#shutOut.size >= MAX_SHUT_OUT) this.#shutOut.delete(earliest);
      this.#shutOut.set(key, Date.now() + SHUT_OUT_SECONDS * 1000);
    }
    this.#counters.add("too-many-attempts");
    return 429;
  }
}

async function isWithin(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    // The limit is unknown, so the caller gets the 401 for its wrong token.
    fail("attempts", error);
    return true;
  }
}

/** The edge sets this header to the caller's address and drops the value that the caller sends. */
function keyOf(owner: string, request: Request): string {
  return `${owner} ${networkOf(request.headers.get("cf-connecting-ip") ?? "")}`;
}

/**
 * An IPv4 address, or the first 64 bits of an IPv6 address: one caller usually owns all addresses with the same first
 * 64 bits.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [left = [], right] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0") : [];
  return [...left, ...zeros, ...(right ?? [])].slice(0, 4).join(":");
}
