//! Says what the catalog's files of sellers say about a request. It asks the module: of four campaigns that differ in
//! `target.supply`, the strictest one that bids is the answer. So no rule of `target.supply` is written here again.

import { bytesOf } from "../../cli/catalog/store.ts";
import { compiler } from "../../cli/module.ts";
import { ReplayedCatalog } from "../../cli/replay/catalog.ts";
import { compile } from "../../shared/catalog/compile.ts";
import { dayAt } from "../../shared/time/days.ts";

/**
 * `direct`: what `direct_only` takes. `reseller`: all sellers are authorised, and another than the owner is paid.
 * `unknown`: the files do not say. `refused`: they say no.
 */
export const RELATIONS = ["direct", "reseller", "unknown", "refused"] as const;
export type Relation = (typeof RELATIONS)[number];

/** What the relation needs of a catalog. */
export interface Document {
  ssps?: { id?: string; domain?: string }[];
  supply?: { date: string; systems: { domain: string }[] };
}

const RULES: Record<Relation, object> = {
  direct: { supply: { direct_only: true, authorised: "require" } },
  reseller: { supply: { authorised: "require" } },
  unknown: { supply: { authorised: "known" } },
  refused: {},
};
const IMP = [{ id: "1", banner: { w: 1, h: 1 } }];
/** Decisions after which the counts that the module keeps for reports are dropped. */
const FORGET_AFTER = 10_000;

/** The relation of a request that an SSP of this catalog has sent. The files count as new, whatever their day is. */
export function relations({
  ssps = [],
  supply,
}: Document): (ssp: string, request: Record<string, unknown>) => Relation {
  const date = supply?.date ?? dayAt(0);
  const document = {
    format: 1,
    ssps: ssps.map(({ id, domain }) => ({ id, ...(domain && { domain }) })),
    supply: supply ?? { date, systems: [], ads: [], app_ads: [] },
    creatives: [{ crid: "probe", banner: { w: 1, h: 1, adm: "<p>" } }],
    campaigns: RELATIONS.map((cid, at) => ({
      ...{ cid, seat: "probe", adomain: ["probe.example"], max_cpm: `${RELATIONS.length - at}`, creatives: ["probe"] },
      target: RULES[cid],
    })),
  };
  const { snapshot } = compile(bytesOf(JSON.stringify(document)), compiler);
  const catalog = new ReplayedCatalog({ name: "probe", version: "0".repeat(16), snapshot });
  let decided = 0;
  return (ssp, { site, app, source }) => {
    if (++decided % FORGET_AFTER === 0) catalog.forget();
    const body = bytesOf(JSON.stringify({ id: "1", imp: IMP, site, app, source }));
    const { bids } = catalog.decide({ body, ssp, now: Date.parse(date) }, decided);
    return RELATIONS.find((relation) => relation === bids[0]?.cid) ?? "unknown";
  };
}
