//! The peer: the bidder that a Worker author writes on the first day: it parses the request, loops over all campaigns, takes the
//! best match and writes the response. It knows countries, device types, systems, domains, categories, sizes, media
//! types, and floors in dollars. It knows no other rule: no blocks, deals, privacy, currencies of floors, seats, pods
//! or macros.

interface Campaign {
  cid: string;
  cur?: string;
  max_cpm: string;
  adomain?: string[];
  creatives: string[];
  target?: Record<string, { include?: unknown[]; exclude?: unknown[] }>;
}

interface Creative {
  crid: string;
  banner?: { w?: number; h?: number; adm: string };
  video?: object;
  audio?: object;
  native?: object;
}

interface Catalog {
  rates?: { cur: string; usd: string }[];
  campaigns: Campaign[];
  creatives: Creative[];
}

/** A parsed request; nothing about it is checked. */
// biome-ignore lint/suspicious/noExplicitAny: as a first day's code has it
type Request = any;

/** Returns the response to a request, or null for no bid. Throws on requests of a shape that a first day's code forgets. */
export type Peer = (text: string) => string | null;

export function peerBidder(catalog: Catalog): Peer {
  const creatives = new Map(catalog.creatives.map((creative) => [creative.crid, creative]));
  const rates = new Map(catalog.rates?.map(({ cur, usd }) => [cur, Number(usd)]));
  const campaigns = catalog.campaigns.map((campaign) => ({
    ...campaign,
    price: Number(campaign.max_cpm) * (rates.get(campaign.cur ?? "USD") ?? 1),
    shown: campaign.creatives.map((crid) => creatives.get(crid)),
  }));
  return (text) => {
    const request: Request = JSON.parse(text);
    const bids = (request.imp ?? []).flatMap((imp: Request) => {
      let best: { campaign: (typeof campaigns)[number]; creative: Creative } | undefined;
      for (const campaign of campaigns) {
        if (campaign.price < (imp.bidfloor ?? 0) || (best && campaign.price <= best.campaign.price)) continue;
        if (!isTargeted(campaign, request)) continue;
        const creative = campaign.shown.find((one) => one && fits(one, imp));
        if (creative) best = { campaign, creative };
      }
      return best ? [bidOf(request, imp, best)] : [];
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

function isTargeted({ target }: Campaign, request: Request): boolean {
  if (!target) return true;
  const { device, site, app } = request;
  return (
    among(target["country"], device?.geo?.country) &&
    among(target["devicetype"], device?.devicetype) &&
    among(target["os"], device?.os) &&
    among(target["domain"], site?.domain ?? app?.domain) &&
    among(target["cat"], ...(site?.cat ?? app?.cat ?? []))
  );
}

function among(rule: { include?: unknown[]; exclude?: unknown[] } | undefined, ...values: unknown[]): boolean {
  if (!rule) return true;
  if (rule.exclude && values.some((value) => rule.exclude?.includes(value))) return false;
  return !rule.include || values.some((value) => rule.include?.includes(value));
}

function fits({ banner, video, audio, native }: Creative, imp: Request): boolean {
  if (!banner) return Boolean((video && imp.video) || (audio && imp.audio) || (native && imp.native));
  const sizes = imp.banner?.format ?? (imp.banner ? [imp.banner] : []);
  return sizes.some((size: Request) => size.w === banner.w && size.h === banner.h);
}

function bidOf(
  request: Request,
  imp: Request,
  { campaign, creative }: { campaign: Campaign & { price: number }; creative: Creative },
): object {
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
