//! The part of a request that concerns every campaign.

import type { Catalog } from "./catalog.ts";
import { type DsaRequest, dsaRequest } from "./dsa.ts";
import { type Imp, impsOf } from "./imp.ts";
import { codes, integer, integerOrZero, isText, type Members, object, text, texts } from "./json.ts";
import { currency } from "./money.ts";
import { domainSet, hostsOf, languageOf, lowerSet } from "./text.ts";

/** The request's facts and rules for all campaigns. A list is null if the request has no such rule. */
export interface Auction {
  id: string;
  ssp: string;
  /** Only impressions with a unique id. */
  imps: Imp[];
  /** The auction type; 1 is first price. */
  at: number;
  /** The currency of the response. */
  cur: string;
  wseat: ReadonlySet<string> | null;
  bseat: ReadonlySet<string> | null;
  badv: ReadonlySet<string> | null;
  bcat: ReadonlySet<string> | null;
  acat: ReadonlySet<string> | null;
  bapp: ReadonlySet<string> | null;
  cattax: number;
  /** Languages of creatives, in lower case. */
  languages: ReadonlySet<string> | null;
  dsa: DsaRequest;
}

/** The body is not a bid request. */
export const BAD_REQUEST = "bad request";
/** The decision if no campaign may bid. */
export const NO_BID = "no bid";

/** Reads the parts that need no campaign. */
export function readAuction(
  request: Members,
  device: Members,
  ssp: string,
  catalog: Catalog,
): Auction | typeof BAD_REQUEST | typeof NO_BID {
  const imps = impsOf(request["imp"]);
  if (!isText(request["id"]) || imps === undefined) return BAD_REQUEST;
  if (isTooLong(text(request["id"]))) return NO_BID;
  // A screen's play counts for one impression at most.
  const isOne = ({ multiplier }: Imp) => object(request["dooh"]) === undefined || multiplier <= 1;
  const alone = distinct(imps).filter((imp) => !isTooLong(imp.id) && isOne(imp));
  const tmax = integerOrZero(request["tmax"]);
  const isTooLate = tmax > 0 && tmax <= (catalog.latencies.get(ssp) ?? 0);
  if (alone.length === 0 || isTooLate || isCrawler(text(device["ua"]))) return NO_BID;
  const cur = responseCurrency(texts(request["cur"]), catalog);
  if (cur === undefined) return NO_BID;
  const languages = [...codes(request["wlang"]), ...codes(request["wlangb"])];
  return {
    id: text(request["id"]),
    ssp,
    imps: alone,
    cur,
    at: integer(request["at"]) ?? 2,
    wseat: setOf(texts(request["wseat"])),
    bseat: setOf(texts(request["bseat"])),
    badv: domainSet(texts(request["badv"]).flatMap(hostsOf)),
    bcat: lowerSet(codes(request["bcat"])),
    acat: lowerSet(codes(request["acat"])),
    bapp: lowerSet(codes(request["bapp"])),
    cattax: integer(request["cattax"]) ?? 1,
    languages: setOf(languages.map(languageOf)),
    dsa: dsaRequest(request),
  };
}

/** Longest id that an answer repeats, in bytes. */
const MAX_ID_BYTES = 512;

/** A UTF-16 unit has up to three bytes in UTF-8. */
function isTooLong(id: string): boolean {
  return id.length > MAX_ID_BYTES / 3 && new TextEncoder().encode(id).length > MAX_ID_BYTES;
}

function setOf(list: string[]): Set<string> | null {
  return list.length > 0 ? new Set(list) : null;
}

function distinct(imps: Imp[]): Imp[] {
  if (imps.length === 1) return imps;
  const counts = new Map<string, number>();
  for (const { id } of imps) counts.set(id, (counts.get(id) ?? 0) + 1);
  return imps.filter(({ id }) => counts.get(id) === 1);
}

/** `bot` alone does not count, because some phones have that name. */
function isCrawler(ua: string): boolean {
  return /bot[/;]|spider|crawler/i.test(ua);
}

/** The first currency with a rate; dollars if the request names none. */
function responseCurrency(asked: string[], { rates }: Catalog): string | undefined {
  const codes = asked.filter((code) => code !== "");
  return codes.length === 0 ? "USD" : codes.map(currency).find((code) => rates.has(code));
}
