//! A forecast as text for people.

import { styleText } from "node:util";
import { countText } from "../../worker/src/compare/text.ts";
import { filled, grouped, number, shown, table, text } from "../money/table.ts";
import { badLines, brokenOff } from "../replay/print.ts";
import type { Reach } from "./forecast.ts";
import type { Estimate } from "./interval.ts";

export function reachText(reach: Reach): string {
  const { matches, attributes, notes, people } = reach;
  const rows: [string, Estimate][] = [
    ["requests", reach.requests],
    ["match the campaign", matches],
    ...(reach.capped ? [["match, within its frequency caps", reach.capped] as [string, Estimate]] : []),
    ["get its bid, beside the other campaigns", reach.bids],
    ...(people ? [["people whose requests match", people] as [string, Estimate]] : []),
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
    ...notes,
  ].join("\n");
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
