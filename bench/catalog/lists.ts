//! What a shared list costs: `node bench/catalog/lists.ts` compiles catalogs in which 1, 100 and 1,000 campaigns exclude
//! one list of 100,000 domains, and decides with them. It prints a table, and is no suite of `npm run bench`.

import { compiler, module } from "../../cli/module.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";

const VALUES = 100_000;
const DECISIONS = 2000;

const domains = Array.from({ length: VALUES }, (_, n) => `site-${n * 7919}.example`);

function documentWith(campaigns: number, lists: { id: string; values: string[] }[]): Uint8Array {
  const domain = lists.length > 0 ? { exclude_lists: lists.map(({ id }) => id) } : { exclude: ["tabloid.example"] };
  const document = {
    format: 1,
    privacy: { bid_unregistered: false },
    ssps: [{ id: "demo" }],
    lists,
    creatives: [{ crid: "a", banner: { w: 300, h: 250, adm: "<b>ad</b>" } }],
    campaigns: Array.from({ length: campaigns }, (_, n) => {
      const cid = `c${n}`;
      return { cid, seat: "s", adomain: ["a.example"], max_cpm: "1.00", creatives: ["a"], target: { domain } };
    }),
  };
  return new TextEncoder().encode(JSON.stringify(document));
}

/** Nanoseconds of a decision on a site: the median of five runs. */
function decisionNs(bidder: Bidder, domain: string): number {
  const site = { domain, page: `https://${domain}/` };
  const body = new TextEncoder().encode(
    JSON.stringify({ id: "r", imp: [{ id: "1", banner: { w: 300, h: 250 } }], at: 2, site }),
  );
  const runs = Array.from({ length: 5 }, () => {
    const start = process.hrtime.bigint();
    for (let n = 0; n < DECISIONS; n += 1) bidder.decide(body, 0, 1_795_003_200_000, 1, n);
    return Number(process.hrtime.bigint() - start) / DECISIONS;
  });
  return Math.round(runs.sort((a, b) => a - b)[2] ?? 0);
}

console.log("campaigns | list | document MB | snapshot MB | compile ms | ns on a listed site | ns on another site");
for (const campaigns of [1, 100, 1000]) {
  for (const lists of [[], [{ id: "brand-safety", values: domains }]]) {
    const document = documentWith(campaigns, lists);
    const start = process.hrtime.bigint();
    const { snapshot } = compile(document, compiler);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    const bidder = new Bidder(snapshot, module);
    const listed = decisionNs(bidder, lists.length > 0 ? `www.site-${7919 * 50_000}.example` : "tabloid.example");
    const other = decisionNs(bidder, "www.news.example");
    const mb = (bytes: number) => (bytes / 1e6).toFixed(2);
    console.log(
      [campaigns, lists.length, mb(document.length), mb(snapshot.length), Math.round(ms), listed, other].join(" | "),
    );
  }
}
