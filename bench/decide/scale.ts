//! `npm run bench -- scale`: whole decisions with 10 to 50,000 campaigns, and with two catalogs that are hard for an
//! index.
//!
//! The twin is not timed here; only its bids are compared, on the generated catalogs. Large catalogs exceed the
//! processor's caches, the requests do not.

import { generate } from "../catalogs/generate.ts";
import { everythingMatches, onlyTheLastMatches } from "../catalogs/hostile.ts";
import { ZONES } from "../catalogs/zones.ts";
import { Progress } from "../progress.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import type { Suite } from "../suite.ts";
import { createTwin } from "../twin/twin.ts";
import { expectSameBids, type Outcome, outcomeOf, summarize } from "./outcomes.ts";
import { type Catalog, Rig, series } from "./rig.ts";
import { chart } from "./scale-chart.ts";
import { analysis, checks, figures, type Measured, type Row, rows, scaleTable } from "./scale-rows.ts";

const TURNS = 55;
const QUICK_TURNS = 3;
/** Takes every fifth request of the mix, so that even the slowest catalog decides on each request in every turn. */
const EVERY = 5;

const COUNTS = [10, 100, 1000, 10_000, 50_000];
const HOSTILE = 50_000;

export const scale: Suite = {
  name: "scale",
  summary: "whole decisions with 10 to 50,000 campaigns, and with hostile catalogs",

  async run({ quick }) {
    const progress = new Progress();
    const requests = mix().filter((_, at) => at % EVERY === 0);
    const loaded = catalogs();
    const rig = await Rig.start(requests, loaded, progress);
    try {
      const all = loaded.map(({ name }) => series("edgebid", name));
      const measured: Measured[] = [];
      for (const [at, { name, campaigns, document }] of loaded.entries()) {
        progress.show(at, loaded.length, `comparing bids: ${name}`);
        const seen = await rig.answers("edgebid", name);
        // On a hostile catalog edgebid may reach its limit on work, which the twin does not have. Their bids may differ.
        if (!name.startsWith("hostile")) expectSameBids(seen, twinsAnswers(document, requests), requests);
        measured.push({
          name,
          campaigns,
          ...summarize(seen),
          memory_bytes: rig.memoryBytes.get(name) ?? Number.NaN,
        });
      }
      await rig.warm(all, progress);
      await rig.measure(all, quick ? QUICK_TURNS : TURNS, progress);
      for (const one of measured) one.spread_us = await rig.spread(one.name);
      const found = rows(all, measured);
      return {
        checks: checks(found),
        analysis: analysis(found),
        figures: figures(found),
        tables: [scaleTable(found)],
        rows: found,
      };
    } finally {
      await rig.stop();
    }
  },

  pictures: (result) => ({ "scale.svg": chart(result.rows as Row[], result) }),
};

/** The twin's outcomes. It runs in this process, because the isolate already holds seven catalogs. */
function twinsAnswers(document: string, requests: string[]): Outcome[] {
  const twin = createTwin(JSON.parse(document), ZONES.zones);
  return requests.map((request) => {
    const { status, body } = twin("demo", request, NOW_MS);
    return outcomeOf(status, body ?? null, null);
  });
}

function catalogs(): (Catalog & { campaigns: number })[] {
  return [
    ...COUNTS.map((count) => ({ name: `c${count}`, campaigns: count, make: generate })),
    { name: "hostile-all", campaigns: HOSTILE, make: everythingMatches },
    { name: "hostile-last", campaigns: HOSTILE, make: onlyTheLastMatches },
  ].map(({ name, campaigns, make }) => ({ name, campaigns, document: JSON.stringify(make(campaigns)) }));
}
