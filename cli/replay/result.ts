//! The result of a replay as `--json` prints it. `print.ts` makes the text for people.

import { CAPS } from "../../shared/frequency/decide.ts";
import { decimal } from "../../shared/report/decimal.ts";
import { BUDGETS_ASSUMED } from "../explain.ts";
import { CHANGES, type Changed, KINDS, type Kind } from "./differences.ts";
import type { Example, Location, Run } from "./run.ts";
import { noTotals, type Row, type Totals } from "./totals.ts";

/** The totals of one catalog, as `--json` prints them. Amounts are decimals. */
export interface OfCatalog extends Omit<Totals, "no_bids" | "rows"> {
  name: string;
  version: string;
  campaigns_in_catalog: number;
  no_bids: Record<string, number>;
  /** By currency: the price of each bid for one impression, as if each bid were won and billed once. */
  spend: Record<string, string>;
  /** The same for each campaign and currency. */
  campaigns: (Omit<Row, "spend"> & { spend: string })[];
}

/** What `--json` prints. */
export interface Result {
  /** The time of decisions on requests that have no time of their own. */
  now: string;
  requests: number;
  imps: number;
  /** Requests whose line has its own time of decision. */
  own_times: number;
  bad: { count: number; first: (Location & { why: string })[] };
  /** Inputs that end before they should, with their last line. */
  problems: { file: string; line: number; why: string }[];
  catalogs: OfCatalog[];
  differences?: {
    requests: number;
    kinds: Partial<Record<Kind, number>>;
    campaigns: ({ cid: string } & Changed)[];
    examples: Example[];
  };
  assumed: string[];
}

/** The result of a run; `problems` are those of its inputs. */
export function resultOf(run: Run, problems: Result["problems"]): Result {
  const { settings, catalogs } = run;
  const { requests, imps, own_times, bad, totals, differences, examples } = run.found;
  const { kinds, campaigns } = differences;
  const sum = (changed: Changed) => CHANGES.reduce((sum, change) => sum + changed[change], 0);
  return {
    now: new Date(settings.now ?? settings.started).toISOString(),
    ...{ requests, imps, own_times, bad, problems },
    catalogs: catalogs.map((catalog, at) => ofCatalog(catalog, totals[at] ?? noTotals())),
    ...(catalogs.length > 1 && {
      differences: {
        requests: differences.requests,
        kinds: Object.fromEntries(KINDS.flatMap((kind) => (kinds.has(kind) ? [[kind, kinds.get(kind)]] : []))),
        campaigns: [...campaigns]
          .map(([cid, changed]) => ({ cid, ...changed }))
          .sort((a, b) => sum(b) - sum(a) || compare(a.cid, b.cid)),
        examples: KINDS.flatMap((kind) => examples.get(kind) ?? []),
      },
    }),
    assumed: [
      ...(catalogs.some(({ bidder }) => bidder.budgets > 0) ? [BUDGETS_ASSUMED] : []),
      ...(catalogs.some(({ bidder }) => bidder.options.has(CAPS)) ? ["no person has reached a frequency cap"] : []),
    ],
  };
}

function ofCatalog({ name, version, bidder }: Run["catalogs"][number], totals: Totals): OfCatalog {
  const { requests_with_bids, bids, test_bids, untold_bids, cut_off } = totals;
  const byCount = [...totals.no_bids].sort(([a, many], [b, more]) => more - many || compare(a, b));
  const rows = [...totals.rows.values()];
  const byBids = rows.sort((a, b) => b.bids - a.bids || compare(a.cid, b.cid) || compare(a.cur, b.cur));
  const currencies = [...Map.groupBy(rows, ({ cur }) => cur)].sort(([a], [b]) => compare(a, b));
  const sumOf = (rows: Row[]) => decimal(rows.reduce((sum, { spend }) => sum + spend, 0n));
  return {
    ...{ name, version, campaigns_in_catalog: bidder.campaigns },
    ...{ requests_with_bids, bids, test_bids, untold_bids, cut_off },
    no_bids: Object.fromEntries(byCount),
    spend: Object.fromEntries(currencies.map(([cur, rows]) => [cur, sumOf(rows)])),
    campaigns: byBids.map((row) => ({ ...row, spend: decimal(row.spend) })),
  };
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
