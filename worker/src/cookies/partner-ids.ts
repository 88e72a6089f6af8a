//! The exchanges' ids for one browser, as text for a cookie.
//!
//! ```text
//! demo:0cc175b9c0f1b6a8:tkr0c5|other:a%2Fb:tkq9zz     exchange, its id, expiry
//! ```
//!
//! A browser can send any text, so entries that cannot be read are left out. The text is not compressed: its length
//! would reveal something about the other ids to a party that can choose one of them.

import { firstThatFit } from "./fitting.ts";

/** An exchange's id for the person. */
export interface PartnerId {
  /** The exchange's id in the catalog. */
  ssp: string;
  /** The exchange's id for the person: any well-formed text that is not empty. */
  uid: string;
  /** When the id expires, in seconds since the epoch. From then on it is ignored. */
  expires: number;
}

/** Decodes the ids, in the order of the text. Only the first id of each exchange counts. */
export function decode(text: string): PartnerId[] {
  const ids = new Map<string, PartnerId>();
  for (const entry of text.split("|")) {
    const id = decodeEntry(entry);
    if (id && !ids.has(id.ssp)) ids.set(id.ssp, id);
  }
  return [...ids.values()];
}

/** Encodes as many ids as fit into `limit` characters, latest expiry first. Each exchange may have one id. */
export function encode(ids: readonly PartnerId[], limit: number): string {
  return firstThatFit(ids.toSorted(longestFirst), limit, encodeAll).text;
}

/** Encodes all ids as ASCII, whatever the length. */
export function encodeAll(ids: readonly PartnerId[]): string {
  return ids.map(({ ssp, uid, expires }) => `${ssp}:${encodeURIComponent(uid)}:${encodeTime(expires)}`).join("|");
}

/** Orders ids in the text: the latest expiry first, then by exchange, so that equal sets give equal texts. */
export function longestFirst(a: PartnerId, b: PartnerId): number {
  return b.expires - a.expires || (a.ssp < b.ssp ? -1 : 1);
}

/** Encodes a time in whole seconds since the epoch, in base 36. */
export function encodeTime(seconds: number): string {
  return seconds.toString(36);
}

/** Decodes the text of {@link encodeTime}; undefined for any other text. */
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
