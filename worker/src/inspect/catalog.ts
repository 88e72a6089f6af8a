//! `GET /inspect/api/catalog?version=&cid=`: the campaigns of a version in words, with their creatives, and its SSPs.

import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { MAX_DESCRIBED_BYTES, MAX_LISTED } from "../limits.ts";
import type { Bidder } from "../wasm/bidder.ts";
import { type Compiling, Instance } from "../wasm/instance.ts";
import { type Inspected, planFromKv, servingOf } from "./beside.ts";
import { documentOf } from "./documents.ts";
import type { Entry, Listed, ListedCampaign, Section } from "./listed.ts";

/** The campaigns whose id begins with `prefix`. Throws as {@link documentOf} and {@link planFromKv}. */
export async function catalog(
  name: string | null,
  prefix: string,
  served: Bidder,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  isolate: Pick<Inspected, "keeper" | "asked">,
): Promise<Listed> {
  const serving = servingOf(name, served, isolate);
  const version = serving?.bidder.version ?? name ?? "";
  const document = await documentOf(version, env);
  const bidder =
    serving?.bidder ??
    isolate.asked.of(version, ctx) ??
    (await isolate.asked.build(await planFromKv(version, env), ctx));
  const templates = byId(document, "templates", "id");
  const all = entriesOf(document, "campaigns");
  const wanted = all.filter(({ cid }) => String(cid).startsWith(prefix));
  const most = Math.min(MAX_LISTED, Math.max(1, Math.floor(MAX_DESCRIBED_BYTES / bidder.snapshotBytes)));
  const describe = describerOf(bidder.snapshot());
  const creatives = byId(document, "creatives", "crid");
  const campaigns = wanted.slice(0, most).map((own): ListedCampaign => {
    const campaign = { ...templates.get(String(own["template"])), ...own };
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
  const shown = new Set(campaigns.flatMap(({ creatives }) => creatives));
  return {
    version,
    ssps: entriesOf(document, "ssps").map(withoutSecrets),
    all: all.length,
    campaigns,
    more: wanted.length - campaigns.length,
    creatives: [...shown]
      .map((crid) => creatives.get(crid))
      .filter((entry) => entry !== undefined)
      .slice(0, MAX_LISTED),
  };
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

function byId(document: Entry, list: string, key: string): Map<string, Entry> {
  return new Map(entriesOf(document, list).map((entry) => [String(entry[key]), entry]));
}

/** A creative can stand for itself, or have a weight. */
function cridsOf({ creatives }: Entry): string[] {
  const all: unknown[] = Array.isArray(creatives) ? creatives : [];
  return all.map((creative) => String(typeof creative === "object" ? (creative as Entry | null)?.["crid"] : creative));
}

/** The hashes of tokens would let somebody try tokens elsewhere, so only their number is told. */
function withoutSecrets({ credentials, ...ssp }: Entry): Entry {
  return Array.isArray(credentials) ? { ...ssp, credentials: credentials.length } : ssp;
}
