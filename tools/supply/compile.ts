//! `edgebid supply compile`: writes who may sell what into a catalog's folder, and says what has changed.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../build/failure.mjs";
import { oldSupplyFindings } from "../../cli/catalog/ended.ts";
import { done, findingsText, print } from "../../cli/catalog/print.ts";
import { step } from "../../cli/catalog/progress.ts";
import { assertFolder, saved } from "../../cli/catalog/save.ts";
import { ownCatalog } from "../../cli/defaults.ts";
import { isFolder, parsedJson } from "../../cli/input.ts";
import { countText } from "../../shared/compare/text.ts";
import { domainsOf } from "./domains.ts";
import { nameOf, type Problem, readFiles, type Supply } from "./files.ts";

export interface CompileOptions {
  catalog?: string;
  system: string[];
  maxAge?: number;
  json?: boolean;
}

const FILE = "supply.json";
/** The most problems that are printed. */
const NAMED = 10;

/** Writes `supply.json`. Throws `CatalogRefused`, and changes nothing, if the compiler refuses it. */
export async function compileSupply(folder: string, options: CompileOptions): Promise<void> {
  const { catalog = ownCatalog(), system, maxAge, json } = options;
  if (!isFolder(folder)) throw new Failure(`${folder} is a file; expected a folder with ads/DOMAIN/ads.txt`);
  assertFolder(catalog);
  const domains = domainsOf(catalog, system);
  const file = join(catalog, FILE);
  const last = existsSync(file) ? lastOf(file) : undefined;
  const { supply, problems } = await step("reading the files", async (progress) =>
    readFiles(folder, domains, last, progress),
  );
  const days = maxAge ?? last?.max_age_days;
  const whole = { ...supply, ...(days !== undefined && { max_age_days: days }) };
  const made = await step("compiling", () => saved(file, textOf(whole), catalog));
  const notes = [...made.notes, ...oldSupplyFindings(made.supply, Date.now())];
  const changes = last && changesOf(last, supply);
  print(
    json,
    { file, counts: countsOf(supply), changes, problems, findings: notes },
    textFor(file, supply, changes, problems, catalog) + findingsText(notes),
  );
}

/** The list before. Without it, what a file that cannot be used said would be lost. */
function lastOf(file: string): Supply {
  const { supply } = parsedJson<{ supply?: Partial<Supply> }>(readFileSync(file)) ?? {};
  const { date, systems, ads, app_ads } = supply ?? {};
  if (date && systems && ads && app_ads) return supply as Supply;
  throw new Failure(`${file} is not what supply compile writes; restore it, or delete it`);
}

/** JSON with a line for each site and app, so that a version control shows what has changed. */
function textOf({ systems, ads, app_ads, ...rest }: Supply): string {
  const list = (entries: unknown[]) => `[${entries.map((entry) => `\n${JSON.stringify(entry)}`).join(",")}]`;
  const head = JSON.stringify(rest).slice(1, -1);
  return `{"supply":{${head},"systems":${list(systems)},\n"ads":${list(ads)},\n"app_ads":${list(app_ads)}}}\n`;
}

function countsOf({ systems, ads, app_ads }: Supply) {
  const parts = [...ads, ...app_ads].flatMap((entry) => entry.split(",").slice(1));
  const accounts = parts.filter((part) => !part.startsWith("=")).length;
  const sellers = systems.reduce((sum, system) => sum + (system.sellers?.length ?? 0), 0);
  return { sites: ads.length, apps: app_ads.length, accounts, sellers };
}

/** How many sites and apps have gained or lost an authorised account of a system. */
function changesOf(before: Supply, after: Supply) {
  const [old, now] = [before, after].map(accountsOf) as [Map<string, Set<string>>, Map<string, Set<string>>];
  const more = (one: Map<string, Set<string>>, other: Map<string, Set<string>>) =>
    [...one].filter(([domain, accounts]) => [...accounts].some((account) => !other.get(domain)?.has(account))).length;
  return { since: before.date, lost: more(old, now), gained: more(now, old) };
}

/** The accounts of each site and app, with the domains of their systems. */
function accountsOf({ systems, ads, app_ads }: Supply): Map<string, Set<string>> {
  const named = (account: string) => account.replace(/^\d+/, (number) => `${systems[Number(number)]?.domain} `);
  const of = (kind: string, entries: string[]) =>
    entries.map((entry): [string, Set<string>] => {
      return [`${kind} ${nameOf(entry)}`, new Set(entry.split(",").slice(1).map(named))];
    });
  return new Map([...of("site", ads), ...of("app", app_ads)]);
}

function textFor(
  file: string,
  supply: Supply,
  changes: ReturnType<typeof changesOf> | undefined,
  problems: Problem[],
  catalog: string,
): string {
  const { sites, apps, accounts, sellers } = countsOf(supply);
  const missing = supply.systems.filter((system) => system.sellers === undefined).map(({ domain }) => domain);
  const since =
    changes && `  since ${changes.since}: ${changes.lost} have lost an account, ${changes.gained} have a new one`;
  return [
    done(
      `${file}: ${countText(sites, "site")} and ${countText(apps, "app")} with ${countText(accounts, "account")}; ${sellers} in sellers.json`,
    ),
    ...(since ? [since] : []),
    ...(missing.length > 0 ? [`  no sellers.json of ${missing.join(", ")}: the types of its sellers are unknown`] : []),
    ...problems.slice(0, NAMED).map(({ file, message }) => `  ${file}: ${message}`),
    ...(problems.length > NAMED ? [`  and ${problems.length - NAMED} more files; --json has all of them`] : []),
    `  to see what a push of it changes: npx edgebid catalog diff ${catalog} --local (or --remote)`,
  ].join("\n");
}
