//! A forecast as text for people.

import { styleText } from "node:util";
import { countText } from "../../worker/src/compare/text.ts";
import { filled, grouped, number, shown, table, text } from "../money/table.ts";
import { badLines, brokenOff } from "../replay/print.ts";
import type { Estimate } from "./interval.ts";
import type { Market, Prices, Wins } from "./market.ts";
import type { Reach } from "./reach.ts";
import type { Spend } from "./spend.ts";

export function reachText(reach: Reach): string[] {
  const { matches, attributes, people } = reach;
  const rows: [string, Estimate][] = [
    ["requests", reach.requests],
    ["match the campaign", matches],
    ...(reach.capped ? [["match, within its frequency caps", reach.capped] as [string, Estimate]] : []),
    ["get its bid, beside the other campaigns", reach.bids],
    ...(people
      ? [[`people whose requests match${people.low === null ? ", at least" : ""}`, people] as [string, Estimate]]
      : []),
  ];
  const whole = BigInt(Math.round(matches.count + Math.max(0, ...attributes.map(({ count }) => count))));
  const bar = ({ count }: Estimate) => filled([matches.count, count].map(rounded) as [bigint, bigint], whole);
  return [
    ...headLines(reach),
    "",
    ...table(
      [
        text<[string, Estimate]>(
          reach.days === null ? "in the recording" : `in ${countText(reach.days, "day")}`,
          ([name]) => name,
        ),
        number<[string, Estimate]>("", ([, { count }]) => Math.round(count)),
        number<[string, Estimate]>("95 % interval", ([, estimate]) => intervalText(estimate)),
      ],
      rows,
    ),
    "",
    ...table(
      [
        text<Reach["attributes"][number]>("without", ({ without }) => without),
        number<Reach["attributes"][number]>("comes back", ({ count }) => Math.round(count)),
        number<Reach["attributes"][number]>("95 % interval", intervalText),
        text<Reach["attributes"][number]>("matches █ and what comes back ▒", bar),
      ],
      attributes,
    ),
    "",
  ];
}

/** The shares of auctions whose prices are shown, in tenths. */
const TENTHS = [1, 3, 5, 7, 9];

/** What wins at which price; with a recording, also what the campaign would spend. */
export function marketText({ wins, prices }: Market, spend?: Spend, reach?: Reach): string[] {
  const rates = [
    text<Wins>("ssp", ({ ssp }) => shown(ssp)),
    text<Wins>("bids of", ({ of }) => (of === "all" ? "all campaigns" : "the campaign")),
    number<Wins>("bids", ({ bids }) => bids),
    number<Wins>("won", ({ bids, wins }) => percent(wins / bids)),
    number<Wins>("CPM in USD", ({ cpm }) => (cpm === null ? "–" : cpm.toFixed(2))),
  ];
  const levels = [
    text<Prices>("price in USD that wins", ({ ssp, media }) => `${shown(ssp)}, ${media}`),
    ...TENTHS.map((tenths) => number<Prices>(`${tenths}0 %`, ({ prices }) => prices[tenths - 1]?.toFixed(2))),
  ];
  return [
    ...(wins.length > 0 ? [...table(rates, wins), ""] : []),
    ...(prices.length > 0 ? [...table(levels, prices), ""] : []),
    ...(spend && reach ? [...spendText(spend, reach), ""] : []),
  ];
}

function spendText({ cur, most, wins, expected, budget, bounded, share }: Spend, { days }: Reach): string[] {
  const money = (amount: number) => `${grouped(amount.toFixed(2))} ${cur}`;
  const when = days === null ? "in the recording" : `in ${countText(days, "day")}`;
  const won =
    expected === null
      ? `at most ${money(most)}, if every bid is won`
      : `about ${money(expected)} for ${grouped(`${Math.round(wins ?? 0)}`)} wins`;
  const limit =
    budget === null
      ? "no budget bounds it"
      : share < 1
        ? `the budget bounds it to ${money(bounded)}, a share of ${percent(share)}`
        : `the budget of ${money(budget)} is enough`;
  return [`spend ${when}: ${won}; ${limit}`];
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function headLines({ recording }: Reach): string[] {
  const { name, lines, one_in, from, to, hours, bad, problems } = recording;
  const sampled = one_in > 1 ? `, one in ${grouped(`${one_in}`)}` : "";
  const when = from === null ? "" : `, from ${from.slice(0, 19)}Z to ${to?.slice(0, 19)}Z`;
  const span = hours === null ? "" : ` (${hours.toFixed(1)} hours)`;
  return [
    `${shown(name)}: ${countText(lines, "request")}${sampled}${when}${span}`,
    ...problems.map((problem) => styleText("yellow", brokenOff(problem))),
    ...badLines(bad),
  ];
}

function intervalText({ low, high }: Estimate): string {
  return low === null || high === null ? "–" : `${grouped(`${Math.floor(low)}`)} – ${grouped(`${Math.ceil(high)}`)}`;
}

function rounded(count: number): bigint {
  return BigInt(Math.round(count));
}
