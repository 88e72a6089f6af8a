//! Catalogs with campaigns that ask for little: what a shape can say about them.

import { between, chance } from "../../tools/traffic/draw.ts";
import { Random } from "../../tools/traffic/random.ts";
import { COUNTRIES, PUBLISHERS } from "../../tools/traffic/vocabulary.ts";

type Members = Record<string, unknown>;

function withCampaigns(document: object, change: (campaign: Members) => Members): object {
  return { ...document, campaigns: (document as { campaigns: Members[] }).campaigns.map(change) };
}

/** The catalog with campaigns that run at any time and spend without a budget, so that they bid more often. */
export function running(document: object): object {
  const { orders, ...rest } = document as Members;
  return withCampaigns(rest, ({ paused, start, end, caps, budget_of, ...campaign }) => {
    const { hours, yob, metric, segment, connectiontype, ...target } = (campaign["target"] ?? {}) as Members;
    return { ...campaign, target };
  });
}

/** The catalog with more targets, in dimensions that a shape has. */
export function narrowed(document: object, seed: number): object {
  const random = new Random(seed);
  return withCampaigns(document, (campaign) => {
    const lists = {
      country: COUNTRIES.several(random, between(random, 1, 3)),
      devicetype: [random.pick([2, 4, 5]), 4],
      pos: [random.pick([1, 3, 4]), 0],
      publisher: PUBLISHERS.several(random, 8),
    };
    const some = Object.entries(lists).filter(() => chance(random, 0.5));
    const target = {
      ...(campaign["target"] as Members),
      ...Object.fromEntries(some.map(([name, include]) => [name, { include: [...new Set<unknown>(include)] }])),
      ...(chance(random, 0.5) && { channel: random.pick([["site"], ["app"], ["site", "app"], ["dooh"]]) }),
    };
    return { ...campaign, target };
  });
}

/** The catalog with campaigns that each have one country, one type of device, and apps or sites. */
export function narrow(document: object, seed: number): object {
  const random = new Random(seed);
  return withCampaigns(document, (campaign) => {
    const channel = [random.pick(["site", "app"])];
    const include = (value: unknown) => ({ include: [value] });
    const target = { country: include(COUNTRIES.draw(random)), devicetype: include(random.pick([2, 4, 5])), channel };
    return { ...campaign, target };
  });
}
