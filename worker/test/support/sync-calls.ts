//! Sync calls to the whole Worker with a catalog for sync, and the cookies that a browser would keep.

import { env, exports } from "cloudflare:workers";
import { POINTER_KEY } from "../../../shared/catalog/pointer.ts";

/** The host in each `sync_url`. */
export const MATCH_HOST = "match.exchange.example";

/** The `sync_redirect_hosts` of the SSPs `many` and `both`. */
export const MANY_HOSTS = ["prebid.example", "pbs.example:8443"];

/** A TCF string that grants vendor 2 everything. */
export const ALL = "CAAAAAAAAAAAAAKABBENBaEgAP_gAAAAAAAAAEP8ACAAAA";

const CATALOG = {
  format: 1,
  privacy: { vendor_id: 2 },
  ssps: [
    {
      id: "hosting",
      sync_url: `https://${MATCH_HOST}/m/{buyeruid}?g={gdpr}&c={gdpr_consent}&p={gpp}&s={gpp_sid}&u={us_privacy}`,
    },
    { id: "bringing" },
    { id: "many", sync_redirect_hosts: MANY_HOSTS },
    { id: "both", sync_url: `https://${MATCH_HOST}/m/{buyeruid}`, sync_redirect_hosts: MANY_HOSTS },
    { id: "closed", credentials: ["a3ee786b5707c27d42570785081ec17f5c7db9262a01366af362a1aa61a420b9"] },
  ],
  creatives: [],
  campaigns: [],
};

export async function pushCatalog(): Promise<void> {
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(CATALOG));
}

/** Requests a path of the Worker. */
export function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return exports.default.fetch(`https://bidder.test${path}`, { method, headers, redirect: "manual" });
}

/** The `Cookie` header of a browser after these answers. */
export function cookies(...answers: Response[]): string {
  const kept = new Map<string, string>();
  for (const cookie of answers.flatMap((answer) => answer.headers.getSetCookie())) {
    const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
    if (/Max-Age=0(;|$)/.test(cookie)) kept.delete(name);
    else kept.set(name, value);
  }
  return [...kept].map(([name, value]) => `${name}=${value}`).join("; ");
}
