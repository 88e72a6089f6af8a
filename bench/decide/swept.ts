//! Times of calls with cold caches: see `sweep.ts`. Clearing the caches is timed in the same turns and subtracted.
//! Differences of larger times are noisier than the other rows.

import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { differences, ratios, rounds } from "../turns.ts";
import { type Series, series } from "./rig.ts";
import { BASE, CATALOG, NO_CAMPAIGNS } from "./rows.ts";
import { afterSweep, SWEEPING, swept } from "./sweep.ts";

/** The measured ways, each with its catalog. All ratios are to the first way. */
const WAYS = [
  [BASE, NO_CAMPAIGNS],
  ["edgebid", CATALOG],
  ["edgebid's reader", NO_CAMPAIGNS],
  ["twin, text to text", CATALOG],
] as const;

export interface Swept {
  way: string;
  /** Median of the turns. */
  median_us: number;
  vs_json_parse: number;
}

/** The series with cold caches. They take turns with all other series. */
export function sweptSeries(): Series[] {
  return [series(SWEEPING, NO_CAMPAIGNS), ...WAYS.map(([way, catalog]) => series(swept(way), catalog))];
}

export function sweptRows(all: Series[]): Swept[] {
  return own(all).map(({ way, turns }, _, [base]) => ({
    way,
    median_us: median(turns),
    vs_json_parse: median(ratios(turns, base?.turns ?? [])),
  }));
}

export function sweptChecks(rows: Swept[]): Record<string, number> {
  const ours = rows.find(({ way }) => way === "edgebid");
  return { "decide.cold_vs_json_parse_cold_1000": ours?.vs_json_parse ?? Number.NaN };
}

export function sweptFigures(all: Series[]): Figure[] {
  return own(all).map(({ way, turns }, at, [base]) => ({
    name: `${way}, after caches were swept`,
    unit: at === 0 ? "µs" : `/ ${BASE}`,
    better: "less",
    rounds: rounds(at === 0 ? turns : ratios(turns, base?.turns ?? [])),
  }));
}

export function sweptTable(rows: Swept[]): Table {
  return {
    title: "one request of the mix with cold caches",
    columns: ["way", "median", "/ JSON.parse"],
    rows: rows.map(({ way, median_us, vs_json_parse }) => [way, `${digits(median_us)} µs`, digits(vs_json_parse)]),
  };
}

/** For each way, the times of its turns without the time of clearing the caches. */
function own(all: Series[]): { way: string; turns: number[] }[] {
  const sweeping = all.find(({ way }) => way === SWEEPING)?.wasm ?? [];
  return all.flatMap(({ way, wasm }) => {
    const behind = afterSweep(way);
    return behind === undefined ? [] : [{ way: behind, turns: differences(wasm, sweeping) }];
  });
}
