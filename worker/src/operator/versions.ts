//! `GET /inspect/api/…`: answers the inspector's questions about the versions in KV: which versions there are, what
//! their campaigns do, and how two of them differ.

import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { megabytes } from "../bytes.ts";
import { currentOf, isDocument, versionsOf } from "../catalog/listing.ts";
import { VERSIONS_PREFIX } from "../catalog/pointer.ts";
import { fetchDocument, getPointer, placeOf } from "../catalog/versions.ts";
import { byId, diff, withTemplate } from "../compare/diff.ts";
import { planOf } from "../compare/plan.ts";
import { json } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { MAX_DESCRIBED_BYTES, MAX_INSPECTED_BYTES, MAX_LISTED } from "../limits.ts";
import { messageOf, Refusal } from "../telemetry/failures.ts";
import type { Bidder } from "../wasm/bidder.ts";
import { type Compiling, Instance } from "../wasm/instance.ts";
import type { Entry, Listed, ListedCampaign, Section } from "./answers.ts";
import { extraBidder, refusalOf, servingOf } from "./bidders.ts";

/** Answers a question with this part of the query. */
type Answer = (call: Call, query: URLSearchParams, served: Bidder | undefined) => Promise<object>;

const ANSWERS: Readonly<Record<string, Answer>> = { versions, catalog, diff: changes };

/**
 * The answer as JSON, or `{"error"}`: 400 for a wrong query, 404 for an unknown version, 413 if a version is too large
 * to read here, 503 if it cannot be used.
 */
export async function inspectApi(call: Call): Promise<Response> {
  const { request, rest, env, ctx, isolate } = call;
  const answer = Object.hasOwn(ANSWERS, rest) ? ANSWERS[rest] : undefined;
  if (!answer) throw new Refusal(`expected one of ${Object.keys(ANSWERS).join(", ")}`, 404);
  const served = isolate.keeper.use(env, ctx) ?? (await isolate.keeper.first());
  try {
    return json(await answer(call, new URL(request.url).searchParams, served));
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * The versions that the pointer names, the version that this isolate serves, and all versions, newest push first, as in
 * `edgebid catalog list --json`.
 */
async function versions({ env, isolate }: Call): Promise<object> {
  const current = await currentOf(await getPointer(env));
  const { pointer, problem, stopped, version } = current;
  const keys: { name: string; metadata?: unknown }[] = [];
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await env.CATALOG.list({ prefix: VERSIONS_PREFIX, cursor });
    keys.push(...page.keys);
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return {
    served: version,
    plain: isDocument(current),
    problem,
    previous: pointer?.previous ?? null,
    second: pointer?.second ?? null,
    stopped: stopped ?? null,
    serving: isolate.keeper.state(),
    versions: versionsOf(keys, current).map(({ keys, ...version }) => version),
  };
}

/** The differences between two versions, as in `edgebid catalog diff --json`: the first changes, and how many more. */
async function changes({ env }: Call, query: URLSearchParams): Promise<object> {
  const [old, now] = [query.get("old"), query.get("new")];
  if (!old || !now) throw new Refusal("old, new: expected the names of two versions", 400);
  const [before, after] = [await documentOf(old, env), await documentOf(now, env)];
  const all = diff(before, after);
  const shown = all.slice(0, MAX_LISTED).map((change) => ({ ...change, at: null }));
  const plan = planOf(before, after, Date.now());
  return { old, new: now, errors: 0, changes: shown, more: all.length - shown.length, plan };
}

/**
 * The campaigns of a version that have all of the `words` in their document or their template, described in sentences,
 * with their creatives, and the version's SSPs.
 */
async function catalog(call: Call, query: URLSearchParams, served: Bidder | undefined): Promise<Listed> {
  if (served === undefined) throw new Refusal("there is no catalog yet", 503);
  const serving = servingOf(query.get("version"), served, call.isolate);
  const version = serving?.bidder.version ?? query.get("version") ?? "";
  const document = await documentOf(version, call.env);
  const { bidder } = serving ?? (await extraBidder(version, null, call));
  const all = entriesOf(document, "campaigns");
  const wanted = all.filter(containing(query.get("words") ?? "", document));
  const most = Math.min(MAX_LISTED, Math.max(1, Math.floor(MAX_DESCRIBED_BYTES / bidder.snapshotBytes)));
  const creatives = byId(document["creatives"], "crid");
  const campaigns = described(wanted.slice(0, most), document, creatives, bidder);
  const shown = new Set(campaigns.flatMap(({ creatives }) => creatives));
  return {
    version,
    ssps: entriesOf(document, "ssps").map(withoutSecrets),
    all: all.length,
    campaigns,
    more: wanted.length - campaigns.length,
    creatives: [...creatives].flatMap(([crid, entry]) => (shown.has(crid) ? [entry] : [])).slice(0, MAX_LISTED),
  };
}

/** Tells whether a campaign has all words, in any case. */
function containing(text: string, document: Entry): (campaign: Entry) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const templates = byId(document["templates"], "id");
  return (own) => {
    if (words.length === 0) return true;
    const whole = JSON.stringify(withTemplate(own, templates)).toLowerCase();
    return words.every((word) => whole.includes(word));
  };
}

function described(all: Entry[], document: Entry, creatives: Map<string, Entry>, bidder: Bidder): ListedCampaign[] {
  const templates = byId(document["templates"], "id");
  const describe = describerOf(bidder.snapshot());
  return all.map((own) => {
    const campaign = withTemplate(own, templates);
    const cid = String(own["cid"]);
    const crids = cridsOf(campaign);
    const text = (key: string) => (campaign[key] === undefined ? {} : { [key]: String(campaign[key]) });
    return {
      cid,
      ...text("name"),
      ...text("template"),
      ...text("budget_of"),
      paused: campaign["paused"] === true,
      capped: [campaign, ...crids.map((crid) => creatives.get(crid))].some((entry) => entry?.["caps"] !== undefined),
      shaded: campaign["shading"] !== undefined,
      sections: describe(cid),
      creatives: crids,
    };
  });
}

/** Describes campaigns with the module: `describe` in `crates/compiler-wasm/src/abi.rs`. */
function describerOf(snapshot: Uint8Array): (cid: string) => Section[] {
  const instance = new Instance<Compiling>(compiler);
  return (cid) => {
    const id = new TextEncoder().encode(cid);
    instance.put(snapshot, id);
    instance.exports.describe(snapshot.byteLength, id.byteLength);
    const report = instance.outputJson<{ sections: Section[] } | { error: string }>();
    return "error" in report ? [{ about: "cannot be told", sentences: [report.error] }] : report.sections;
  };
}

function entriesOf(document: Entry, list: string): Entry[] {
  const entries = document[list];
  return Array.isArray(entries) ? entries : [];
}

/** An entry of `creatives` is a `crid`, or an object with a weight. */
function cridsOf({ creatives }: Entry): string[] {
  const all: unknown[] = Array.isArray(creatives) ? creatives : [];
  return all.map((creative) => String(typeof creative === "object" ? (creative as Entry | null)?.["crid"] : creative));
}

/** With the hashes of tokens, somebody could try tokens offline, so the page gets only their number. */
function withoutSecrets({ credentials, ...ssp }: Entry): Entry {
  return Array.isArray(credentials) ? { ...ssp, credentials: credentials.length } : ssp;
}

/** The source of a version, or of the plain document that is served. Throws a {@link Refusal}. */
async function documentOf(version: string, env: Env): Promise<Entry> {
  const bytes = await bytesOf(version, env);
  if (bytes.byteLength > MAX_INSPECTED_BYTES) {
    const sizes = `has ${megabytes(bytes.byteLength)}, and the inspector reads at most ${megabytes(MAX_INSPECTED_BYTES)}`;
    throw new Refusal(
      `the source of ${version} ${sizes}; read it on your machine: npx edgebid catalog pull ${version}`,
      413,
    );
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Refusal(`the source of ${version} is not JSON: ${messageOf(error)}`, 404);
  }
}

async function bytesOf(version: string, env: Env): Promise<Uint8Array> {
  const current = await currentOf(await getPointer(env));
  if (current.stored && current.version === version && isDocument(current)) return current.stored;
  const place = await placeOf(env, version);
  if (place === null) throw new Refusal(`KV has no version ${version}`, 404);
  const bytes = await fetchDocument(env, place);
  if (bytes === null) throw new Refusal(`KV has no source of ${version}; its push was interrupted`, 404);
  return bytes;
}
