//! Merges the first-party data for this bidder, from `ext.prebid.bidderconfig`, into the request's site, app and user.

import { isText, items, type Json, type Members, object, text } from "./json.ts";

/** Objects that merge attribute by attribute. Any other object is replaced. */
const MERGED = new Set(["publisher", "content", "network", "channel", "geo"]);
/** Attributes of `user` that are not merged, because first-party data must not set an id or grant consent. */
const OF_THE_USER_ALONE = new Set(["id", "buyeruid", "consent", "eids", "ext"]);

/** The request with the data for `code` (in lower case) or for all bidders. */
export function withFirstParty(request: Members, code: string): Members {
  const config = object(object(request["ext"])?.["prebid"])?.["bidderconfig"];
  if (config === undefined) return request;
  let merged = request;
  for (const entry of items(config)) {
    const patch = object(object(object(entry)?.["config"])?.["ortb2"]);
    if (!patch || !isFor(object(entry)?.["bidders"], code)) continue;
    merged = { ...merged };
    for (const name of ["site", "app", "user"]) {
      const [own, other] = [object(merged[name]) ?? (name === "user" ? {} : undefined), object(patch[name])];
      if (own && other) merged[name] = merge(own, other, name === "user");
    }
  }
  return merged;
}

function isFor(bidders: Json | undefined, code: string): boolean {
  return items(bidders)
    .filter(isText)
    .some((bidder) => bidder === "*" || (code !== "" && text(bidder).toLowerCase() === code));
}

/** RFC 7396, but only objects in {@link MERGED} merge. */
function merge(own: Members, patch: Members, isUser: boolean): Members {
  const merged = { ...own };
  for (const [key, value] of Object.entries(patch)) {
    if (isUser && OF_THE_USER_ALONE.has(key)) continue;
    const [here, there] = [object(merged[key]), object(value)];
    merged[key] = MERGED.has(key) && here && there ? merge(here, there, false) : value;
  }
  return merged;
}
