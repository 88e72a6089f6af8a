//! `edgebid explain`: shows the decision on a request, by the built module with the catalog that is served or another one,
//! or by a running bidder. The module makes the report; this file prints it.

import { styleText } from "node:util";
import { Failure } from "../build/failure.mjs";
import { countText, nameOf, wantedText } from "../shared/compare/text.ts";
import { decideUnseen } from "../shared/frequency/decide.ts";
import { wholeShares } from "../shared/pacing/shares.ts";
import { A_TIME, timeIn } from "../shared/time/days.ts";
import { Bidder } from "../shared/wasm/bidder.ts";
import { explanation, type Only } from "../shared/wasm/explanation.ts";
import type { Bid, Rejected, Report } from "../worker/inspect/views/request/report.ts";
import { type CatalogOptions, isNamed } from "./catalog/open.ts";
import { print } from "./catalog/print.ts";
import { parsedJson, readInput } from "./input.ts";
import { compiler, module } from "./module.ts";
import { accepted, answerOf, expected } from "./money/client.ts";
import { aligned, text as cell } from "./money/table.ts";
import { type Named, openNamed, originOf } from "./replay/catalog.ts";
import { oneRequest } from "./replay/lines.ts";

/** Options of the command. */
export interface Options extends CatalogOptions {
  /** The bidder that is asked. */
  url?: string;
  ssp?: string;
  line?: number;
  imp?: string;
  campaign?: string;
  at?: string;
  bid?: boolean;
}

/** A request, and how it is asked about. */
interface Question extends Options {
  body: Uint8Array;
  ssp: string;
  /** The time of the decision; undefined: now. */
  time: number | undefined;
}

/** The report, or why there is none. */
type Answer = Report | { error: string };

/** Where a catalog is from, and what explains a request with it. */
interface Explainer {
  of: string;
  explain: (only: Only) => Answer | Promise<Answer>;
}

/** Prints the explanation. Returns the exit status: 1 if the file is not a request. Throws {@link Failure}. */
export async function explain(file: string, options: Options): Promise<0 | 1> {
  const sent = oneRequest(file, readInput(file), options.line);
  const time = options.at === undefined ? sent.at : timeIn(options.at);
  if (options.at !== undefined && time === undefined) throw new Failure(`--at ${options.at}: expected ${A_TIME}`);
  const question = { ...options, body: sent.body, ssp: options.ssp ?? sent.ssp ?? "demo", time };
  const usual = options.catalog === undefined && !isNamed(options) ? process.env["EDGEBID_URL"] : undefined;
  const url = options.url ?? usual;
  const { of, explain } = url ? bidderAt(url, question) : await bidderHere(question);
  const report = await explain(options);
  const isError = "error" in report;
  // The file is a request, and has no such impression, or the catalog no such campaign.
  if (isError && !("error" in (await explain({})))) throw new Failure(`${report.error}${unnamed(options, of)}`);
  print(
    options.json,
    isError ? report : { ...report, catalog_of: of },
    isError ? `${file}: ${report.error}` : text(report, of),
  );
  return isError ? 1 : 0;
}

/** Asks a running bidder, which also knows its budgets and people. */
function bidderAt(url: string, { body, ssp, time, bid }: Question): Explainer {
  const explain = async ({ imp, campaign }: Only) => {
    const query = {
      ...{ ...(imp !== undefined && { imp }), ...(campaign !== undefined && { campaign }), ...(bid && { bid: "" }) },
      ...(time !== undefined && { now: new Date(time).toISOString() }),
    };
    const answer = await answerOf(url, `explain/${encodeURIComponent(ssp)}`, { query, body });
    const report = parsedJson<Answer>(answer.text);
    // A 400 says that the body is not a bid request, or has not what is asked for.
    if (answer.status === 400 && report !== undefined) return report;
    accepted(url, `explain/${ssp}`, answer);
    return expected(url, "an explanation", report as Report | undefined, "outcome");
  };
  return { of: url, explain };
}

/** Decides with a catalog on disk or in KV. */
async function bidderHere({ catalog, body, ssp: sspId, time, bid, ...options }: Question): Promise<Explainer> {
  const [named] = (await openNamed([catalog], options)) as [Named];
  const { snapshot, version, kv } = named;
  const bidder = new Bidder(snapshot, module, version);
  bidder.useSigner(true);
  bidder.stop(kv?.stopped ?? null);
  const ssp = bidder.ssp(sspId);
  const of = originOf(named);
  if (ssp === undefined)
    throw new Failure(`the catalog has no SSP ${sspId}; it has ${bidder.ssps.join(", ")}${unnamed({ catalog }, of)}`);
  const now = time ?? Date.now();
  bidder.useShares(new TextEncoder().encode(wholeShares(bidder, now)));
  const parsed = (json: Uint8Array) => JSON.parse(new TextDecoder().decode(json));
  const explain = (only: Only) => ({
    ...parsed(explanation(bidder, body, ssp, now, compiler, undefined, only).json),
    ...(bidder.budgets > 0 && { assumed: [BUDGETS_ASSUMED] }),
    ...(bid && { response: parsed(decideUnseen(bidder, { body, ssp, now }).body ?? NULL) }),
  });
  return { of, explain };
}

/** The catalog, unless the person has named it. */
function unnamed({ catalog }: { catalog?: string | undefined }, of: string): string {
  return catalog === undefined ? ` (catalog: ${of})` : "";
}

const NULL = new TextEncoder().encode("null");
/** The assumption about budgets, as text. */
export const BUDGETS_ASSUMED =
  "campaigns with a budget may bid on every request: a running bidder knows their shares of requests";

/** The report as text. `of`: where the catalog is from. */
function text(report: Report, of: string): string {
  const { id, catalog, privacy, privacy_by, cur, outcome, cut_off, imps = [], rejected = [] } = report;
  const about = [
    `catalog: ${of}, version ${catalog}`,
    `privacy: ${privacy_by ? `${privacy} (${privacy_by})` : privacy}`,
  ];
  if (cur !== undefined) about.push(`prices in ${cur}`);
  // The outcome is the reason of the campaign that passed the most checks. A stopped one passes none.
  const stopped = rejected.filter(({ reason }) => reason === "stopped").length;
  if (stopped > 0) about.push(`${stopped} stopped`);
  const isCapped = imps.some(({ bids = [] }) => bids.some(({ caps }) => caps !== undefined));
  const decided = outcome === "bid" && isCapped ? "bid, unless a cap is reached" : outcome;
  const lines = [`request ${short(id)}: ${styleText("bold", decided)} (${about.join("; ")})`];
  const isRefused = report.wanted !== undefined || report.found !== undefined;
  if (isRefused) lines.push(`  ${styleText("dim", wantedText(report))}`);
  if (cut_off !== undefined)
    lines.push(
      `cut off by ${cut_off}: the bidder stops there and takes the best bid of the campaigns that it has checked`,
    );
  lines.push(...[report.more_imps, report.more_rows].filter((text) => text !== undefined));
  for (const imp of imps) {
    const isLeftOut = imp.reason !== undefined && !(isRefused && imp.reason === outcome);
    if (isRefused && !isLeftOut && !imp.bids?.length && !imp.rejected?.length) continue;
    lines.push(`imp ${short(imp.id)}${isLeftOut ? `: ${styleText("yellow", imp.reason ?? "")}` : ""}`);
    if (isLeftOut) lines.push(`  ${styleText("dim", wantedText(imp))}`);
    for (const bid of imp.bids ?? []) {
      const deal = bid.dealid ? ` under ${bid.dealid}` : "";
      const price = `${bid.price} (pays at most ${bid.most}, floor ${bid.floor})`;
      lines.push(`  ${styleText("green", "✓")} ${bid.cid} / ${bid.crid}${deal}: ${price}`);
      lines.push(...steps(bid));
      if (bid.caps) lines.push(`    ${styleText("dim", bid.caps)}`);
    }
    lines.push(...rows(imp.rejected ?? []));
  }
  if (rejected.length > 0) lines.push("rejected for the whole request", ...rows(rejected));
  lines.push(...(report.assumed ?? []).map((text) => `assumed: ${text}`));
  if (report.response !== undefined) lines.push("response", JSON.stringify(report.response, null, 2));
  return lines.join("\n");
}

/** The steps of a price, if there are more than {@link PLAIN_STEPS}, which are in the line of the bid. */
function steps({ steps = [] }: Bid): string[] {
  if (steps.length <= PLAIN_STEPS) return [];
  const columns = [
    cell<(typeof steps)[number]>("", ({ what }) => `    ${what}`),
    cell<(typeof steps)[number]>("", ({ value }) => value),
  ];
  return aligned(columns, steps).map((line) => styleText("dim", line));
}

/** The most that the campaign pays, the floor, the price. */
const PLAIN_STEPS = 3;

/** The longest id that is shown in full, in characters. */
const MAX_ID = 80;

function short(id: string): string {
  return id.length > MAX_ID ? `${id.slice(0, MAX_ID)}… (${id.length} characters)` : id;
}

function rows(rejected: Rejected[]): string[] {
  /** The first of the SSPs that the campaign buys from. */
  const hint = ({ reason, wanted = "" }: Rejected) =>
    reason === "ssp" ? styleText("dim", ` (ask with --ssp ${wanted.split(", ")[0]})`) : "";
  const columns = [
    cell<Rejected>("", (row) => `  ${styleText("red", "✗")} ${nameOf(row)}`),
    cell<Rejected>("", ({ reason }) => styleText("yellow", reason)),
    cell<Rejected>("", (row) => `${styleText("dim", wantedText(row))}${hint(row)}`),
  ];
  const { shown, more } = shortened(rejected);
  return [...aligned(columns, shown), ...more.map((line) => styleText("dim", `  ${line}`))];
}

/** The most campaigns that are all listed. */
const ALL_ROWS = 20;
/** Of more campaigns, so many reasons, and so many campaigns for each of them. */
const REASONS = 8;
const ROWS_PER_REASON = 2;

/** The campaigns to list, those with the most frequent reasons first, and a line that counts all of them. */
function shortened(rejected: Rejected[]): { shown: Rejected[]; more: string[] } {
  if (rejected.length <= ALL_ROWS) return { shown: rejected, more: [] };
  const groups = [...Map.groupBy(rejected, ({ reason }) => reason)].sort(([, a], [, b]) => b.length - a.length);
  const [top, others] = [groups.slice(0, REASONS), groups.slice(REASONS)];
  const counts = top.map(([reason, rows]) => `${reason} ${rows.length}`);
  if (others.length > 0) counts.push(`${others.flatMap(([, rows]) => rows).length} for other reasons`);
  return {
    shown: top.flatMap(([, rows]) => rows.slice(0, ROWS_PER_REASON)),
    more: [
      `${countText(rejected.length, "campaign")}: ${counts.join(", ")}`,
      "--campaign CID explains one of them, --json lists all",
    ],
  };
}
