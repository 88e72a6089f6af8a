//! `edgebid shape`: makes the shape of a catalog, counts requests with it, and writes it only if no bid would be lost.

import { writeFileSync } from "node:fs";
import { EXIT, Failure } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import type { CatalogOptions } from "../../cli/catalog/open.ts";
import { print } from "../../cli/catalog/print.ts";
import { step } from "../../cli/catalog/progress.ts";
import { billOf, readPrices, totalOf } from "../../cli/deploy/costs.ts";
import { readCounts, usage } from "../../cli/deploy/usage.ts";
import { grouped } from "../../cli/money/table.ts";
import { openNamed, ReplayedCatalog } from "../../cli/replay/catalog.ts";
import { bytesText, percentText } from "../../shared/compare/text.ts";
import { NANOS, rounded } from "../../shared/report/decimal.ts";
import { demandOf } from "./campaigns.ts";
import { missedBy } from "./check.ts";
import { filterOf, type Texts } from "./evaluator.ts";
import { writeDte } from "./files.ts";
import { pretargetings } from "./google.ts";
import { type Group, rowsOf, shapeOf } from "./models.ts";
import { type Counts, counted, inventoryIn } from "./recording.ts";
import { csv, Table } from "./table.ts";

export interface ShapeOptions extends CatalogOptions {
  ssp: string;
  /** The format, and where to write it: a folder for `dte`; else a file, or nothing for standard output. */
  to?: string[];
  /** A folder of published shapes. */
  check?: string;
  /** The part of the requests that is never filtered, in per cent. */
  control: number;
  hours: number;
  rate: number;
  now?: number;
}

export async function shape(paths: string[], options: ShapeOptions): Promise<void> {
  const { ssp, now = Date.now(), json } = options;
  const [format, path, ...more] = options.to ?? [];
  if (format !== undefined && !["dte", "google", "table"].includes(format))
    throw new Failure(`--to ${format}: expected dte, google or table`);
  if (more.length > 0 || (format === "dte" && path === undefined))
    throw new Failure("--to: expected `dte FOLDER`, `google` or `table`, the last two with a file or without");
  const [named] = await openNamed([options.catalog], options);
  if (named === undefined) throw new Failure("name a catalog: --catalog");
  if (options.check !== undefined) {
    const missed = missedBy(options.check, named.snapshot, named.name, now, ssp);
    print(json, { ssp, missed }, missed.join("\n") || `${options.check}/${ssp} fits the catalog`);
    if (missed.length > 0) process.exitCode = EXIT.found;
    return;
  }
  const demand = demandOf(named.snapshot, ssp, now);
  const inventory = await step("reading domains and apps", () => inventoryIn(paths, ssp));
  const made = shapeOf(demand, inventory);
  const table = new Table(made.rows);
  const see = (texts: Texts) => format === "table" && table.see(texts);
  const run = { catalog: new ReplayedCatalog(named), filter: filterOf(made.models), now, see };
  const counts = await step("counting requests", () => counted(paths, ssp, run));
  if (counts.lost.length > 0)
    throw new Failure(
      `the shape would lose ${counts.lost.length} of ${counts.bids} bids, first at ${counts.lost.slice(0, 3).join(", ")}; ` +
        `nothing is written. If ${page("shape.md#too-much-never-too-little")} does not explain these requests, please report it`,
      EXIT.found,
    );
  const { models, groups } = made;
  const tuples = models.reduce((sum, { tuples }) => sum + tuples.length, 0);
  const told = {
    ssp,
    ...counts,
    ...monthly(counts, options),
    models: models.length,
    tuples,
    open: groups.flatMap(openIn),
  };
  const text = [...linesOf(told, options, paths.length === 0), ...told.open.map((line) => `  ${line}`)];
  if (format === "dte" && path !== undefined) {
    const written = writeDte(path, ssp, { models, control: options.control, hours: options.hours, now });
    text.push(`written to ${path}/${ssp}: ${written.files} files, ${bytesText(written.bytes)}`);
    return print(json, { ...told, written }, text.join("\n"));
  }
  if (format === undefined) return print(json, told, text.join("\n"));
  // Google's formats are those of an impression, also for a campaign that bids in deals only.
  const rows = demand.campaigns.flatMap((campaign) =>
    rowsOf({ ...campaign, open: true, deals: [] }, demand, inventory),
  );
  const body = format === "table" ? csv(table.lines()) : `${JSON.stringify(pretargetings(rows), null, 2)}\n`;
  if (path === undefined) process.stdout.write(body);
  else writeFileSync(path, body);
  process.stderr.write(`${text.join("\n")}\n`);
}

/** What a month costs without and with the shape, in dollars, by the arithmetic of `edgebid costs` and its defaults. */
function monthly({ requests, passed, bids }: Counts, { rate, control }: ShapeOptions) {
  const sent = passed + ((requests - passed) * control) / 100;
  const [counts, prices] = [readCounts(), readPrices()];
  const others = {
    isolateRate: 10,
    wins: 0.1,
    notices: "all",
    budgets: false,
    caps: 0,
    events: null,
    metrics: false,
  } as const;
  const usd = (rate: number, bids: number) => totalOf(billOf(usage({ ...others, rate, bids }, counts), prices));
  const before = usd(rate, bids / requests);
  const after = usd((rate * sent) / requests, bids / Math.max(1, sent));
  const text = (nanos: bigint) => rounded(nanos, NANOS, 2);
  return { rate, usd_before: text(before), usd_after: text(after), usd_saved: text(before - after) };
}

function linesOf(
  told: Counts & ReturnType<typeof monthly> & { ssp: string; models: number; tuples: number },
  { control }: ShapeOptions,
  isGenerated: boolean,
): string[] {
  const { ssp, requests, passed, bids, others, bad, usd_before, usd_after, rate, models, tuples } = told;
  const share = (part: number) => `${grouped(part)}, ${percentText(part, requests, 1)}`;
  const about = isGenerated ? "generated requests; a recording gives your own figures" : "recorded requests";
  const left = others + bad > 0 ? `, without ${others} lines of other SSPs and ${bad} that are no bid request` : "";
  return [
    `${ssp}: ${grouped(requests)} ${about}${left}`,
    `  pass      ${share(passed)}`,
    `  filtered  ${share(requests - passed)}`,
    `  bids      ${grouped(bids)}, of which 0 would be lost`,
    `  a month   $${grouped(usd_after)} instead of $${grouped(usd_before)} at ${grouped(rate)} requests/s, with a control group of ${control} %`,
    `${models} models with ${grouped(tuples)} tuples`,
  ];
}

/** Why a group does not filter by a dimension, in lines. */
function openIn({ channel, slot, open, used }: Group): string[] {
  const where = `${channel === "any" ? "" : `${channel} `}${slot}`;
  if (used.length + open.length === 0 && slot !== "deal") return [`${where}: all pass, no campaign restricts them`];
  return open.map(({ dimension, because }) => `${where}: any ${dimension}, because ${because}`);
}
