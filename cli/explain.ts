//! `edgebid explain`: shows the decision on a request, with the built module and a catalog file. The module makes the
//! report; this file prints it.

import { styleText } from "node:util";
import type { Bid, Rejected, Report } from "../worker/inspect/views/request/report.ts";
import { versionOf } from "../worker/src/catalog/pointer.ts";
import { countText, nameOf, wantedText } from "../worker/src/compare/text.ts";
import { wholeShares } from "../worker/src/pacing/shares.ts";
import { A_TIME, timeIn } from "../worker/src/time/days.ts";
import { Bidder } from "../worker/src/wasm/bidder.ts";
import { explanation, type Only, responseOf } from "../worker/src/wasm/explanation.ts";
import { compiledAside } from "./catalog/compiling.ts";
import { print } from "./catalog/print.ts";
import { sourceOf } from "./catalog/source.ts";
import { defaultCatalog } from "./defaults.ts";
import { Failure } from "./failure.mjs";
import { readInput } from "./input.ts";
import { compiler, module } from "./module.ts";
import { aligned, text as cell } from "./money/table.ts";
import { oneRequest } from "./replay/lines.ts";

/** Options of the command. */
export interface Options {
  catalog?: string;
  ssp?: string;
  line?: number;
  imp?: string;
  campaign?: string;
  at?: string;
  bid?: boolean;
  json?: boolean;
}

/** Prints the explanation. Returns the exit status: 1 if the file is not a request. Throws {@link Failure}. */
export async function explain(file: string, options: Options): Promise<0 | 1> {
  const name = options.catalog ?? defaultCatalog();
  const { snapshot } = await compiledAside(sourceOf(name));
  const bidder = new Bidder(snapshot, module, await versionOf(snapshot));
  bidder.useSkadn(true);
  const sent = oneRequest(file, readInput(file), options.line);
  const sspId = options.ssp ?? sent.ssp ?? "demo";
  const ssp = bidder.ssp(sspId);
  if (ssp === undefined) throw new Failure(`the catalog has no SSP ${sspId}; it has ${bidder.ssps.join(", ")}`);
  const now = options.at === undefined ? (sent.at ?? Date.now()) : timeIn(options.at);
  if (now === undefined) throw new Failure(`--at ${options.at}: expected ${A_TIME}`);
  bidder.useShares(new TextEncoder().encode(wholeShares(bidder, now)));
  const parsed = (json: Uint8Array) => JSON.parse(new TextDecoder().decode(json));
  const asked = (only: Only) => parsed(explanation(bidder, sent.body, ssp, now, compiler, false, only).json);
  const report: Report | { error: string } = {
    ...asked(options),
    ...(bidder.budgets > 0 && { assumed: [BUDGETS_ASSUMED] }),
    ...(options.bid && { response: parsed(responseOf(bidder, sent.body, ssp, now) ?? NULL) }),
  };
  const isError = "error" in report;
  // The file is a request, and has no such impression, or the catalog no such campaign.
  if (isError && !("error" in asked({}))) throw new Failure(report.error);
  print(options.json, report, isError ? `${file}: ${report.error}` : text(report, name));
  return isError ? 1 : 0;
}

const NULL = new TextEncoder().encode("null");
/** The assumption about budgets, as text. */
export const BUDGETS_ASSUMED =
  "campaigns with a budget may bid on every request: a running bidder knows their shares of requests";

/** The report as text. `name`: the file of the catalog. */
function text(report: Report, name: string): string {
  const { id, catalog, privacy, privacy_by, cur, outcome, cut_off, imps = [], rejected = [] } = report;
  const about = [
    `catalog: ${name}, version ${catalog}`,
    `privacy: ${privacy_by ? `${privacy} (${privacy_by})` : privacy}`,
  ];
  if (cur !== undefined) about.push(`prices in ${cur}`);
  const lines = [`request ${short(id)}: ${styleText("bold", outcome)} (${about.join("; ")})`];
  const isRefused = report.wanted !== undefined || report.found !== undefined;
  if (isRefused) lines.push(`  ${styleText("dim", wantedText(report))}`);
  if (cut_off !== undefined)
    lines.push(
      `cut off by ${cut_off}: the bidder stops there and takes the best bid of the campaigns that it has checked`,
    );
  lines.push(...[report.more_imps, report.more_rows].filter((text) => text !== undefined));
  for (const imp of imps) {
    if (isRefused && !imp.bids?.length && !imp.rejected?.length) continue;
    lines.push(`imp ${short(imp.id)}`);
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
