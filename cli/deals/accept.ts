//! `edgebid deals show`, `accept` and `reject`. Accepting writes the terms into a campaign of the catalog's folder, and then
//! tells the bidder, which answers the seller. Nothing is pushed, so nothing bids yet.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../build/failure.mjs";
import { differences } from "../../shared/compare/diff.ts";
import { byId, type Entry, idsIn, withTemplate } from "../../shared/compare/entry.ts";
import { firstOf } from "../../shared/compare/text.ts";
import type { Decided } from "../../shared/deals/deal.ts";
import { MAX_DEAL_TEXT } from "../../shared/limits.ts";
import { withAttributes } from "../campaign/insert.ts";
import { didYouMean } from "../catalog/nearest.ts";
import { done, findingsText, print } from "../catalog/print.ts";
import { assertFolder, saved } from "../catalog/save.ts";
import { sourceOf } from "../catalog/source.ts";
import { isYaml } from "../catalog/yaml.ts";
import { ownCatalog } from "../defaults.ts";
import { parsedJson } from "../input.ts";
import { jsonText } from "../json-text.ts";
import { ask } from "../money/client.ts";
import { type Asked, dealWith, isOver, type Known } from "./kept.ts";
import { NOBODY, type Taker, writtenOf } from "./terms.ts";

export interface AcceptOptions extends Asked {
  campaign: string;
  close?: boolean;
  catalog?: string;
}

export interface RejectOptions extends Asked {
  reason: string;
}

export async function showDeal(id: string, options: Asked): Promise<void> {
  const known = await dealWith(id, options);
  const { entry, notes } = writtenOf(known, NOBODY);
  const { ssp, origin, deal, states, decisions } = known;
  const lines = [
    `${id} of ${origin} at ${ssp}: ${states.join(", ")}`,
    ...[deal.name, deal.desc].flatMap((text) => (text ? [`  ${text}`] : [])),
    ...decisions.flatMap(({ status, campaign, seat, reason, deal: old }) => [
      status === 1 ? `  accepted for ${campaign}, seat ${seat}` : `  rejected: ${reason}`,
      ...(old ? differences(old, deal, "").map((line) => `    since then, ${line}`) : []),
    ]),
    ...["what it means in a campaign:", jsonText(entry), ...notes.map((note) => `  note ${note}`)],
  ];
  print(options.json, { ...known, entry, notes }, lines.join("\n"));
}

/** Throws `CatalogRefused`, and changes nothing, if the compiler refuses the campaign with the terms. */
export async function acceptDeal(id: string, options: AcceptOptions): Promise<void> {
  const { campaign: cid, catalog = ownCatalog(), json } = options;
  assertFolder(catalog);
  const known = await dealWith(id, options);
  if (isOver(known)) throw new Failure(`the deal ${id} is over (${known.states.join(", ")}): nothing to accept`);
  const taker = takerOf(known, catalog, options);
  const { entry, notes } = writtenOf(known, taker);
  const attributes = attributesOf(entry, taker);
  const { file, text } = changedFile(catalog, cid, attributes);
  const { notes: findings } = await saved(file, text, catalog);
  try {
    await tell(known, options, { status: 1, seat: `${taker.campaign["seat"]}`, campaign: cid });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      `${file} is written, and the seller is not told: ${error.message}; accept it again`,
      error.status,
    );
  }
  const lines = [
    done(`${file}: ${cid} buys under ${id} when you push it; the seller is told that you accept`),
    ...differences(taker.listed, { ...taker.listed, ...attributes }, "").map((line) => `  ${line}`),
    ...notes.map((note) => `  note ${note}`),
    `  to see what a push of it changes: npx edgebid catalog diff ${catalog} --local (or --remote)${findingsText(findings)}`,
  ];
  print(json, { file, campaign: cid, entry, notes, findings }, lines.join("\n"));
}

export async function rejectDeal(id: string, options: RejectOptions): Promise<void> {
  if (options.reason.length > MAX_DEAL_TEXT) throw new Failure(`the reason is over ${MAX_DEAL_TEXT} characters`);
  const known = await dealWith(id, options);
  await tell(known, options, { status: 2, seat: "", reason: options.reason });
  const taking = known.decisions.flatMap(({ campaign }) => campaign || []);
  const still =
    taking.length > 0 ? `\n  ${firstOf(taking)} may still buy under it: remove it from deals, and push` : "";
  print(options.json, { id, campaigns: taking }, done(`the seller is told that you reject ${id}${still}`));
}

/** `former`: what earlier terms of the deal have written into the campaign, which is not in `campaign` any more. */
interface Own extends Taker {
  listed: Entry;
  former: Entry;
}

/** The campaign in the catalog. Throws {@link Failure} if it does not buy under this deal only. */
function takerOf(known: Known, catalog: string, { campaign: cid, close }: AcceptOptions): Own {
  const { id, ssp, decisions } = known;
  const document = parsedJson<Entry>(sourceOf(catalog).document) ?? {};
  const campaigns = byId(document["campaigns"], "cid");
  const listed = campaigns.get(cid);
  if (listed === undefined) {
    const hint = didYouMean(cid, [...campaigns.keys()]) || "; add one: npx edgebid campaign new";
    throw new Failure(`the catalog has no campaign ${cid}${hint}`);
  }
  const whole = withTemplate(listed, byId(document["templates"], "id"));
  const old = decisions.find(({ campaign, deal }) => campaign === cid && deal !== undefined)?.deal;
  const former = old === undefined ? {} : writtenOf({ ...known, deal: old }, NOBODY).entry;
  const campaign = without(whole, former);
  const others = idsIn(whole["deals"], "id").filter((other) => other !== id);
  if (others.length > 0)
    throw new Failure(
      `${cid} also buys under ${firstOf(others)}, which these terms would narrow; name another campaign`,
    );
  if (whole["open"] !== false && !close)
    throw new Failure(`${cid} also buys without a deal, which these terms would narrow; --close ends that`);
  const [creatives, ssps] = [byId(document["creatives"], "crid"), byId(document["ssps"], "id")];
  const shown = idsIn(whole["creatives"], "crid").flatMap((crid): Entry[] => [creatives.get(crid) ?? {}]);
  return { campaign, creatives: shown, ssp: ssps.get(ssp) ?? {}, listed, former };
}

/** The entry without the attributes that are the same in another one; in `target`, attribute by attribute. */
function without(entry: Entry, other: Entry): Entry {
  const rest = Object.entries(entry).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name]));
  const { target } = other;
  return Object.fromEntries(
    rest.map(([name, value]) => [name, name === "target" ? without(value as Entry, (target ?? {}) as Entry) : value]),
  );
}

/** What to write: also the campaign's own rules of `target`, and undefined for what only earlier terms have written. */
function attributesOf({ target, creatives, ...entry }: Entry, { campaign, listed, former }: Own): Entry {
  const fits = (one: unknown) => idsIn([one], "crid").some((crid) => (creatives as string[]).includes(crid));
  const gone = Object.keys(former).filter((name) => name !== "target" && campaign[name] === undefined);
  const own = without((listed["target"] ?? {}) as Entry, (former["target"] ?? {}) as Entry);
  return {
    ...Object.fromEntries(gone.map((name) => [name, undefined])),
    ...entry,
    ...((target ?? listed["target"]) !== undefined && { target: { ...own, ...(target as Entry | undefined) } }),
    ...(creatives !== undefined && { creatives: (campaign["creatives"] as unknown[]).filter(fits) }),
  };
}

/** The file of the folder with the campaign, and its new text. */
function changedFile(catalog: string, cid: string, entry: Entry): { file: string; text: string } {
  for (const name of readdirSync(catalog).filter((name) => name.endsWith(".json") || isYaml(name))) {
    const file = join(catalog, name);
    const text = withAttributes(readFileSync(file, "utf8"), ["campaigns", "cid", cid], entry, isYaml(name));
    if (text !== null) return { file, text };
  }
  throw new Failure(`no file of ${catalog} has the campaign ${cid}`);
}

async function tell(known: Known, { url }: Asked, decision: Omit<Decided, "ssp" | "origin" | "id" | "digest" | "at">) {
  const { ssp, origin, id, digest } = known;
  await ask(url, "deals", { body: { ssp, origin, id, digest, ...decision } });
}
