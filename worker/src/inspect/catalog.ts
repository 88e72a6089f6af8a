//! `GET /inspect/api/catalog?version=&cid=`: the campaigns of a version in words, with their creatives, and its SSPs.

import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { MAX_DESCRIBED_BYTES, MAX_LISTED } from "../limits.ts";
import type { Bidder } from "../wasm/bidder.ts";
import { type Compiling, Instance } from "../wasm/instance.ts";
import { type Inspected, planFromKv, servingOf } from "./beside.ts";
import { type Document, documentOf } from "./documents.ts";

type Entry = Record<string, unknown>;

/** A campaign in sentences, as `edgebid catalog explain` tells it. */
export interface Section {
  about: string;
  sentences: string[];
}

/** One campaign of the answer. */
export interface ListedCampaign {
  cid: string;
  name?: string;
  template?: string;
  /** The order whose budget it spends. */
  budget_of?: string;
  paused: boolean;
  sections: Section[];
  /** The ids of its creatives. */
  creatives: string[];
}

/** The answer. Creatives are those of the listed campaigns, as the document has them. */
export interface Listed {
  version: string;
  ssps: Entry[];
  /** The campaigns of the whole catalog. */
  all: number;
  campaigns: ListedCampaign[];
  /** Campaigns with the wanted prefix that are not listed. */
  more: number;
  creatives: Entry[];
}

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
  const campaigns = wanted.slice(0, most).map((own): ListedCampaign => {
    const campaign = { ...templates.get(String(own["template"])), ...own };
    const cid = String(own["cid"]);
    const text = (key: string) => (campaign[key] === undefined ? {} : { [key]: String(campaign[key]) });
    return {
      cid,
      ...text("name"),
      ...text("template"),
      ...text("budget_of"),
      paused: campaign["paused"] === true,
      sections: describe(cid),
      creatives: cridsOf(campaign),
    };
  });
  const shown = new Set(campaigns.flatMap(({ creatives }) => creatives));
  const creatives = entriesOf(document, "creatives").filter(({ crid }) => shown.has(String(crid)));
  return {
    version,
    ssps: entriesOf(document, "ssps").map(withoutSecrets),
    all: all.length,
    campaigns,
    more: wanted.length - campaigns.length,
    creatives: creatives.slice(0, MAX_LISTED),
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

function entriesOf(document: Document, list: string): Entry[] {
  const entries = document[list];
  return Array.isArray(entries) ? entries : [];
}

function byId(document: Document, list: string, key: string): Map<string, Entry> {
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
