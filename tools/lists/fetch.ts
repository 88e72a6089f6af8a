//! `edgebid lists fetch`: gets the values of a catalog's lists from the URLs that their texts name.
//!
//! A list that cannot be got, that is not what its text expects, or with which the catalog cannot be used, stays as it is.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure, reasonOf } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import { headLines, headOf, idOf, listsIn, saidBy, valuesOf } from "../../cli/catalog/list-text.ts";
import { done, print } from "../../cli/catalog/print.ts";
import { step } from "../../cli/catalog/progress.ts";
import { assertFolder, savedAll } from "../../cli/catalog/save.ts";
import { ownCatalog } from "../../cli/defaults.ts";
import { CatalogRefused } from "../../shared/catalog/compile.ts";
import { changedBy, MOST_CHANGED } from "../../shared/compare/lists.ts";
import { countText } from "../../shared/compare/text.ts";
import { dayAt } from "../../shared/time/days.ts";
import { type Get, getPublic } from "../web/get.ts";
import { conditions, got, type Tags, tagsOf } from "../web/got.ts";
import { assertHash, MAX_BYTES, readValues } from "./values.ts";

export interface FetchOptions {
  catalog?: string;
  anyChange?: boolean;
  json?: boolean;
}

/** What became of a list. */
interface Fetched {
  list: string;
  /** How many values it has now, and how many are new or gone. */
  values: number;
  added: number;
  removed: number;
  /** Why it stays as it is, or null. */
  failure: string | null;
}

/** A list to fetch, with its former text. */
interface Target {
  list: string;
  /** Its path in the catalog's folder. */
  name: string;
  text: string;
}

/** The new text of a list. */
interface New {
  name: string;
  text: string;
}

const HEADERS = { "user-agent": "edgebid-lists", accept: "text/plain, text/csv, application/gzip, */*" };
const MAX_HASH_BYTES = 4096;
/** What the fetch itself writes into the head. */
const OWN = ["fetched", "etag", "modified"];

export async function fetchLists(
  names: string[],
  { catalog = ownCatalog(), anyChange = false, json }: FetchOptions,
  get: Get = getPublic,
): Promise<void> {
  assertFolder(catalog);
  const targets = targetsIn(catalog, names);
  const fetched: Fetched[] = [];
  const drafts = new Map<Fetched, New>();
  await step("getting the lists", async (progress) => {
    for (const target of targets) {
      const former = new Set(valuesOf(target.text).map(({ value }) => value));
      const one: Fetched = { list: target.list, values: former.size, added: 0, removed: 0, failure: null };
      fetched.push(one);
      try {
        const { text, values } = await textOf(target, get);
        const change = changedBy(former, values);
        if (former.size > 0 && change.part > MOST_CHANGED && !anyChange) throw new Error(changeText(change));
        Object.assign(one, { values: values.size, added: change.added, removed: change.removed });
        drafts.set(one, { name: target.name, text });
      } catch (error) {
        one.failure = reasonOf(error);
      }
      progress(fetched.length / targets.length, `${fetched.length} of ${targets.length} lists`);
    }
  });
  await step("compiling", () => write(drafts, catalog));
  const failed = fetched.filter(({ failure }) => failure !== null);
  const lines = [
    ...fetched.map(lineOf),
    ...(failed.length < fetched.length ? [`  next: npx edgebid catalog push`] : []),
  ];
  print(json, fetched, lines.join("\n"));
  if (failed.length > 0) process.exitCode = EXIT.found;
}

/** Writes the texts with which the catalog can be used. If it cannot be used without them either, nothing is written. */
async function write(drafts: Map<Fetched, New>, catalog: string): Promise<void> {
  try {
    const all = [...drafts.values()].map(({ name, text }) => ({ file: join(catalog, name), text }));
    if (all.length > 0) await savedAll(all, catalog);
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    const faults = [...drafts].flatMap(([fetched, { name }]) => {
      const found = error.findings.find(({ path }) => path.startsWith(name));
      return found ? [{ fetched, found }] : [];
    });
    if (faults.length === 0) throw error;
    for (const { fetched, found } of faults) {
      fetched.failure = `${found.path}: ${found.message}`;
      drafts.delete(fetched);
    }
    await write(drafts, catalog);
  }
}

/** The lists with a URL; all, or those with these names. */
function targetsIn(catalog: string, names: string[]): Target[] {
  const all = listsIn(catalog).map((name) => ({
    list: idOf(name),
    name,
    text: readFileSync(join(catalog, name), "utf8"),
  }));
  const withUrl = all.filter(({ text }) => headOf(text).has("url"));
  const help = page("push.md#lists-that-stay-fresh");
  const missing = names.find((name) => !withUrl.some(({ list }) => list === name));
  const expected = `expected a line "# url: https://…": ${help}`;
  if (missing !== undefined) throw new Failure(`${catalog} has no lists/${missing}.txt with a URL; ${expected}`);
  if (withUrl.length === 0) throw new Failure(`no list in ${join(catalog, "lists")} has a URL; ${expected}`);
  return names.length > 0 ? withUrl.filter(({ list }) => names.includes(list)) : withUrl;
}

/** The new text of a list, and its values. Throws in words if there is none. */
async function textOf({ text }: Target, get: Get): Promise<{ text: string; values: Set<string> }> {
  const head = headOf(text);
  const { hostname, href } = urlIn(head.get("url") ?? "");
  const known: Tags = { etag: head.get("etag") ?? "", modified: head.get("modified") ?? "" };
  const {
    status,
    head: answer,
    body,
  } = await got(href, hostname, { ...HEADERS, ...conditions(known) }, MAX_BYTES, get);
  if (status !== 200 && status !== 304) throw new Error(`status ${status}`);
  const isSame = status === 304;
  if (!isSame) await assertOwnHash(head.get("sha256"), body, get);
  const values = isSame ? valuesOf(text).map(({ value }) => value) : readValues(body, head.get("column"));
  const kept = headLines(text).filter((line) => !OWN.includes(saidBy(line)?.[0] ?? ""));
  const own = Object.entries({ fetched: dayAt(Date.now()), ...(isSame ? known : tagsOf(answer)) });
  const said = own.filter(([, value]) => value !== "").map(([name, value]) => `# ${name}: ${value}`);
  return { text: [...kept, ...said, ...values, ""].join("\n"), values: new Set(values) };
}

async function assertOwnHash(expected: string | undefined, body: Uint8Array, get: Get): Promise<void> {
  if (expected === undefined) return;
  if (!expected.startsWith("https:")) return assertHash(body, expected);
  const { hostname, href } = urlIn(expected);
  const { status, body: text } = await got(href, hostname, HEADERS, MAX_HASH_BYTES, get);
  if (status !== 200) throw new Error(`sha256: status ${status}`);
  assertHash(body, new TextDecoder().decode(text).trim());
}

function urlIn(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.port !== "" || url.username !== "")
    throw new Error(`${JSON.stringify(text.slice(0, 200))} is no URL; expected https:// with a public name`);
  return url;
}

function changeText({ added, removed }: { added: number; removed: number }): string {
  return `${countText(added, "new value")} and ${removed} gone; use --any-change if that is meant`;
}

function lineOf({ list, values, added, removed, failure }: Fetched): string {
  if (failure !== null) return `✗ ${list}: ${failure}; the list stays as it is`;
  return done(`${list}: ${countText(values, "value")}, ${added} new, ${removed} gone`);
}
