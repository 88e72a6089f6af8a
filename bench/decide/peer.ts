//! The peer: the bidder that a Worker author writes on the first day: it parses the request, loops over all campaigns,
//! takes the best match and writes the response. It knows countries, device types, systems, domains, categories, sizes,
//! media types, and floors in dollars. It knows no other rule: no blocks, deals, privacy, currencies of floors, seats,
//! pods or macros.

/** A parsed request or catalog, or a part of one; nothing about it is checked. */
// biome-ignore lint/suspicious/noExplicitAny: as a first day's code has it
type Json = any;

/**
 * Returns the response to a request, or null for no bid. Throws on requests of a shape that a first day's code forgets.
 */
export type Peer = (text: string) => string | null;

export function peerBidder(catalog: Json): Peer {
  const creatives = new Map<string, Json>(catalog.creatives.map((creative: Json) => [creative.crid, creative]));
  const rates = new Map<string, number>(catalog.rates?.map(({ cur, usd }: Json) => [cur, Number(usd)]));
  const campaigns: Json[] = catalog.campaigns.map((campaign: Json) => ({
    ...campaign,
    price: Number(campaign.max_cpm) * (rates.get(campaign.cur ?? "USD") ?? 1),
    shown: campaign.creatives.map((crid: string) => creatives.get(crid)),
  }));
  return (text) => {
    const request = JSON.parse(text);
    const bids = (request.imp ?? []).flatMap((imp: Json) => {
      let best: { campaign: Json; creative: Json } | undefined;
      for (const campaign of campaigns) {
        if (campaign.price < (imp.bidfloor ?? 0) || (best && campaign.price <= best.campaign.price)) continue;
        if (!isTargeted(campaign, request)) continue;
        const creative = campaign.shown.find((one: Json) => one && fits(one, imp));
        if (creative) best = { campaign, creative };
      }
      return best ? [bidOf(request, imp, best.campaign, best.creative)] : [];
    });
    if (bids.length === 0) return null;
    return JSON.stringify({ id: request.id, cur: "USD", seatbid: [{ bid: bids }] });
  };
}

/** The peer with no bid where it throws. */
export function safely(peer: Peer): Peer {
  return (text) => {
    try {
      return peer(text);
    } catch {
      return null;
    }
  };
}

function isTargeted({ target }: Json, { device, site, app }: Json): boolean {
  if (!target) return true;
  return (
    among(target.country, device?.geo?.country) &&
    among(target.devicetype, device?.devicetype) &&
    among(target.os, device?.os) &&
    among(target.domain, site?.domain ?? app?.domain) &&
    among(target.cat, ...(site?.cat ?? app?.cat ?? []))
  );
}

function among(rule: { include?: unknown[]; exclude?: unknown[] } | undefined, ...values: unknown[]): boolean {
  if (!rule) return true;
  if (rule.exclude && values.some((value) => rule.exclude?.includes(value))) return false;
  return !rule.include || values.some((value) => rule.include?.includes(value));
}

function fits({ banner, video, audio, native }: Json, imp: Json): boolean {
  if (!banner) return Boolean((video && imp.video) || (audio && imp.audio) || (native && imp.native));
  const sizes = imp.banner?.format ?? (imp.banner ? [imp.banner] : []);
  return sizes.some((size: Json) => size.w === banner.w && size.h === banner.h);
}

function bidOf(request: Json, imp: Json, campaign: Json, creative: Json): object {
  return {
    id: `${request.id}-${imp.id}`,
    impid: imp.id,
    price: campaign.price,
    cid: campaign.cid,
    crid: creative.crid,
    adomain: campaign.adomain,
    adm: creative.banner?.adm,
    w: creative.banner?.w,
    h: creative.banner?.h,
  };
}
