//! The user of a request: ids, extended ids, segments, and the few known facts about the person.

import type { Wish } from "./demand.ts";
import { between, chance } from "./draw.ts";
import type { Privacy } from "./privacy.ts";
import type { Random } from "./random.ts";
import { KEYWORDS, SEGMENTS } from "./vocabulary.ts";

const ID_SOURCES = (
  "id-graph.example.com login-id.example publisher-id.example.org shared-id.example household.example.com " +
  "telco-id.example.eu"
).split(" ");

/** Share of the requests with eids that write them in `user.ext`, as in OpenRTB 2.5. */
const EIDS_IN_EXT = 0.33;

/** The `user`; undefined for a screen in public, and for some other requests. */
export function user(random: Random, channel: string, privacy: Privacy, wish: Wish): object | undefined {
  if (channel === "dooh") return undefined;
  const { consent, consentInExt } = privacy;
  if (consent === undefined && chance(random, 0.06)) return undefined;
  const eids = chance(random, 0.45) ? ids(random) : undefined;
  const inExt = chance(random, EIDS_IN_EXT);
  const ext = { ...(consentInExt && { consent }), ...(inExt && eids && { eids }) };
  return {
    ...(chance(random, 0.8) && { id: random.hex(16) }),
    ...(chance(random, 0.5) && { buyeruid: random.uuid() }),
    ...(chance(random, 0.04) && { yob: between(random, 1950, 2005) }),
    ...(chance(random, 0.03) && { gender: random.pick(["F", "M", "O"]) }),
    ...(chance(random, 0.05) && { keywords: KEYWORDS.several(random, 2).join(",") }),
    ...(consent !== undefined && !consentInExt && { consent }),
    ...(!inExt && eids && { eids }),
    ...((wish.segment || chance(random, 0.3)) && { data: segments(random, wish) }),
    ...(Object.keys(ext).length > 0 && { ext }),
  };
}

function ids(random: Random): object[] {
  const first = random.below(ID_SOURCES.length);
  return Array.from({ length: between(random, 1, 4) }, (_, at) => ({
    source: ID_SOURCES[(first + at) % ID_SOURCES.length],
    uids: [{ id: random.base64(between(random, 20, 60)), atype: between(random, 1, 3) }],
    ...(chance(random, 0.15) && {
      inserter: "ssp.example",
      matcher: "id-graph.example.com",
      mm: random.pick([2, 3, 5]),
    }),
  }));
}

function segments(random: Random, { segment: wished }: Wish): object[] {
  const drawn = [...(wished ? [wished] : []), ...SEGMENTS.several(random, between(random, 1, 6))];
  const providers = [...new Set(drawn.map(({ provider }) => provider))];
  return providers.map((id) => ({
    id,
    name: `audiences-${id}.example.com`,
    segment: drawn.filter(({ provider }) => provider === id).map(({ id }) => ({ id })),
    ...(chance(random, 0.4) && { ext: { segtax: random.pick([4, 600]) } }),
  }));
}
