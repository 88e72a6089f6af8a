//! `edgebid supply fetch`: gets ads.txt of the sites in recordings, and sellers.json of the catalog's exchanges.
//!
//! It gets no app-ads.txt: the file of an app is at the developer's domain, which only the page of the store tells.

import { EXIT, Failure } from "../../build/failure.mjs";
import { print, done as success } from "../../cli/catalog/print.ts";
import { step } from "../../cli/catalog/progress.ts";
import { ownCatalog } from "../../cli/defaults.ts";
import { isObject, readInput } from "../../cli/input.ts";
import { countText } from "../../shared/compare/text.ts";
import { isPublicName } from "../web/addresses.ts";
import { type Get, getPublic } from "../web/get.ts";
import { MAX_BYTES } from "./ads-txt.ts";
import { crawl, type Target } from "./crawl.ts";
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
/** The most hosts of one run: a publisher can name any number of subdomains in its requests. */
const MAX_HOSTS = 100_000;
/** The most failures that are printed. */
const NAMED = 10;

export async function fetchSupply(recordings: string[], options: FetchOptions, get: Get = getPublic): Promise<void> {
  const { to, catalog = ownCatalog(), system, domains, json } = options;
  const listed = domains === undefined ? [] : new TextDecoder().decode(readInput(domains)).split(/\s+/);
  const named = [...new Set([...listed.filter(Boolean), ...(await sitesIn(recordings))])];
  const dropped = named.filter((name) => hostsOf(name).length === 0);
  const { sites, left } = hostsFor(named);
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
    ...(dropped.length > 0
      ? [`  no public domain, so left out: ${countText(dropped.length, "name")}, such as ${dropped[0]}`]
      : []),
    ...(left > 0 ? [`  ${left} hosts with the fewest requests are left out`] : []),
    `  next: npx edgebid supply compile ${to}`,
  ];
  print(json, crawled, lines.join("\n"));
  if (failed.length === targets.length) process.exitCode = EXIT.unreachable;
}

/** The hosts that may have the files of these sites, in their order, and how many more there are. */
export function hostsFor(sites: string[]): { sites: string[]; left: number } {
  const hosts = [...new Set(sites.flatMap(hostsOf))];
  return { sites: hosts.slice(0, MAX_HOSTS), left: Math.max(0, hosts.length - MAX_HOSTS) };
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

/**
 * The domains of the sites in recordings, and of inventory partners, those with the most requests first. A line counts
 * `one_in` times.
 */
async function sitesIn(paths: string[]): Promise<string[]> {
  const sites = new Map<string, number>();
  for await (const { request, oneIn = 1 } of requestsIn(paths)) {
    const [site, app] = [request["site"], request["app"]].map((channel) => (isObject(channel) ? channel : {}));
    for (const domain of [site?.["domain"], site?.["inventorypartnerdomain"], app?.["inventorypartnerdomain"]])
      if (domain && typeof domain === "string") sites.set(domain, (sites.get(domain) ?? 0) + oneIn);
  }
  return [...sites].sort(([, one], [, two]) => two - one).map(([domain]) => domain);
}
