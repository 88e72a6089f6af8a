//! The result of a replay as text for people.

import { styleText } from "node:util";
import { countText, wantedText } from "../../shared/compare/text.ts";
import { decimal, nanosOf } from "../../shared/report/decimal.ts";
import { amounts, grouped, money, number, shown, table, text } from "../money/table.ts";
import type { Kind } from "./differences.ts";
import type { OfCatalog, Result } from "./result.ts";
import type { Choice, Example } from "./run.ts";

const LETTERS = ["A", "B"];

const MEANINGS: Readonly<Record<Kind, string>> = {
  gained: "only B bids",
  lost: "only A bids",
  campaign: "another campaign",
  creative: "another creative of the same campaign",
  deal: "another deal, or with a deal and without",
  price: "another price",
  reason: "no bid, but for another reason",
};

const SPEND =
  "spend: the price of each bid for one impression, as if each bid were won and billed once. Auctions win fewer bids.";

export function resultText(result: Result): string {
  const { now, requests, imps, own_times, bad, problems, catalogs, assumed } = result;
  const own = own_times > 0 ? `; ${grouped(own_times)} of them at their own times` : "";
  const lines = [
    `${grouped(requests)} requests, ${grouped(imps)} imps, decided at ${now}${own}`,
    ...catalogs.map((catalog, at) => {
      const { name, version, campaigns_in_catalog: count } = catalog;
      const letter = catalogs.length > 1 ? `${LETTERS[at]}: ` : "";
      return `${letter}${name}, version ${version}, ${countText(count, "campaign")}`;
    }),
    ...problems.map((problem) => warning(`${brokenOff(problem)}; what is before was replayed`)),
    ...badLines(bad),
    "",
    ...outcomes(catalogs),
    "",
    ...campaigns(catalogs),
    ...differences(result),
    "",
    SPEND,
    ...assumed.map((text) => `assumed: ${text}`),
  ];
  return lines.join("\n");
}

function warning(text: string): string {
  return styleText("yellow", text);
}

/** Where an input ends before it should. */
export function brokenOff({ file, line, why }: Result["problems"][number]): string {
  return `${file} breaks off after line ${line}: ${why}`;
}

/** The bad lines: how many, and the first ones with their locations. */
export function badLines({ count, first }: Result["bad"]): string[] {
  if (count === 0) return [];
  return [
    warning(
      `${countText(count, "bad request")}, counted in nothing below${count > first.length ? "; the first ones:" : ":"}`,
    ),
    ...first.map(({ file, line, why }) => `  ${file}:${line}: ${why}`),
  ];
}

/** A row for each outcome, a column for each catalog. */
function outcomes(catalogs: OfCatalog[]): string[] {
  const row = (name: string, of: (catalog: OfCatalog) => number) => ({ name, cells: catalogs.map(of) });
  const reasons = [...new Set(catalogs.flatMap(({ no_bids }) => Object.keys(no_bids)))];
  const rows = [
    row("requests with bids", ({ requests_with_bids: count }) => count),
    row("bids", ({ bids }) => bids),
    row("test bids, without spend", ({ test_bids: count }) => count),
    row("bids that were not told", ({ untold_bids: count }) => count),
    row("decisions cut off by work", ({ cut_off: count }) => count),
    ...reasons.map((reason) => row(`no bid: ${reason}`, ({ no_bids }) => no_bids[reason] ?? 0)),
  ].filter(({ cells }, at) => at < 2 || cells.some((count) => count > 0));
  const currencies = [...new Set(catalogs.flatMap(({ spend }) => Object.keys(spend)))].sort();
  const spent = currencies.map((cur) => ({
    name: `spend in ${shown(cur)}`,
    cells: amounts(catalogs.map(({ spend }) => nanosOf(spend[cur] ?? "0"))),
  }));
  type Cells = { name: string; cells: (string | number)[] };
  const columns = lettered(catalogs, "requests").map(([title, at]) => number<Cells>(title, ({ cells }) => cells[at]));
  return table([text<Cells>("outcome", ({ name }) => name), ...columns], [...rows, ...spent]);
}

/** A row for each campaign and currency. */
function campaigns(catalogs: OfCatalog[]): string[] {
  type Row = OfCatalog["campaigns"][number];
  const key = ({ cid, cur }: Row) => `${cid}\n${cur}`;
  const found = catalogs.map(({ campaigns }) => new Map(campaigns.map((row) => [key(row), row])));
  const rows = [...new Map(found.flatMap((rows) => [...rows])).values()];
  if (rows.length === 0) return ["no campaign bids"];
  const own = (row: Row, at: number) => found[at]?.get(key(row));
  return table(
    [
      text<Row>("campaign", ({ cid }) => shown(cid)),
      ...lettered(catalogs, "bids").map(([title, at]) => number<Row>(title, (row) => own(row, at)?.bids ?? 0)),
      ...lettered(catalogs, "spend").map(([title, at]) =>
        money<Row>(title, (row) => nanosOf(own(row, at)?.spend ?? "0")),
      ),
      text<Row>("cur", ({ cur }) => shown(cur)),
    ],
    rows,
  );
}

function differences({ differences, requests }: Result): string[] {
  if (!differences) return [];
  const { kinds, campaigns, examples } = differences;
  const head = `${grouped(differences.requests)} of ${grouped(requests)} requests get other bids`;
  const counts = Object.entries(kinds) as [Kind, number][];
  const ofKinds = [
    number<[Kind, number]>("imps", ([, count]) => count),
    text<[Kind, number]>("difference", ([kind]) => kind),
    text<[Kind, number]>("what", ([kind]) => MEANINGS[kind]),
  ];
  const ofCampaigns = [
    text<(typeof campaigns)[number]>("campaign", ({ cid }) => shown(cid)),
    ...(["gained", "lost", "creative", "deal", "price"] as const).map((kind) =>
      number<(typeof campaigns)[number]>(kind, (campaign) => campaign[kind]),
    ),
  ];
  return [
    "",
    head,
    ...(counts.length > 0 ? table(ofKinds, counts) : []),
    ...(campaigns.length > 0 ? ["", ...table(ofCampaigns, campaigns)] : []),
    ...(examples.length > 0 ? ["", "examples"] : []),
    ...examples.flatMap(exampleLines),
    ...(examples.length > 0 && differences.requests > examples.length
      ? ["", styleText("dim", `--examples ${differences.requests} shows all of them`)]
      : []),
  ];
}

function exampleLines({ kind, file, line, request, ssp, at, a, b }: Example): string[] {
  const imp = (a.bid ?? b.bid)?.impid;
  const of = [request !== null && `request ${shown(request)}`, imp !== undefined && `imp ${shown(imp)}`];
  return [
    `${styleText("bold", kind)}  ${[`${file}:${line}`, ...of].filter(Boolean).join(", ")} ${styleText("dim", `(${shown(ssp)}, ${at})`)}`,
    ...choiceLines("A", a, b),
    ...choiceLines("B", b, a),
  ];
}

function choiceLines(letter: string, { bid, outcome, why }: Choice, other: Choice): string[] {
  const what = bid
    ? `${shown(bid.cid)} / ${shown(bid.crid)}${bid.dealid ? ` under ${shown(bid.dealid)}` : ""}: ` +
      `${decimal(1000n * BigInt(bid.price_micros ?? 0))} ${shown(bid.cur)}`
    : outcome === "bid"
      ? "no bid on this imp"
      : `no bid: ${outcome}`;
  if (!why) return [`  ${letter}  ${what}`];
  const { reason, wanted = "", found = "" } = why;
  const told = wantedText({ wanted: shown(wanted), found: shown(found) });
  const texts = told && styleText("dim", `  ${told}`);
  return [`  ${letter}  ${what}`, `     ${shown(other.bid?.cid ?? "")}: ${styleText("yellow", reason)}${texts}`];
}

/** The title of each catalog's column, and its position. */
function lettered(catalogs: OfCatalog[], title: string): [title: string, at: number][] {
  return catalogs.map((_, at) => [catalogs.length > 1 ? `${title} ${LETTERS[at]}` : title, at]);
}
