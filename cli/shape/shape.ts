//! `edgebid shape`: makes the shape of a catalog, counts requests with it, and writes it only if no bid would be lost.

import { writeFileSync } from "node:fs";
import { NANOS, rounded } from "../../worker/src/report/decimal.ts";
import type { StoreOptions } from "../catalog/open.ts";
import { print } from "../catalog/print.ts";
import { step } from "../catalog/progress.ts";
import { billOf, readPrices, totalOf } from "../deploy/costs.ts";
import { readCounts, usage } from "../deploy/usage.ts";
import { EXIT, Failure } from "../failure.mjs";
import { grouped } from "../money/table.ts";
import { openAll, ReplayedCatalog } from "../replay/catalog.ts";
import { demandOf } from "./campaigns.ts";
import { missedBy } from "./check.ts";
import { filterOf } from "./evaluator.ts";
import { writeDte } from "./files.ts";
import { pretargetings } from "./google.ts";
import { type Group, rowsOf, type Shape, shapeOf } from "./models.ts";
import { type Counts, counted, placesIn } from "./recording.ts";
import { csv, Table } from "./table.ts";

export interface ShapeOptions extends StoreOptions {
  catalog?: string;
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
  const [format, place, ...more] = options.to ?? [];
  if (format !== undefined && !["dte", "google", "table"].includes(format))
    throw new Failure(`--to ${format}: expected dte, google or table`);
  if (more.length > 0 || (format === "dte" && place === undefined))
    throw new Failure("--to: expected `dte FOLDER`, `google` or `table`, the last two with a file or without");
  const [named] = await openAll([options.catalog], options);
  if (named === undefined) throw new Failure("name a catalog: --catalog");
  if (options.check !== undefined) {
    const missed = missedBy(options.check, named.snapshot, named.name, now, ssp);
    print(json, { ssp, missed }, missed.join("\n") || `${options.check}/${ssp} fits the catalog`);
    if (missed.length > 0) process.exitCode = EXIT.found;
    return;
  }
  const demand = demandOf(named.snapshot, ssp, now);
  const places = await step("reading domains and apps", () => placesIn(paths, ssp));
  const made = shapeOf(demand, places);
  const catalog = new ReplayedCatalog(named);
  const table = new Table(made.rows);
  const counts = await step("counting requests", () =>
    counted(paths, ssp, {
      catalog,
      filter: filterOf(made.models),
      now,
      ...(format === "table" && { see: (texts) => table.see(texts) }),
    }),
  );
  if (counts.lost.length > 0)
    throw new Failure(
      `the shape would lose ${counts.lost.length} of ${counts.bids} bids, first at ${counts.lost.slice(0, 3).join(", ")}; ` +
        "nothing is written. This is a defect of edgebid: please report it",
      EXIT.found,
    );
  const told = { ssp, ...counts, ...monthly(counts, options), shape: summaryOf(made) };
  let body: string | undefined;
  let written: object = {};
  if (format === "dte") {
    const { control, hours } = options;
    written = {
      written: {
        place: `${place}/${ssp}`,
        ...writeDte(place as string, ssp, { models: made.models, control, hours, now }),
      },
    };
  } else if (format !== undefined) {
    const rows = demand.campaigns.flatMap((campaign) => rowsOf({ ...campaign, open: true, deals: [] }, demand, places));
    body = format === "table" ? csv(table.lines()) : `${JSON.stringify(pretargetings(rows), null, 2)}\n`;
    if (place !== undefined) writeFileSync(place, body);
  }
  if (body !== undefined && place === undefined) {
    process.stdout.write(body);
    process.stderr.write(`${textOf(told, options, paths.length === 0)}\n`);
    return;
  }
  print(json, { ...told, ...written }, textOf({ ...told, ...written }, options, paths.length === 0));
}

/** What a month costs without and with the shape, in billionths of a dollar, by the arithmetic of `edgebid costs`. */
function monthly({ requests, passed, bids }: Counts, { rate, control }: ShapeOptions) {
  const sent = passed + ((requests - passed) * control) / 100;
  const [counts, prices] = [readCounts(), readPrices()];
  const costs = (rate: number, bids: number) => {
    const load = {
      isolateRate: 10,
      wins: 0.1,
      notices: "all",
      budgets: false,
      caps: 0,
      events: null,
      metrics: false,
    } as const;
    return totalOf(billOf(usage({ ...load, rate, bids }, counts), prices));
  };
  const before = costs(rate, bids / requests);
  const after = costs((rate * sent) / requests, sent === 0 ? 0 : bids / sent);
  const usd = (nanos: bigint) => rounded(nanos, NANOS, 2);
  return { rate, usd_before: usd(before), usd_after: usd(after), usd_saved: usd(before - after) };
}

function summaryOf({ models, groups }: Shape) {
  return {
    models: models.length,
    tuples: models.reduce((sum, { tuples }) => sum + tuples.length, 0),
    groups: groups.map(({ channel, slot, used, open, model: { tuples } }) => ({
      channel,
      slot,
      used,
      open,
      tuples: tuples.length,
    })),
  };
}

type Told = Counts &
  ReturnType<typeof monthly> & { ssp: string; shape: ReturnType<typeof summaryOf> } & {
    written?: { place: string; files: number; bytes: number };
  };

function textOf(told: Told, { control }: ShapeOptions, isGenerated: boolean): string {
  const { ssp, requests, passed, bids, others, bad, shape } = told;
  const share = (part: number) => `${((part * 100) / requests).toFixed(1)} %`;
  const dollars = (usd: string) => `$${grouped(usd)}`;
  const about = isGenerated ? "generated requests; a recording gives your own figures" : "recorded requests";
  const left = [
    ...(others > 0 ? [`${others} lines of other SSPs`] : []),
    ...(bad > 0 ? [`${bad} lines that are no bid request`] : []),
  ];
  return [
    `${ssp}: ${grouped(`${requests}`)} ${about}${left.length > 0 ? `, without ${left.join(" and ")}` : ""}`,
    `  pass      ${grouped(`${passed}`)}, ${share(passed)}`,
    `  filtered  ${grouped(`${requests - passed}`)}, ${share(requests - passed)}`,
    `  bids      ${grouped(`${bids}`)}, of which 0 would be lost`,
    `  a month   ${dollars(told.usd_after)} instead of ${dollars(told.usd_before)} at ${grouped(`${told.rate}`)} requests/s, with a control group of ${control} %`,
    `${shape.models} models with ${grouped(`${shape.tuples}`)} tuples`,
    ...shape.groups.flatMap(opened),
    ...(told.written
      ? [`written to ${told.written.place}: ${told.written.files} files, ${bytesText(told.written.bytes)}`]
      : []),
  ].join("\n");
}

/** Why a group does not filter by a dimension. */
function opened({ channel, slot, open, used }: Pick<Group, "channel" | "slot" | "open" | "used">): string[] {
  const where = `${channel === "any" ? "" : `${channel} `}${slot}`;
  if (used.length === 0 && open.length === 0 && slot !== "deal")
    return [`  ${where}: all pass, no campaign restricts them`];
  return open.map(({ dimension, because }) => `  ${where}: any ${dimension}, because ${because}`);
}

function bytesText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
