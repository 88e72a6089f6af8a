//! Makes a campaign from the answers of a person, and writes it with its creative into a catalog.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../build/failure.mjs";
import { answersTo, PRICES, type Question } from "../ask.ts";
import { compiledAside } from "../catalog/compiling.ts";
import { done, findingsText, print } from "../catalog/print.ts";
import { saved } from "../catalog/save.ts";
import { sourceOf } from "../catalog/source.ts";
import { isYaml } from "../catalog/yaml.ts";
import { ownCatalog } from "../defaults.ts";
import { isFolder } from "../input.ts";
import { jsonText } from "../json-text.ts";
import { withEntry } from "./insert.ts";

/** Options of the command. The others are answers. */
export type NewOptions = { catalog?: string; json?: boolean } & Record<string, unknown>;

const URL_FORM = /^https:\/\/[^\s"'<>]+$/;
const AMOUNT = /^\d+(\.\d{1,6})?$/;

const QUESTIONS = {
  cid: { option: "CID", text: "id of the campaign", form: /^[\w.-]+$/, example: "shoes-winter" },
  seat: { option: "--seat", text: "the buyer's seat at the exchange", form: /^\S+$/, example: "agency-1" },
  domain: {
    option: "--domain",
    text: "the advertiser's domain",
    form: /^[^\s/:]+\.[^\s/:]+$/,
    example: "shop.example",
  },
  ...PRICES,
  zone: {
    option: "--zone",
    text: "time zone of its days",
    usual: Intl.DateTimeFormat().resolvedOptions().timeZone,
    form: /^\S+$/,
    example: "Europe/Berlin",
  },
  daily: { option: "--daily", text: "budget for a day", usual: "50", form: AMOUNT, example: "50" },
  cap: {
    option: "--cap",
    text: "how often a person may see it, or none",
    usual: "3/day",
    form: /^(none|\d+\/(hour|day|week|lifetime))$/,
    example: "3/day",
  },
  size: { option: "--size", text: "size of its banner", usual: "300x250", form: /^\d+x\d+$/, example: "300x250" },
  click: { option: "--click", text: "where the banner leads", form: URL_FORM, example: "https://shop.example/winter" },
  image: {
    option: "--image",
    text: "picture of the banner",
    form: URL_FORM,
    example: "https://cdn.shop.example/w.png",
  },
} satisfies Record<string, Question>;

/** Adds a campaign to the catalog. Throws `CatalogRefused`, and changes nothing, if the compiler refuses it. */
export async function newCampaign(cid: string | undefined, options: NewOptions): Promise<void> {
  const { catalog = ownCatalog(), json } = options;
  const before = sourceOf(catalog);
  const known = (await compiledAside(before)).notes;
  const answers = await answersTo(QUESTIONS, { ...options, cid }, json ? null : undefined);
  const entries = entriesOf(answers);
  const file = isFolder(catalog) ? join(catalog, `${answers["cid"]}.json`) : catalog;
  if (file !== catalog && existsSync(file)) throw new Failure(`${file} exists; name the campaign otherwise`);
  const { notes } = await saved(file, textWith(file, entries), catalog);
  const own = notes.filter(({ message }) => known.every((other) => other.message !== message));
  const text = `added ${answers["cid"]} to ${file}${findingsText(own)}
  to see what it does: npx edgebid catalog explain ${answers["cid"]} --catalog ${catalog}
  to serve it on this machine: npx edgebid catalog push ${catalog} --local`;
  print(json, { file, ...entries, findings: own }, done(text));
}

/** The new text of a file. A catalog's folder gets a file for each campaign, which must be new. */
function textWith(file: string, entries: Record<string, object[]>): string {
  if (!existsSync(file)) return `${jsonText(entries)}\n`;
  return Object.entries(entries).reduce(
    (text, [list, [entry]]) => withEntry(text, list, entry, isYaml(file)),
    readFileSync(file, "utf8"),
  );
}

/** The entries of the catalog's lists. */
function entriesOf(answers: Record<string, string>): Record<string, object[]> {
  const { cid = "", seat, domain, country = "", cur, cpm, zone, daily, cap = "", size = "", click, image } = answers;
  const crid = `${cid}-${size}`;
  const [w, h] = size.split("x").map(Number);
  const [n, per] = cap.split("/");
  const adm = `<a href="${click}"><img src="${image}" width="${w}" height="${h}" alt=""></a>`;
  return {
    creatives: [{ crid, banner: { w, h, adm } }],
    campaigns: [
      {
        ...{ cid, seat, adomain: [domain] },
        ...(cur !== "USD" && { cur }),
        ...{ max_cpm: cpm, budget: { daily } },
        ...(cap !== "none" && { caps: [{ n: Number(n), per }] }),
        target: { zone, country: { include: country.split(",") } },
        creatives: [crid],
      },
    ],
  };
}
