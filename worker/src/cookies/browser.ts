//! The two cookies in a browser: one with our id and the exchanges' ids for the browser, one that remembers an opt-out.
//!
//! Anybody can send any cookie, so the Worker ignores a cookie that it cannot have set. The cookie with ids is
//! partitioned: each site that a person visits has its own cookie. The ids are stored nowhere else. `partner-ids.ts`
//! encodes them.

import { MAX_COOKIE_BYTES, OPT_OUT_SECONDS, OUR_ID_SECONDS, PARTNER_ID_SECONDS } from "../../../shared/limits.ts";
import { decode, decodeTime, encode, encodeTime, type PartnerId } from "./partner-ids.ts";

/** The ids for a browser on one site: our id and the exchanges' ids. */
export interface Ids {
  /** 128 random bits as 22 characters of web-safe base64: `user.buyeruid` of bid requests. */
  own: string;
  /** When our id expires, in seconds since the epoch. Another visit does not extend it. */
  expires: number;
  partners: PartnerId[];
}

/** The contents of a request's cookies. */
export interface Browser {
  optedOut: boolean;
  ids: Ids | undefined;
}

const IDS = "__Host-edgebid";
const OPT_OUT = "__Host-edgebid-optout";

const ANYWHERE = "; Path=/; Secure; HttpOnly; SameSite=None";
const ON_THIS_SITE = `${ANYWHERE}; Partitioned`;

/** A `Set-Cookie` that deletes the ids. */
export const FORGET_IDS = `${IDS}=; Max-Age=0${ON_THIS_SITE}`;

/**
 * The `Set-Cookie`s that remember an opt-out: for all sites, and for this site in browsers that partition every cookie.
 */
export const REMEMBER_OPT_OUT = [ANYWHERE, ON_THIS_SITE].map(
  (rest) => `${OPT_OUT}=1; Max-Age=${OPT_OUT_SECONDS}${rest}`,
);

/** Reads a `Cookie` header (null: there is none). `now` is in seconds since the epoch. */
export function readCookies(header: string | null, now: number): Browser {
  const cookies = (header ?? "").split(";").map((cookie) => cookie.trim());
  return {
    optedOut: cookies.some((cookie) => cookie.startsWith(`${OPT_OUT}=`)),
    ids: cookies.map((cookie) => readIds(cookie, now)).find((ids) => ids !== undefined),
  };
}

/** New ids for a browser without any. */
export function newIds(now: number): Ids {
  const own = crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: "base64url", omitPadding: true });
  return { own, expires: now + OUR_ID_SECONDS, partners: [] };
}

/** The ids with an exchange's new id for the person. */
export function withPartner(ids: Ids, ssp: string, uid: string, now: number): Ids {
  const others = ids.partners.filter((partner) => partner.ssp !== ssp);
  return { ...ids, partners: [...others, { ssp, uid, expires: now + PARTNER_ID_SECONDS }] };
}

/** A `Set-Cookie` that stores our id, and as many of the exchanges' ids as fit. */
export function keepIds({ own, expires, partners }: Ids, now: number): string {
  const name = `${IDS}=${own}:${encodeTime(expires)}|`;
  const attributes = `; Max-Age=${expires - now}${ON_THIS_SITE}`;
  return name + encode(partners, MAX_COOKIE_BYTES - name.length - attributes.length) + attributes;
}

/** The ids in a cookie; undefined if {@link keepIds} cannot have set it. Expired ids are left out. */
function readIds(cookie: string, now: number): Ids | undefined {
  const [, own = "", time = "", partners = ""] =
    /^__Host-edgebid=([\w-]{21}[AQgw]):([0-9a-z]+)\|([^;]*)$/.exec(cookie) ?? [];
  const expires = decodeTime(time);
  if (expires === undefined || !isValid(expires, now, OUR_ID_SECONDS)) return undefined;
  return {
    own,
    expires,
    partners: decode(partners).filter((partner) => isValid(partner.expires, now, PARTNER_ID_SECONDS)),
  };
}

/** Whether an expiry is in the future, and not later than we can have set it. */
function isValid(expires: number, now: number, maxSeconds: number): boolean {
  return now < expires && expires <= now + maxSeconds;
}
