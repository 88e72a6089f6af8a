//! Reads a message of the Deal Sync API 1.0, `deal1.0.md` of the IAB Tech Lab: a deal, or a question about one. Says all
//! that is wrong with it. Does not judge whether the deal is a good one.
//!
//! Attributes that the specification does not have are kept as they are, because later versions will have more.

import { MAX_DEAL_DEPTH, MAX_DEAL_ENTRIES, MAX_DEAL_PROBLEMS, MAX_DEAL_TEXT } from "../limits.ts";

/** `terms` of a deal. */
export interface Terms {
  startdate?: string;
  enddate?: string;
  countries?: string[];
  dealfloor?: number;
  cur?: string;
  guar?: number;
  pricetype?: number;
  units?: number;
  totalcost?: number;
  ext?: object;
}

/** `inventory` of a deal. */
export interface Inventory {
  inclinventory?: number[];
  devicetype?: number[];
  sellerids?: string[];
  sitedomains?: string[];
  appbundles?: string[];
  cat?: string[];
  cattax?: number;
  ext?: object;
}

/** A deal as its seller describes it, without attributes that are null or empty texts. */
export interface Deal {
  id: string;
  name?: string;
  created?: string;
  /** 0 active, 1 paused, 2 pending, 3 complete, 4 archived. Default 0. */
  sellerstatus?: number;
  origin: string;
  seller?: string;
  desc?: string;
  wseat?: string[];
  bseat?: string[];
  adtypes?: number[];
  auxdata?: number;
  pubcount?: number;
  dinventory?: number;
  terms: Terms;
  inventory?: Inventory;
  curation?: { curator?: string; cdealid?: string; curfeetype?: number; ext?: object };
  ext?: { updated?: unknown };
}

/** A question about a deal. Without `origin`, only one origin may have this id. */
export interface Question {
  id: string;
  origin?: string;
}

export const ARCHIVED = 4;
const DAY_MS = 86_400_000;

/** Notes what is wrong with a value. */
type Check = (value: unknown, path: string, problems: string[]) => void;

const expected =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (value, path, problems) => {
    if (!holds(value)) problems.push(`${path}: ${(JSON.stringify(value) ?? "nothing").slice(0, 60)}; expected ${what}`);
  };
const isText = (value: unknown) => typeof value === "string" && value.length <= MAX_DEAL_TEXT && !/\p{Cc}/u.test(value);
const text = expected(`a text of 1 to ${MAX_DEAL_TEXT} characters without line breaks`, isText);
const spelled = (what: string, form: RegExp) => expected(what, (value) => isText(value) && form.test(String(value)));
const domain = spelled("a domain such as exchange.example", /^[\w-]+(\.[\w-]+)+$/);
const between = (least: number, most: number, isWhole = true) =>
  expected(`a${isWhole ? " whole" : ""} number from ${least} to ${most}`, (value) => {
    return typeof value === "number" && value >= least && value <= most && (!isWhole || Number.isInteger(value));
  });
const time = expected("an ISO-8601 time from 2000 to 2099, such as 2026-12-01T00:00:00Z", (value) => {
  return /^20\d\d-/.test(String(value)) && timeOf(value) !== undefined;
});
const listOf =
  (check: Check): Check =>
  (value, path, problems) => {
    if (!Array.isArray(value) || value.length > MAX_DEAL_ENTRIES) {
      const what = Array.isArray(value) ? `${value.length} entries` : "no list";
      problems.push(`${path}: ${what}; expected a list of at most ${MAX_DEAL_ENTRIES}`);
    } else for (const [at, one] of value.entries()) check(one, `${path}[${at}]`, problems);
  };
const objectOf =
  (members: Record<string, Check>, required: string[] = []): Check =>
  (value, path, problems) => {
    if (!isObject(value)) return void problems.push(`${path || "the body"}: no object`);
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    for (const name of required) if (!(name in value)) problems.push(`${at(name)}: missing`);
    for (const [name, check] of Object.entries(members)) {
      if (Object.hasOwn(value, name)) check(value[name], at(name), problems);
    }
  };

const TERMS: Record<keyof Terms, Check> = {
  startdate: time,
  enddate: time,
  countries: listOf(spelled("a country as three letters, such as DEU", /^[A-Z]{3}$/)),
  dealfloor: between(0, 1e6, false),
  cur: spelled("a currency as three letters, such as USD", /^[A-Z]{3}$/),
  guar: between(0, 1),
  pricetype: expected(
    "0 to 3, or a number from 500 on",
    (value) => [0, 1, 2, 3].includes(Number(value)) || Number(value) >= 500,
  ),
  units: between(0, 1e12),
  totalcost: between(0, 1e9, false),
  ext: objectOf({}),
};
const INVENTORY: Record<keyof Inventory, Check> = {
  inclinventory: listOf(between(1, 6)),
  devicetype: listOf(between(0, 1000)),
  sellerids: listOf(text),
  sitedomains: listOf(domain),
  appbundles: listOf(text),
  cat: listOf(text),
  cattax: between(1, 1000),
  ext: objectOf({}),
};
const DEAL: Record<keyof Deal, Check> = {
  ...{ id: text, name: text, created: time, sellerstatus: between(0, ARCHIVED), origin: domain, seller: domain },
  ...{ desc: text, wseat: listOf(text), bseat: listOf(text), adtypes: listOf(between(1, 4)) },
  ...{ auxdata: between(0, 4), pubcount: between(0, 2), dinventory: between(0, 2) },
  terms: objectOf(TERMS),
  inventory: objectOf(INVENTORY),
  curation: objectOf({ curator: domain, cdealid: text, curfeetype: between(0, 4), ext: objectOf({}) }),
  ext: objectOf({}),
};
const deal = objectOf(DEAL, ["id", "origin", "terms"]);
const question = objectOf({ id: text, origin: domain }, ["id"]);

/** A deal, a question, or what is wrong with the message. `now`: milliseconds since the epoch. */
export function messageIn(body: Uint8Array, now: number): { deal: Deal } | { question: Question } | string[] {
  let value: unknown;
  try {
    value = plain(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body)), 0);
  } catch (error) {
    return [error instanceof RangeError ? error.message : "the body is no JSON in UTF-8"];
  }
  const isQuestion = isObject(value) && Object.keys(value).every((name) => ["id", "origin", "version"].includes(name));
  const problems: string[] = [];
  (isQuestion ? question : deal)(value, "", problems);
  if (problems.length > 0) return some(problems);
  if (isQuestion) return { question: value as unknown as Question };
  const sent = value as Deal;
  const { startdate, enddate } = sent.terms;
  if (startdate && enddate && timeOf(enddate) <= timeOf(startdate)) problems.push("terms.enddate: not after startdate");
  if (sent.wseat?.length && sent.bseat?.length) problems.push("bseat: besides wseat; expected only one of the two");
  if (updatedAt(sent) > now + DAY_MS) problems.push("ext.updated: more than a day ahead of now");
  return problems.length > 0 ? problems : { deal: sent };
}

/** An ISO-8601 time in milliseconds since the epoch, in UTC if it names no zone; undefined if it is none. */
export function timeOf(text: string): number;
export function timeOf(text: unknown): number | undefined;
export function timeOf(text: unknown): number | undefined {
  const form = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;
  const [whole = "", year, month, day, clock, , , zone] = form.exec(String(text)) ?? [];
  // `Date.parse` takes 31 February for 3 March.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined;
  const ms = Date.parse(clock && !zone ? `${whole}Z` : whole);
  return Number.isNaN(ms) ? undefined : ms;
}

/** When the seller made this version of the deal, in milliseconds since the epoch; 0 if it does not say. */
export function updatedAt({ ext }: Deal): number {
  return timeOf(ext?.updated) ?? 0;
}

/** What the buyer has agreed to: the deal without its state and its texts for people. Equal terms have equal texts. */
export function termsText({ sellerstatus, name, desc, created, ext, ...terms }: Deal): string {
  return JSON.stringify(terms);
}

/** The value with sorted names and without nulls and empty texts, so that equal messages have equal texts. */
function plain(value: unknown, depth: number): unknown {
  if (depth > MAX_DEAL_DEPTH) throw new RangeError(`the body is nested more than ${MAX_DEAL_DEPTH} deep`);
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1));
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null && one !== "");
  return Object.fromEntries(
    given.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, plain(one, depth + 1)]),
  );
}

function some(problems: string[]): string[] {
  const more = problems.length - MAX_DEAL_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MAX_DEAL_PROBLEMS), `and ${more} more`] : problems;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
