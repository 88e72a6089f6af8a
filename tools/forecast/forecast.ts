//! `edgebid forecast`: reads the catalog, the recording and the report, and makes the forecast of a campaign.

import { EXIT, Failure } from "../../build/failure.mjs";
import { chosenSource } from "../../cli/catalog/chosen.ts";
import type { CatalogOptions } from "../../cli/catalog/open.ts";
import { print } from "../../cli/catalog/print.ts";
import { step } from "../../cli/catalog/progress.ts";
import { sourceOfBytes } from "../../cli/catalog/source.ts";
import { bytesOf } from "../../cli/catalog/store.ts";
import { compiled } from "../../cli/replay/catalog.ts";
import { type Input, inputsOf } from "../../cli/replay/inputs.ts";
import { replayed } from "../../cli/replay/replay.ts";
import type { Entry } from "../../shared/compare/entry.ts";
import { document } from "../traffic/write.ts";
import { type Market, marketOf } from "./market.ts";
import { notesOf } from "./notes.ts";
import { marketText, reachText } from "./print.ts";
import { type Reach, reachOf, type Weight } from "./reach.ts";
import { Sample } from "./sample.ts";
import { type Spend, Spending } from "./spend.ts";
import { type Documents, documentsFor } from "./variants.ts";

/** Options of the command. */
export interface ForecastOptions extends Omit<Weight, "name">, CatalogOptions {
  recording?: string;
  /** The number of requests that each line stands for, if the lines do not say it. */
  oneIn: number;
  ssp?: string;
  url: string;
}

/** The forecast as `--json` prints it. */
export interface Forecast extends Partial<Reach> {
  campaign: string;
  /** The file, folder or version with it. */
  catalog: string;
  market: Market;
  spend?: Spend;
  /** What the figures leave open, in words. */
  notes: string[];
  /** The address of the inspector's picture; absent if no bidder answers. */
  picture?: string;
}

/** Prints the forecast. Returns the exit status. Throws {@link Failure}. */
export async function forecast(cid: string, options: ForecastOptions): Promise<number> {
  const { recording, url, json } = options;
  const inputs = recording === undefined ? [] : inputsOf([recording]);
  const source = await chosenSource(options);
  const whole = (await step(`compiling ${source.path}`, () => document(source))) as Entry;
  const documents = documentsFor(whole, cid);
  const market = await marketOf(url, cid, Date.now());
  if (recording === undefined && market.problem !== null)
    throw new Failure(`${market.problem}; without a recording, only a bidder can tell`, EXIT.unreachable);
  const { reach, spend } = recording === undefined ? {} : await asked(documents, inputs, market, source.path, options);
  // Without a bidder, there is no page.
  const picture = reach && market.problem === null ? pictureOf(url, cid, reach) : undefined;
  const notes = notesOf(reach, documents, market);
  const lines = [
    `catalog: ${source.path}`,
    ...(reach ? reachText(reach) : []),
    ...marketText(market, spend, reach),
    ...notes,
    ...(picture ? [picture] : []),
  ];
  const result: Forecast = {
    ...{ campaign: cid, catalog: source.path },
    ...reach,
    market,
    ...(spend && { spend }),
    notes,
    ...(picture && { picture }),
  };
  print(json, result, lines.join("\n"));
  const isWhole = reach === undefined || (reach.matches.low !== null && reach.recording.problems.length === 0);
  return isWhole ? EXIT.ok : EXIT.found;
}

/** The inspector's page with the reach: `worker/inspect/views/catalog/reach.ts` reads it. */
export function pictureOf(url: string, campaign: string, { days, matches, attributes }: Reach): string {
  const back = attributes.map(({ without, count }) => `${without}-${Math.round(count)}`);
  const reach = [days ?? 0, Math.round(matches.count), ...back].join(".");
  return `${url.replace(/\/*$/, "")}/inspect#catalog?${new URLSearchParams({ campaign, reach })}`;
}

/** Asks the module about each request of the inputs. */
async function asked(
  documents: Documents,
  inputs: Input[],
  market: Market,
  catalog: string,
  options: ForecastOptions,
): Promise<{ reach: Reach; spend: Spend }> {
  const { recording: name = "", ssp } = options;
  const source = sourceOfBytes(catalog, bytesOf(JSON.stringify(documents.whole)));
  const named = await compiled(source);
  const [started, spending] = [Date.now(), new Spending(market, documents.whole)];
  const sample = new Sample(named, documents, { ...options, started }, (bid, ssp) => spending.add(bid, ssp));
  const settings = { started, examples: 0, ...(ssp !== undefined && { ssp }) };
  const result = await step(`asking about ${name}`, (progress) =>
    replayed([sample], inputs, settings, undefined, progress),
  );
  const reach = reachOf(sample, result, { ...options, name }, documents);
  const times = reach.requests.count / sample.requests.length;
  return { reach, spend: spending.result(reach, times, documents, started) };
}
