//! `edgebid supply fetch`: gets ads.txt of the sites in recordings, and sellers.json of the catalog's exchanges.
//!
//! It gets no app-ads.txt: the file of an app is at the developer's domain, which only the page of the store tells.

import { print, done as success } from "../catalog/print.ts";
import { step } from "../catalog/progress.ts";
import { ownCatalog } from "../defaults.ts";
import { EXIT, Failure } from "../failure.mjs";
import { isObject, readInput } from "../input.ts";
import { MAX_BYTES } from "./ads-txt.ts";
import { crawl, type Get, isPublicName, type Target } from "./crawl.ts";
import { domainsOf } from "./domains.ts";
import { requestsIn } from "./recording.ts";

export interface FetchOptions {
  to: string;
  catalog?: string;
  system: string[];
  domains?: string;
  json?: boolean;
}

/** The longest known sellers.json has some 200 MB. */
const MAX_SELLERS_BYTES = 512 << 20;
/** The most failures that are printed. */
const NAMED = 10;

export async function fetchSupply(recordings: string[], options: FetchOptions, get: Get = fetch): Promise<void> {
  const { to, catalog = ownCatalog(), system, domains, json } = options;
  const listed = domains === undefined ? [] : new TextDecoder().decode(readInput(domains)).split(/\s+/);
  const named = new Set([...listed, ...(await sitesIn(recordings))].filter(Boolean));
  const sites = [...new Set([...named].flatMap(hostsOf))];
  const dropped = [...named].filter((name) => hostsOf(name).length === 0);
  if (sites.length === 0)
    throw new Failure("no site is named; expected a recording of requests from sites, or --domains");
  const targets: Target[] = [
    ...sites.map((host) => ({ host, path: "/ads.txt", file: `ads/${host}/ads.txt`, most: MAX_BYTES })),
    ...domainsOf(catalog, system).map((host) => {
      return { host, path: "/sellers.json", file: `sellers/${host}/sellers.json`, most: MAX_SELLERS_BYTES };
    }),
  ];
  const crawled = await step("getting the files", (progress) => crawl(to, targets, Date.now(), get, progress));
  const { failed } = crawled;
  const lines = [
    success(`${to}: ${crawled.new} new files, ${crawled.unchanged} as before, ${crawled.missing} hosts without one`),
    ...failed.slice(0, NAMED).map(({ host, message }) => `  ${host}: ${message}; a file from before stays`),
    ...(failed.length > NAMED ? [`  and ${failed.length - NAMED} more hosts; --json has all of them`] : []),
    ...(dropped.length > 0 ? [`  ${dropped.length} names are no public domains, such as ${dropped[0]}`] : []),
    `  next: npx edgebid supply compile ${to}`,
  ];
  print(json, crawled, lines.join("\n"));
  if (failed.length === targets.length) process.exitCode = EXIT.unreachable;
}

/**
 * The hosts that may have the file of a site: its domain without `www.`, and the domains above it, because a subdomain
 * without a file has that of its parent. Empty for what is no public domain.
 */
function hostsOf(site: string): string[] {
  const labels = site
    .toLowerCase()
    .replace(/^www\./, "")
    .split(".");
  const all = labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
  return isPublicName(all[0] ?? "") ? all : [];
}

/** The domains of the sites in recordings. */
async function sitesIn(paths: string[]): Promise<Set<string>> {
  const sites = new Set<string>();
  for await (const { request } of requestsIn(paths)) {
    const { site } = request;
    if (isObject(site) && typeof site["domain"] === "string") sites.add(site["domain"]);
  }
  return sites;
}
