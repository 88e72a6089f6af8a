//! The result of a replay, as `--json` prints it. `print.ts` makes the text for people.

import { decimal } from "../../worker/src/report/decimal.ts";
import { type Changed, KINDS, type Kind } from "./differences.ts";
import type { Example, Place, Run } from "./run.ts";
import type { State } from "./state.ts";
import type { Row, Totals } from "./totals.ts";

/** What one catalog decided. */
export interface OfCatalog {
  name: string;
  version: string;
  campaigns_in_catalog: number;
  requests_with_bids: number;
  bids: number;
  test_bids: number;
  untold_bids: number;
  cut_off: number;
  no_bids: Record<string, number>;
  /**
   * Amounts by currency, as decimals: the price of each bid for one impression, as if each bid were won and billed
   * once.
   */
  spend: Record<string, string>;
  /** The same for each campaign and currency. */
  campaigns: { cid: string; cur: string; bids: number; spend: string }[];
}

/** What `--json` prints. */
export interface Result {
  /** The time of decisions on requests that have no time of their own. */
  now: string;
  requests: number;
  imps: number;
  /** Requests that were decided at the time that their line names. */
  own_times: number;
  bad: { count: number; first: (Place & { why: string })[] };
  problems: State["problems"];
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
export function resultOf(run: Run, problems: State["problems"]): Result {
  const { settings, contenders } = run;
  const { requests, imps, own_times, bad, sides, differences, examples } = run.found;
  return {
    now: new Date(settings.now ?? settings.started).toISOString(),
    requests,
    imps,
    own_times,
    bad,
    problems,
    catalogs: contenders.flatMap((contender, at) => {
      const totals = sides[at];
      return totals ? [ofCatalog(contender, totals)] : [];
    }),
    ...(contenders.length > 1 && {
      differences: {
        requests: differences.requests,
        kinds: Object.fromEntries(
          KINDS.flatMap((kind) => (differences.kinds.has(kind) ? [[kind, differences.kinds.get(kind)]] : [])),
        ),
        campaigns: [...differences.campaigns]
          .map(([cid, changed]) => ({ cid, ...changed }))
          .sort((a, b) => sum(b) - sum(a) || compare(a.cid, b.cid)),
        examples: KINDS.flatMap((kind) => examples.filter((example) => example.kind === kind)),
      },
    }),
    assumed: assumed(run),
  };
}

function ofCatalog({ name, version, bidder }: Run["contenders"][number], totals: Totals): OfCatalog {
  const byCount = [...totals.outcomes].sort(([a, many], [b, more]) => more - many || compare(a, b));
  const rows = [...totals.rows.values()];
  const byBids = rows.sort((a, b) => b.bids - a.bids || compare(a.cid, b.cid) || compare(a.cur, b.cur));
  return {
    name,
    version,
    campaigns_in_catalog: bidder.campaigns,
    requests_with_bids: totals.requests,
    bids: totals.bids,
    test_bids: totals.test,
    untold_bids: totals.untold,
    cut_off: totals.cut_off,
    no_bids: Object.fromEntries(byCount),
    spend: spendOf(rows),
    campaigns: byBids.map(({ cid, cur, bids, spend }) => ({ cid, cur, bids, spend: decimal(spend) })),
  };
}

function spendOf(rows: Row[]): Record<string, string> {
  const currencies = [...new Set(rows.map(({ cur }) => cur))].sort();
  const sum = (wanted: string) => rows.reduce((sum, { cur, spend }) => (cur === wanted ? sum + spend : sum), 0n);
  return Object.fromEntries(currencies.map((cur) => [cur, decimal(sum(cur))]));
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function sum({ gained, lost, creative, deal, price }: Changed): number {
  return gained + lost + creative + deal + price;
}

/** What a running bidder knows, and a replay assumes. */
function assumed({ contenders }: Run): string[] {
  const texts: string[] = [];
  if (contenders.some(({ bidder }) => bidder.budgets > 0))
    texts.push("campaigns with a budget may bid on every request: a running bidder knows their shares of requests");
  if (contenders.some(({ bidder }) => bidder.hasCaps)) texts.push("no person has reached a frequency cap");
  return texts;
}
