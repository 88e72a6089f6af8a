//! A forecast as text for people.

import { styleText } from "node:util";
import { filled, grouped, number, shown, table, text } from "../../cli/money/table.ts";
import { badLines, brokenOff } from "../../cli/replay/print.ts";
import { countText, percentText } from "../../shared/compare/text.ts";
import type { Estimate } from "./interval.ts";
import type { Market, Prices, Wins } from "./market.ts";
import type { Reach } from "./reach.ts";
import type { Spend } from "./spend.ts";

/** A row of a table of counts. */
interface Row extends Estimate {
  name: string;
}

export function reachText(reach: Reach): string[] {
  const { days, requests, matches, capped, bids, people } = reach;
  const rows = [
    { name: "requests", ...requests },
    { name: "match the campaign", ...matches },
    capped && { name: "match, within its frequency caps", ...capped },
    { name: "get its bid, beside the other campaigns", ...bids },
    people && { name: `people whose requests match${people.low === null ? ", at least" : ""}`, ...people },
  ].filter((row) => row !== null);
  const back = reach.attributes.map(({ without, ...estimate }) => ({ name: without, ...estimate }));
  const [all, whole] = [rounded(matches), rounded(matches) + back.map(rounded).reduce((a, b) => (a > b ? a : b), 0n)];
  const bar = text<Row>("matches █ and what comes back ▒", (row) => filled([all, rounded(row)], whole));
  const columns = (name: string, counts: string) => [
    text<Row>(name, ({ name }) => name),
    number<Row>(counts, ({ count }) => Math.round(count)),
    number<Row>("95 % interval", ({ low, high }) =>
      low === null || high === null ? "–" : `${grouped(Math.floor(low))} – ${grouped(Math.ceil(high))}`,
    ),
  ];
  return [
    ...headLines(reach),
    ...["", ...table(columns(whenText(days), ""), rows)],
    ...["", ...table([...columns("without", "comes back"), bar], back), ""],
  ];
}

function whenText(days: number | null): string {
  return days === null ? "in the recording" : `in ${countText(days, "day")}`;
}

function rounded({ count }: Estimate): bigint {
  return BigInt(Math.round(count));
}

/** The shares of auctions whose prices are shown, in tenths. */
const TENTHS = [1, 3, 5, 7, 9];

/** What wins at which price; with a recording, also what the campaign would spend. */
export function marketText({ wins, prices }: Market, spend?: Spend, reach?: Reach): string[] {
  const rates = [
    text<Wins>("ssp", ({ ssp }) => shown(ssp)),
    text<Wins>("bids of", ({ of }) => (of === "all" ? "all campaigns" : "the campaign")),
    number<Wins>("bids", ({ bids }) => bids),
    number<Wins>("won", ({ bids, wins }) => percentText(wins, bids, 1)),
    number<Wins>("CPM in USD", ({ cpm }) => (cpm === null ? "–" : cpm.toFixed(2))),
  ];
  const levels = [
    text<Prices>("price in USD that wins", ({ ssp, media }) => `${shown(ssp)}, ${media}`),
    ...TENTHS.map((tenths) => number<Prices>(`${tenths}0 %`, ({ prices }) => prices[tenths - 1]?.toFixed(2))),
  ];
  return [
    ...(wins.length > 0 ? [...table(rates, wins), ""] : []),
    ...(prices.length > 0 ? [...table(levels, prices), ""] : []),
    ...(spend && reach ? [spendText(spend, reach), ""] : []),
  ];
}

function spendText({ cur, most, wins, expected, budget, bounded, share }: Spend, { days }: Reach): string {
  const money = (amount: number) => `${grouped(amount.toFixed(2))} ${cur}`;
  const won =
    wins === null || expected === null
      ? `at most ${money(most)}, if every bid is won`
      : `about ${money(expected)} for ${grouped(Math.round(wins))} wins`;
  const bound = share < 1 ? `bounds it to ${money(bounded)}, a share of ${percentText(share, 1, 1)}` : "is enough";
  return `spend ${whenText(days)}: ${won}; ${budget === null ? "no budget bounds it" : `the budget ${bound}`}`;
}

function headLines({ recording }: Reach): string[] {
  const { name, lines, one_in, from, to, hours, bad, problems } = recording;
  const sampled = one_in > 1 ? `, one in ${grouped(one_in)}` : "";
  const when = from === null ? "" : `, from ${from.slice(0, 19)}Z to ${to?.slice(0, 19)}Z`;
  const span = hours === null ? "" : ` (${hours.toFixed(1)} hours)`;
  return [
    `${shown(name)}: ${countText(lines, "request")}${sampled}${when}${span}`,
    ...problems.map((problem) => styleText("yellow", brokenOff(problem))),
    ...badLines(bad),
  ];
}
