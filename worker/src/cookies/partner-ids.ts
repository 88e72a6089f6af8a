//! The ids that exchanges have for one browser, as a text that can stand in a cookie.
//!
//! ```text
//! demo:0cc175b9c0f1b6a8:tkr0c5|other:a%2Fb:tkq9zz     exchange, its id, until when
//! ```
//!
//! The text comes back from browsers and may be anything: what cannot be read of it is left out. It is not compressed:
//! the length would tell of the other ids to whoever can choose one of them.

import { firstThatFit } from "./fitting.ts";

/** What an exchange calls the person. */
export interface PartnerId {
  /** The exchange's id in the catalog. */
  ssp: string;
  /** Any well-formed text but the empty one. */
  uid: string;
  /** Seconds since the epoch: from then on it is as if it were not there. */
  expires: number;
}

/** The ids in this text, in its order; of several for an exchange the first. */
export function decode(text: string): PartnerId[] {
  const ids = new Map<string, PartnerId>();
  for (const entry of text.split("|")) {
    const id = decodeEntry(entry);
    if (id && !ids.has(id.ssp)) ids.set(id.ssp, id);
  }
  return [...ids.values()];
}

/** Of ids of different exchanges, as many as can be encoded in `limit` characters, those that last longest first. */
export function encode(ids: readonly PartnerId[], limit: number): string {
  return firstThatFit(ids.toSorted(longestFirst), limit, encodeAll).text;
}

/** All ids, whatever it takes; ASCII. */
export function encodeAll(ids: readonly PartnerId[]): string {
  return ids.map(({ ssp, uid, expires }) => `${ssp}:${encodeURIComponent(uid)}:${encodeTime(expires)}`).join("|");
}

/** The order in which ids are kept: by expiry, then by exchange, so that equal sets give equal texts. */
export function longestFirst(a: PartnerId, b: PartnerId): number {
  return b.expires - a.expires || (a.ssp < b.ssp ? -1 : 1);
}

/** Whole seconds since the epoch, short. */
export function encodeTime(seconds: number): string {
  return seconds.toString(36);
}

/** What {@link encodeTime} wrote; undefined for any other text. */
export function decodeTime(text: string): number | undefined {
  return /^[0-9a-z]{1,9}$/.test(text) ? Number.parseInt(text, 36) : undefined;
}

function decodeEntry(entry: string): PartnerId | undefined {
  const [ssp = "", encoded = "", time = "", ...more] = entry.split(":");
  const expires = decodeTime(time);
  if (!/^[\w.-]+$/.test(ssp) || encoded === "" || expires === undefined || more.length > 0) return undefined;
  try {
    return { ssp, uid: decodeURIComponent(encoded), expires };
  } catch {
    return undefined;
  }
}
