//! `edgebid explain`: shows the decision on a request, with the built module and a catalog file. The module makes the
//! report; this file prints it.

import { styleText } from "node:util";
import { CatalogRefused } from "../worker/src/catalog/compile.ts";
import { versionOf } from "../worker/src/catalog/pointer.ts";
import { wholeShares } from "../worker/src/pacing/shares.ts";
import { Bidder } from "../worker/src/wasm/bidder.ts";
import { explanation, responseOf } from "../worker/src/wasm/explanation.ts";
import { compiledAside } from "./catalog/compiling.ts";
import { sourceOf } from "./catalog/source.ts";
import { readInput } from "./input.ts";
import { compiler, module } from "./module.ts";

interface Rejected {
  cid: string;
  dealid?: string;
  reason: string;
  wanted?: string;
  found?: string;
}

interface Bid {
  cid: string;
  crid: string;
  dealid?: string;
  most: string;
  floor: string;
  price: string;
  /** The frequency caps, which the explanation does not check. */
  caps?: string;
  /** How the price comes about: what the campaign pays at most, every change, the floor, the price. */
  steps: { what: string; value: string }[];
}

interface Report {
  id: string;
  catalog: string;
  privacy: string;
  /** The signals in the request that restrict the use of personal data. */
  privacy_by?: string;
  /** Absent if no currency of the request has a rate. */
  cur?: string;
  outcome: string;
  /** `wanted` and `found` are present only if no campaign may bid on the request. */
  wanted?: string;
  found?: string;
  more_imps?: string;
  more_rows?: string;
  /** `work` if the bidder would reach its limit of work before it has checked every campaign. */
  cut_off?: string;
  imps?: { id: string; bids?: Bid[]; rejected?: Rejected[] }[];
  rejected?: Rejected[];
  /** What a running bidder knows, and the command has assumed. */
  assumed?: string[];
  /** The response, if it was asked for; null if there is no bid. */
  response?: unknown;
}

/** Options of the command. */
export interface Options {
  catalog: string;
  ssp: string;
  imp?: string;
  campaign?: string;
  at?: string;
  bid?: boolean;
  json?: boolean;
}

/** Prints the explanation. Returns the exit status: 1 if the file or the catalog cannot be used. */
export async function explain(file: string, options: Options): Promise<0 | 1> {
  let report: Report | { error: string };
  try {
    const { snapshot } = await compiledAside(sourceOf(options.catalog));
    const bidder = new Bidder(snapshot, module, await versionOf(snapshot));
    bidder.useSkadn(true);
    const ssp = bidder.ssp(options.ssp);
    if (ssp === undefined) throw new Error(`the catalog has no SSP ${options.ssp}; it has ${bidder.ssps.join(", ")}`);
    const now = options.at === undefined ? Date.now() : Date.parse(options.at);
    if (Number.isNaN(now)) throw new Error(`--at ${options.at}: expected a time such as 2026-11-18T12:00Z`);
    bidder.useShares(new TextEncoder().encode(wholeShares(bidder, now)));
    const request = readInput(file);
    const { json } = explanation(bidder, request, ssp, now, compiler, false, options);
    report = { ...JSON.parse(new TextDecoder().decode(json)), ...(bidder.budgets > 0 && { assumed: ASSUMED }) };
    if (options.bid) {
      const body = responseOf(bidder, request, ssp, now);
      report = { ...report, response: body ? JSON.parse(new TextDecoder().decode(body)) : null };
    }
  } catch (error) {
    const where = error instanceof CatalogRefused ? `${options.catalog} is refused:\n` : "";
    process.stderr.write(`explain: ${where}${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
  if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else process.stdout.write("error" in report ? `${file}: ${report.error}\n` : text(report));
  return "error" in report ? 1 : 0;
}

const ASSUMED = ["campaigns with a budget may bid on every request: a running bidder knows their shares of requests"];

function text(report: Report): string {
  const {
    id,
    catalog,
    privacy,
    privacy_by,
    cur,
    outcome,
    cut_off,
    more_imps,
    more_rows,
    imps = [],
    rejected = [],
  } = report;
  const about = [`catalog: ${catalog}`, `privacy: ${privacy_by ? `${privacy} (${privacy_by})` : privacy}`];
  if (cur !== undefined) about.push(`prices in ${cur}`);
  const lines = [`request ${short(id)}: ${styleText("bold", outcome)} (${about.join("; ")})`];
  const isRefused = report.wanted !== undefined || report.found !== undefined;
  if (isRefused) lines.push(`  ${sides(report)}`);
  if (cut_off !== undefined)
    lines.push(
      `cut off by ${cut_off}: the bidder stops there and takes the best bid of the campaigns that it has checked`,
    );
  if (more_imps !== undefined) lines.push(more_imps);
  if (more_rows !== undefined) lines.push(more_rows);
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
  return `${lines.join("\n")}\n`;
}

/** The steps of a price that is not just what the campaign pays at most: those three are in the line of the bid. */
function steps({ steps }: Bid): string[] {
  const width = Math.max(...steps.map(({ what }) => what.length));
  const line = ({ what, value }: { what: string; value: string }) => `    ${what.padEnd(width)}  ${value}`;
  return steps.length > PLAIN_STEPS ? steps.map((step) => styleText("dim", line(step))) : [];
}

/** What the campaign pays at most, the floor, the price. */
const PLAIN_STEPS = 3;

/** The longest id that is shown in full, in characters. */
const MAX_ID = 80;

function short(id: string): string {
  return id.length > MAX_ID ? `${id.slice(0, MAX_ID)}… (${id.length} characters)` : id;
}

function rows(rejected: Rejected[]): string[] {
  const name = ({ cid, dealid }: Rejected) => (dealid ? `${cid} under ${dealid}` : cid);
  const width = Math.max(0, ...rejected.map((row) => name(row).length));
  const reasonWidth = Math.max(0, ...rejected.map(({ reason }) => reason.length));
  return rejected.map((row) => {
    const { reason } = row;
    // The first of the SSPs that the campaign buys from.
    const ssp = reason === "ssp" ? row.wanted?.split(", ")[0] : undefined;
    const hint = ssp === undefined ? "" : styleText("dim", ` (ask with --ssp ${ssp})`);
    const start = `  ${styleText("red", "✗")} ${name(row).padEnd(width)}`;
    return `${start}  ${styleText("yellow", reason.padEnd(reasonWidth))}  ${sides(row)}${hint}`.trimEnd();
  });
}

function sides({ wanted, found }: { wanted?: string; found?: string }): string {
  return wanted || found ? styleText("dim", `wanted ${wanted || "–"}; found ${found || "–"}`) : "";
}
