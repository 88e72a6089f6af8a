//! The EU's Digital Services Act: what the publisher asks for, and what bids answer.

import type { DsaEntry } from "./document.ts";
import { integer, integerOrZero, type Members, object } from "./json.ts";

export interface DsaRequest {
  dsarequired: number;
  pubrender: number | undefined;
  datatopub: number | undefined;
}

/** What the publisher asks for, in `regs.dsa` or in `regs.ext.dsa`: the one that requires more. */
export function dsaRequest(request: Members): DsaRequest {
  const regs = object(request["regs"]);
  const all = [object(regs?.["dsa"]), object(object(regs?.["ext"])?.["dsa"])].filter((one) => one !== undefined);
  const required = (one: Members) => integerOrZero(one["dsarequired"]);
  const asked = all.reduce((most, one) => (required(one) > required(most) ? one : most), all[0] ?? {});
  return {
    dsarequired: integerOrZero(asked["dsarequired"]),
    pubrender: integer(asked["pubrender"]),
    datatopub: integer(asked["datatopub"]),
  };
}

/**
 * Whether the publisher accepts the bid: the information is optional, or it is present and fits the publisher's.
 */
export function allowsBid(asked: DsaRequest, dsa: DsaEntry | undefined): boolean {
  return (asked.dsarequired !== 2 && asked.dsarequired !== 3) || (dsa !== undefined && isRenderedByOneSide(asked, dsa));
}

/** The attribute `bid.ext`. */
export function extOf(asked: DsaRequest, dsa: DsaEntry | undefined): object | undefined {
  const { dsarequired, pubrender = 0, datatopub } = asked;
  const isAsked = (dsarequired >= 1 && dsarequired <= 3) || (datatopub ?? 0) > 0;
  if (!isAsked || dsa === undefined || !isRenderedByOneSide(asked, dsa)) return undefined;
  const { behalf, paid, adrender = 0, transparency = [] } = dsa;
  const isWanted = transparency.length > 0 && (pubrender > 0 || datatopub !== 0);
  return { dsa: { behalf, paid, adrender, ...(isWanted && { transparency }) } };
}

/** Whether exactly one of publisher and advertiser shows the information. */
function isRenderedByOneSide({ pubrender }: DsaRequest, { adrender = 0 }: DsaEntry): boolean {
  return !(pubrender === 0 && adrender === 0) && !(pubrender === 2 && adrender === 1);
}
