//! `edgebid deals check`: looks whether the requests of a recording under a deal keep its terms.
//!
//! Where the person is and what the site is, the module says: a small catalog has a campaign for each rule of the terms,
//! and an explanation names the rule that a request fails. Formats and floors are compared here.

import { EXIT, Failure } from "../../build/failure.mjs";
import { type Entry, isObject, objectsIn } from "../../shared/compare/entry.ts";
import { countText } from "../../shared/compare/text.ts";
import { type Recorded, requestsIn } from "../../tools/supply/recording.ts";
import { document } from "../../tools/traffic/write.ts";
import { chosenSource } from "../catalog/chosen.ts";
import type { CatalogOptions } from "../catalog/open.ts";
import { print } from "../catalog/print.ts";
import { step } from "../catalog/progress.ts";
import { type Source, sourceOfBytes } from "../catalog/source.ts";
import { bytesOf } from "../catalog/store.ts";
import { number, table, text } from "../money/table.ts";
import { compiled, ReplayedCatalog } from "../replay/catalog.ts";
import type { Sent } from "../replay/lines.ts";
import { type Asked, dealWith, type Known } from "./kept.ts";
import { FORMATS, ruleOf, rulesOf } from "./terms.ts";

export interface CheckOptions extends Asked, CatalogOptions {
  recording: string;
}

/** A term that requests do not keep, or that could not be checked. */
interface Term {
  term: string;
  requests: number;
  /** The locations of the first requests, each with what was agreed and found. */
  first: string[];
}

/** What is wrong with an impression, by term. */
type Wrong = Map<string, string>;

/** The most locations that are named of a term. */
const NAMED = 5;
/** Reasons for which a request is refused before its rules are looked at. */
const BEFORE =
  "no-imp id-bytes list-length duplicate-imp multiplier tmax crawler privacy currency stopped ssp seat badv";

/** Prints the terms that are not kept. Returns the exit status. */
export async function checkDeal(id: string, { recording, ...asked }: CheckOptions) {
  const known = await dealWith(id, asked);
  const source = await chosenSource(asked);
  const catalog = await rulesCatalog(known, source);
  const terms = new Map<string, Term>();
  const counts = { requests: 0, under: 0, kept: 0 };
  const see = ({ request, location, ...sent }: Recorded) => {
    if (++counts.requests % 10_000 === 0) catalog.forget();
    const wrong: Wrong = new Map();
    const imps = objectsIn(request["imp"]).filter((imp) => offerIn(imp, id) !== undefined);
    for (const imp of imps) {
      compare(known, imp, wrong);
      askRules(catalog, known, sent, imp, request["app"] != null, wrong);
    }
    counts.under += Number(imps.length > 0);
    counts.kept += Number(imps.length > 0 && wrong.size === 0);
    for (const [term, why] of wrong) {
      const one = terms.get(term) ?? { term, requests: 0, first: [] };
      terms.set(term, {
        ...one,
        requests: one.requests + 1,
        first: [...one.first, `${location} (${why})`].slice(0, NAMED),
      });
    }
  };
  await step(`reading ${recording}`, async () => {
    for await (const sent of requestsIn([recording])) if ((sent.ssp ?? known.ssp) === known.ssp) see(sent);
  });
  const { under, kept } = counts;
  const columns = [
    text<Term>("term", ({ term }) => term),
    number<Term>("requests", ({ requests }) => requests),
    text<Term>("first", ({ first }) => first.join("; ")),
  ];
  const all = [...terms.values()];
  const head = `${id}: ${kept} of ${countText(under, "request")} under the deal keep its terms`;
  const none = `${id}: none of ${countText(counts.requests, "request")} of ${known.ssp} is under the deal`;
  const from = asked.catalog === undefined ? [`catalog: ${source.path}`] : [];
  const lines = [...from, under === 0 ? none : head, ...(all.length > 0 ? table(columns, all) : [])];
  print(asked.json, { id, ssp: known.ssp, catalog: source.path, ...counts, terms: all }, lines.join("\n"));
  return under > 0 && kept === under ? EXIT.ok : EXIT.found;
}

/** What an impression offers under the deal. */
function offerIn({ pmp }: Entry, id: string): Entry | undefined {
  return objectsIn(isObject(pmp) && pmp["deals"]).find((deal) => String(deal["id"]) === id);
}

/** Compares formats and the floor. A floor in another currency is not the one that was agreed. */
function compare({ id, deal: { adtypes = [], terms } }: Known, imp: Entry, wrong: Wrong): void {
  const wanted = adtypes.map((one) => FORMATS[one] ?? "");
  const formats = Object.values(FORMATS).filter((format) => imp[format] != null);
  if (wanted.length > 0 && !formats.some((format) => wanted.includes(format)))
    wrong.set("format", `agreed ${wanted.join(", ")}; found ${formats.join(", ") || "none"}`);
  const { bidfloor = 0, bidfloorcur = "USD" } = offerIn(imp, id) ?? {};
  const { dealfloor, cur = "USD", pricetype } = terms;
  if (dealfloor === undefined) return;
  const isOther = pricetype === 3 ? Number(bidfloor) !== dealfloor : Number(bidfloor) > dealfloor;
  if (isOther || bidfloorcur !== cur)
    wrong.set("floor", `agreed ${dealfloor} ${cur}; found ${bidfloor} ${bidfloorcur}`);
}

/** Asks the module about each rule. */
function askRules(
  catalog: ReplayedCatalog,
  { ssp, deal }: Known,
  sent: Sent,
  imp: Entry,
  isApp: boolean,
  wrong: Wrong,
) {
  const { sitedomains, appbundles } = deal.inventory ?? {};
  for (const [name] of rulesOf(deal)) {
    // If the deal has sites and apps, each request has to be in one of the lists.
    if (sitedomains?.length && appbundles?.length && name === (isApp ? "domain" : "bundle")) continue;
    const call = { body: sent.body, ssp, now: sent.at ?? Date.now() };
    const { reason, wanted, found } = catalog.whyNot(call, String(imp["id"]), name);
    if (reason === name) wrong.set(name, `agreed ${wanted}; found ${found ?? "nothing"}`);
    if (BEFORE.split(" ").includes(reason)) wrong.set("not checked", `${reason} refuses the request`);
  }
}

/** A campaign for each rule, with the catalog's own settings of privacy and SSPs. */
async function rulesCatalog({ id, ssp, deal }: Known, source: Source): Promise<ReplayedCatalog> {
  const { path } = source;
  const whole = (await step(`compiling ${path}`, () => document(source))) as unknown as Entry;
  const { templates, orders, lists, supply, approvals, ...settings } = whole;
  const ssps = objectsIn(whole["ssps"]).map(({ deals, needs_approval, ...one }) => one);
  if (!ssps.some((one) => one["id"] === ssp)) throw new Failure(`${path} has no SSP ${ssp}, where the deal is`);
  const campaign = { seat: "s", adomain: ["check.example"], max_cpm: "1", deals: [id], open: false, creatives: ["c"] };
  const rules = rulesOf(deal).map(([name, all]) => ({ cid: name, ...campaign, target: ruleOf(name, all, deal) }));
  const small = {
    ...{ ...settings, ssps, creatives: [{ crid: "c", banner: { w: 1, h: 1, adm: "<p>" } }] },
    campaigns: [...rules, { cid: "any", ...campaign }],
  };
  return new ReplayedCatalog(await compiled(sourceOfBytes("the rules of the deal", bytesOf(JSON.stringify(small)))));
}
