//! The files of publishers and advertising systems in a folder, as `supply` of a catalog:
//!
//! ```text
//! sellers/SYSTEM/sellers.json   ads/DOMAIN/ads.txt   app-ads/BUNDLE/app-ads.txt
//! ```
//!
//! A file that cannot be used changes nothing: what the last list says of its domain stays.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../build/failure.mjs";
import { readInside } from "../../cli/input.ts";
import { dayAt } from "../../shared/time/days.ts";
import { EXAMPLE, readAdsTxt } from "./ads-txt.ts";
import { readSellers } from "./sellers.ts";

/** `supply` of a catalog. */
export interface Supply {
  date: string;
  max_age_days?: number;
  systems: { domain: string; sellers?: string[] }[];
  ads: string[];
  app_ads: string[];
}

/** A problem of a file. */
export interface Problem {
  file: string;
  message: string;
}

/** The most unreadable lines that a message names. */
const NAMED_LINES = 5;
/** The most accounts of a site or an app at the systems. The longest known files have some 2,000 lines for all systems. */
const MAX_ACCOUNTS = 20_000;
/** The most sites, apps and their accounts together: more would not fit into a catalog. */
const MAX_ENTRIES = 2_000_000;

/**
 * Reads the files for these systems. Their day is that of the newest file. `last`: the list before, whose entries stay
 * where a file cannot be used. Throws {@link Failure} if the folder has no files, or too many.
 */
export function readFiles(
  folder: string,
  domains: string[],
  last: Supply | undefined,
  progress: (done: number, note: string) => void,
): { supply: Supply; problems: Problem[] } {
  const problems: Problem[] = [];
  const numbers = new Map(domains.map((domain, number) => [domain, number]));
  const tell = (file: string, message: string) => problems.push({ file, message });
  let newest = 0;
  /** What a file says; why, if it cannot be used. */
  const read = <T>(file: string, reader: (bytes: Uint8Array) => T | string): T | string => {
    const bytes = readInside(folder, file);
    if (typeof bytes === "string") return bytes;
    newest = Math.max(newest, statSync(join(folder, file)).mtimeMs);
    return reader(bytes);
  };

  const systems = domains.map((domain) => {
    const file = `sellers/${domain}/sellers.json`;
    const old = last?.systems.find((system) => system.domain === domain)?.sellers;
    const own = existsSync(join(folder, file)) ? read(file, readSellers) : undefined;
    if (typeof own === "string") tell(file, own);
    const sellers = typeof own === "string" ? old : own;
    return { domain, ...(sellers?.length && { sellers }) };
  });

  const names = [namesIn(folder, "ads"), namesIn(folder, "app-ads")];
  const count = names.reduce((sum, { length }) => sum + length, 0);
  if (count === 0) throw new Failure(`${folder} has no ads/DOMAIN/ads.txt and no app-ads/BUNDLE/app-ads.txt`);
  let [done, entries] = [0, 0];
  const lists = (["ads", "app-ads"] as const).map((kind, at) => {
    const old = new Map((kind === "ads" ? last?.ads : last?.app_ads)?.map((line) => [nameOf(line), line]));
    const subdomains = new Map<string, string[]>();
    const all = (names[at] ?? []).flatMap((name) => {
      if (++done % 1000 === 0) progress(done / count, `${done} of ${count} files`);
      const file = `${kind}/${name}/${kind}.txt`;
      const content = read(file, readAdsTxt);
      const domain = name.toLowerCase();
      const refused = (message: string) => {
        tell(file, message);
        subdomains.set(domain, [...old.keys()]);
        return translated(old.get(domain), last, numbers);
      };
      if (typeof content === "string") return refused(content);
      const { lines, partners, unreadable } = content;
      if (unreadable.length > 0) tell(file, unreadableText(unreadable));
      subdomains.set(domain, content.subdomains);
      const accounts = lines.flatMap(({ system, sid, isDirect }) => {
        const number = numbers.get(system);
        return number === undefined ? [] : [`${number}${isDirect ? "D" : "R"}:${sid}`];
      });
      const own = new Set([...accounts, ...partners.map((partner) => `=${partner}`)]);
      if (own.size > MAX_ACCOUNTS) return refused(`${own.size} accounts; expected at most ${MAX_ACCOUNTS}`);
      entries += 1 + own.size;
      if (entries > MAX_ENTRIES) throw new Failure(`more than ${MAX_ENTRIES} sites, apps and accounts; expected fewer`);
      return [[domain, ...own].join(",")];
    });
    return kind === "ads" ? withoutUnnamed(all, subdomains, tell) : all;
  });
  const [ads = [], app_ads = []] = lists;
  return { supply: { date: dayAt(newest), systems, ads, app_ads }, problems };
}

/**
 * Without the subdomains that the file of their root domain does not name (ads.txt 1.1, `SUBDOMAIN`): a subdomain may
 * belong to somebody else. The root is the highest domain with a file.
 */
function withoutUnnamed(
  entries: string[],
  subdomains: Map<string, string[]>,
  tell: (file: string, message: string) => void,
): string[] {
  const all = new Map(entries.map((entry) => [nameOf(entry), entry]));
  const accounts = (entry = "") => entry.slice(nameOf(entry).length);
  return entries.filter((entry) => {
    const domain = nameOf(entry);
    const labels = domain.split(".");
    const above = labels.slice(1).map((_, at) => labels.slice(labels.length - 1 - at).join("."));
    const root = above.find((domain) => subdomains.has(domain));
    if (root === undefined || subdomains.get(root)?.includes(domain)) return true;
    // Many servers have the same file at all their names.
    if (accounts(entry) !== accounts(all.get(root)))
      tell(`ads/${domain}/ads.txt`, `the file of ${root} counts instead, because it has no SUBDOMAIN=${domain}`);
    return false;
  });
}

/** The site or the app of an entry. */
export function nameOf(entry: string): string {
  return entry.split(",", 1)[0] ?? "";
}

/** An entry of the last list, whose systems may have had other numbers. */
function translated(entry: string | undefined, last: Supply | undefined, numbers: Map<string, number>): string[] {
  if (entry === undefined) return [];
  const [name = "", ...accounts] = entry.split(",");
  const own = accounts.flatMap((account) => {
    if (account.startsWith("=")) return [account];
    const [, old = "", rest = ""] = /^(\d+)(.*)$/s.exec(account) ?? [];
    const number = numbers.get(last?.systems[Number(old)]?.domain ?? "");
    return number === undefined ? [] : [`${number}${rest}`];
  });
  return [[name, ...own].join(",")];
}

/** The folders that have a file of this kind, in the order of their names. */
function namesIn(folder: string, kind: "ads" | "app-ads"): string[] {
  const parent = join(folder, kind);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => !name.includes(",") && existsSync(join(parent, name, `${kind}.txt`)))
    .sort();
}

function unreadableText(lines: number[]): string {
  const named = lines.slice(0, NAMED_LINES).join(", ");
  const more = lines.length > NAMED_LINES ? ` and ${lines.length - NAMED_LINES} more` : "";
  return `line ${named}${more}: no account; expected a line such as ${EXAMPLE}`;
}
