//! `GET /inspect/api/…`: answers the inspector's questions about the versions in KV: which versions there are, what
//! their campaigns do, and how two of them differ.

import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { concat, megabytes } from "../../../shared/bytes.ts";
import { currentOf, isDocument, servedBefore, versionsOf } from "../../../shared/catalog/listing.ts";
import { VERSIONS_PREFIX } from "../../../shared/catalog/pointer.ts";
import { diff } from "../../../shared/compare/diff.ts";
import { byId, type Entry, idsIn, withTemplate } from "../../../shared/compare/entry.ts";
import { planOf } from "../../../shared/compare/plan.ts";
import { MAX_DESCRIBED, MAX_INSPECTED_BYTES, MAX_LISTED, MAX_LISTED_FROM } from "../../../shared/limits.ts";
import type { First, Listed, ListedCampaign, Section } from "../../../shared/operator/answers.ts";
import { messageOf, Refusal } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { type Compiling, Instance } from "../../../shared/wasm/instance.ts";
import { documentPieces, getPointer, manifestOf } from "../catalog/versions.ts";
import { Entries } from "../formats/entries.ts";
import { json, wholeOf } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { extraBidder, refusalOf, servingOf } from "./bidders.ts";

/** Answers a question with this part of the query. */
type Answer = (call: Call, query: URLSearchParams, served: Bidder | undefined) => Promise<object>;

const ANSWERS: Readonly<Record<string, Answer>> = { versions, catalog, diff: changes, first };

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
  const all = versionsOf(keys, current);
  return {
    kv: env.LOCAL_KV ?? null,
    served: version,
    plain: isDocument(current),
    problem,
    previous: servedBefore(current, all)[0] ?? null,
    left: pointer?.left ?? null,
    second: pointer?.second ?? null,
    stopped: stopped ?? null,
    serving: isolate.keeper.state(),
    versions: all.map(({ keys, ...version }) => version),
  };
}

/** What the view of requests opens with: the request of the folder that `npm start` serves, and the SSPs. */
async function first({ env }: Call, _: URLSearchParams, served: Bidder | undefined): Promise<First> {
  return { request: env.REQUEST ?? null, ssps: served?.ssps ?? [] };
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
 * The campaigns of a version that have all of the `words` in their document or their template, or the one with the id
 * `campaign`: a part of them `from` a number on, described in sentences, with their creatives, and the version's SSPs.
 *
 * The document is read three times as a stream, because a large one does not fit into memory beside the bidders: its
 * templates first, then its campaigns, then the creatives of those that are listed.
 */
async function catalog(call: Call, query: URLSearchParams, served: Bidder | undefined): Promise<Listed> {
  if (served === undefined) throw new Refusal("there is no catalog yet", 503);
  const from = wholeOf(query, "from", 0, 0, MAX_LISTED_FROM);
  const serving = servingOf(query.get("version"), served, call.isolate);
  const version = serving?.bidder.version ?? query.get("version") ?? "";
  const pieces = await sourceOf(version, call.env);
  const [templated, ssps, creatives, found]: [Entry[], Entry[], Entry[], Entry[]] = [[], [], [], []];
  await eachEntry(pieces(), ["templates", "ssps"], (entry, list) => {
    (list === "ssps" ? ssps : templated).push(JSON.parse(entry));
  });
  const templates = byId(templated, "id");
  const isWanted = wanted(query, templates);
  let [all, matching] = [0, 0];
  await eachEntry(pieces(), ["campaigns"], (entry) => {
    all++;
    if (!isWanted(entry)) return;
    if (matching >= from && found.length < MAX_DESCRIBED) found.push(JSON.parse(entry));
    matching++;
  });
  const shown = new Set(found.flatMap((own) => idsIn(withTemplate(own, templates)["creatives"], "crid")));
  await eachEntry(pieces(), ["creatives"], (entry) => {
    const creative: Entry = JSON.parse(entry);
    if (shown.has(String(creative["crid"]))) creatives.push(creative);
  });
  const { bidder } = serving ?? (await extraBidder(version, null, call));
  return {
    kv: call.env.LOCAL_KV ?? null,
    version,
    ssps: ssps.map(withoutSecrets),
    all,
    found: matching,
    campaigns: described(found, templates, byId(creatives, "crid"), bidder),
    creatives,
  };
}

/** Returns a test for the campaigns that the query asks for. The test takes the JSON text of a campaign. */
function wanted(query: URLSearchParams, templates: Map<string, Entry>): (entry: string) => boolean {
  const cid = query.get("campaign");
  if (cid !== null) return (entry) => String(JSON.parse(entry).cid) === cid;
  const words = (query.get("words") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (entry) => {
    // A text with escapes is written anew without them. Parsing all would take three times as long.
    const own = templates.size > 0 || entry.includes("\\") ? withTemplate(JSON.parse(entry), templates) : null;
    const text = (own ? JSON.stringify(own) : entry).toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Calls `visit` with each entry of these lists. */
async function eachEntry(
  pieces: AsyncIterable<Uint8Array>,
  lists: readonly string[],
  visit: (entry: string, list: string) => void,
): Promise<void> {
  const entries = new Entries(lists);
  for await (const piece of pieces) for (const [list, entry] of entries.push(piece)) visit(entry, list);
}

function described(
  all: Entry[],
  templates: Map<string, Entry>,
  creatives: Map<string, Entry>,
  bidder: Bidder,
): ListedCampaign[] {
  const cids = all.map(({ cid }) => String(cid));
  const sections = cids.length === 0 ? [] : sectionsOf(cids, bidder.snapshot());
  return all.map((own, n) => {
    const campaign = withTemplate(own, templates);
    const crids = idsIn(campaign["creatives"], "crid");
    const text = (key: string) => (campaign[key] === undefined ? {} : { [key]: String(campaign[key]) });
    return {
      cid: cids[n] ?? "",
      ...text("name"),
      ...text("template"),
      ...text("budget_of"),
      paused: campaign["paused"] === true,
      capped: [campaign, ...crids.map((crid) => creatives.get(crid))].some((entry) => entry?.["caps"] !== undefined),
      shaded: campaign["shading"] !== undefined || campaign["learn_shading"] === true,
      sections: sections[n] ?? [],
      creatives: crids,
    };
  });
}

/** The campaigns in sentences: `describe` in `crates/compiler-wasm/src/abi.rs`. */
function sectionsOf(cids: string[], snapshot: Uint8Array): Section[][] {
  const instance = new Instance<Compiling>(compiler);
  const ids = new TextEncoder().encode(cids.join("\n"));
  instance.put(snapshot, ids);
  instance.exports.describe(snapshot.byteLength, ids.byteLength);
  const reports = new TextDecoder().decode(instance.output()).split("\n");
  return reports.map((report) => {
    const { sections, error }: { sections?: Section[]; error?: string } = JSON.parse(report);
    return sections ?? [{ about: "cannot be told", sentences: [error ?? ""] }];
  });
}

/** With the hashes of tokens, somebody could try tokens offline, so the page gets only their number. */
function withoutSecrets({ credentials, ...ssp }: Entry): Entry {
  return Array.isArray(credentials) ? { ...ssp, credentials: credentials.length } : ssp;
}

/** Reads the source of a version in pieces, each time from its start. Throws a {@link Refusal}. */
async function sourceOf(version: string, env: Env): Promise<() => AsyncIterable<Uint8Array<ArrayBuffer>>> {
  const current = await currentOf(await getPointer(env));
  const { stored } = current;
  if (stored && current.version === version && isDocument(current)) {
    return async function* () {
      yield stored;
    };
  }
  const manifest = await manifestOf(env, version);
  if (manifest === null) throw new Refusal(`KV has no version ${version}`, 404);
  return () => documentPieces(env, manifest);
}

/** The source of a version, or of the plain document that is served. Throws a {@link Refusal}. */
async function documentOf(version: string, env: Env): Promise<Entry> {
  const bytes = await bytesOf(version, env);
  if (bytes.byteLength > MAX_INSPECTED_BYTES) {
    const sizes = `has ${megabytes(bytes.byteLength)}, and the inspector compares at most ${megabytes(MAX_INSPECTED_BYTES)}`;
    throw new Refusal(`the source of ${version} ${sizes}; compare on your machine: npx edgebid catalog diff`, 413);
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Refusal(`the source of ${version} is not JSON: ${messageOf(error)}`, 404);
  }
}

async function bytesOf(version: string, env: Env): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of (await sourceOf(version, env))()) pieces.push(piece);
  return concat(pieces);
}
