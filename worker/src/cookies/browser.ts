//! What a browser keeps for us: our id for it and with that the ids that exchanges have for it, or that it opted out.
//!
//! Both come back as cookies, which anybody can make up: one that we cannot have set is as if it were not there. The cookie
//! with ids is partitioned, so it is another one on every site that people visit. Nothing is kept anywhere else.

import { MAX_COOKIE_BYTES, OPT_OUT_SECONDS, OUR_ID_SECONDS, PARTNER_ID_SECONDS } from "../limits.ts";
import { decode, decodeTime, encode, encodeTime, type PartnerId } from "./partner-ids.ts";

/** Our id for a browser on one site, and who else knows it as what. */
export interface Ids {
  /** 128 random bits as 22 characters of web-safe base64: `user.buyeruid` of bid requests. */
  own: string;
  /** Seconds since the epoch; seeing the browser again does not put it off. */
  expires: number;
  partners: PartnerId[];
}

/** What the cookies of a request say. */
export interface Browser {
  optedOut: boolean;
  ids: Ids | undefined;
}

const IDS = "__Host-edgebid";
const OPT_OUT = "__Host-edgebid-optout";

const ANYWHERE = "; Path=/; Secure; HttpOnly; SameSite=None";
const ON_THIS_SITE = `${ANYWHERE}; Partitioned`;

/** A `Set-Cookie` that takes the ids away. */
export const FORGET_IDS = `${IDS}=; Max-Age=0${ON_THIS_SITE}`;

/**
 * The `Set-Cookie`s that remember an opt-out: on every site, and on this one where a browser keeps all cookies apart by
 * site.
 */
export const REMEMBER_OPT_OUT = [ANYWHERE, ON_THIS_SITE].map(
  (rest) => `${OPT_OUT}=1; Max-Age=${OPT_OUT_SECONDS}${rest}`,
);

/** Reads a `Cookie` header, null for none, at a time in seconds since the epoch. */
export function readCookies(header: string | null, now: number): Browser {
  const cookies = (header ?? "").split(";").map((cookie) => cookie.trim());
  return {
    optedOut: cookies.some((cookie) => cookie.startsWith(`${OPT_OUT}=`)),
    ids: cookies.map((cookie) => readIds(cookie, now)).find((ids) => ids !== undefined),
  };
}

/** New ids for a browser that has none. */
export function newIds(now: number): Ids {
  const own = crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: "base64url", omitPadding: true });
  return { own, expires: now + OUR_ID_SECONDS, partners: [] };
}

/** The ids and what an exchange calls the person, from now on. */
export function withPartner(ids: Ids, ssp: string, uid: string, now: number): Ids {
  const others = ids.partners.filter((partner) => partner.ssp !== ssp);
  return { ...ids, partners: [...others, { ssp, uid, expires: now + PARTNER_ID_SECONDS }] };
}

/** A `Set-Cookie` that keeps the ids, of partners as many as fit. */
export function keepIds({ own, expires, partners }: Ids, now: number): string {
  const name = `${IDS}=${own}:${encodeTime(expires)}|`;
  const attributes = `; Max-Age=${expires - now}${ON_THIS_SITE}`;
  return name + encode(partners, MAX_COOKIE_BYTES - name.length - attributes.length) + attributes;
}

/** Undefined for any cookie that is not what {@link keepIds} sets; what is past of it is left out. */
function readIds(cookie: string, now: number): Ids | undefined {
  const [, own = "", time = "", partners = ""] =
    /^__Host-edgebid=([\w-]{21}[AQgw]):([0-9a-z]+)\|([^;]*)$/.exec(cookie) ?? [];
  const expires = decodeTime(time);
  if (expires === undefined || !lasts(expires, now, OUR_ID_SECONDS)) return undefined;
  return {
    own,
    expires,
    partners: decode(partners).filter((partner) => lasts(partner.expires, now, PARTNER_ID_SECONDS)),
  };
}

/** Whether something that lasts `most` seconds at most is still there. */
function lasts(expires: number, now: number, most: number): boolean {
  return now < expires && expires <= now + most;
}
