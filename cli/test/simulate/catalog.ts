//! The catalogs of a simulated world, and what an operator does with them: push, stop and resume.

import { createHash } from "node:crypto";
import { compile } from "../../../shared/catalog/compile.ts";
import { POINTER_KEY, partKeys, pointerBytes } from "../../../shared/catalog/pointer.ts";
import { compiler } from "../../module.ts";
import type { Kv } from "./platform/kv.ts";

/** What the judges have to know of a campaign. Requests name it by the width of their banner. */
export interface Campaign {
  cid: string;
  width: number;
  /** Minutes by which its days begin earlier than those of UTC. */
  offset: number;
  zone?: string;
  /** The zone in the variant `larger`, if that is another one. */
  moved?: { zone: string; offset: number };
  /** A budget for a day or for all days, in nanos for each impression: 1 is a billionth of a dollar. */
  budget?: { daily?: bigint; total?: bigint };
  /** The order whose budget it spends. */
  order?: string;
  pacing?: string;
  /** The deals under which it bids too; whether it has agreed to bid on each request of a deal. */
  deals?: { id: string; guaranteed?: true }[];
  /** How often a person may see it in an hour, and what counts. */
  cap?: { n: number; on: "bid" | "bill" };
}

/** Nanos of a dollar, and of the price of all bids: 5 dollars for a thousand. */
export const DOLLAR = 1_000_000_000n;
export const PRICE = 5_000_000n;

/** A campaign that bids on a part of its requests, some dozens of times in an hour. */
export const SPREAD: Campaign = {
  ...{ cid: "spread", width: 310, offset: 0, budget: { daily: DOLLAR * 10n }, pacing: "even" },
};

export const CAMPAIGNS: readonly Campaign[] = [
  { cid: "free", width: 300, offset: 330, zone: "Asia/Kolkata" },
  {
    ...{ cid: "asap", width: 301, offset: 0, budget: { daily: DOLLAR / 2n }, pacing: "asap" },
    deals: [{ id: "of-asap" }],
  },
  { cid: "even", width: 302, offset: 780, zone: "Pacific/Auckland", budget: { daily: DOLLAR / 2n }, pacing: "even" },
  {
    ...{ cid: "moving", width: 306, offset: 0, moved: { zone: "Asia/Tokyo", offset: 540 } },
    ...{ budget: { daily: DOLLAR / 2n }, pacing: "asap" },
  },
  { cid: "total", width: 303, offset: 0, budget: { total: DOLLAR }, pacing: "asap", deals: [{ id: "of-total" }] },
  { cid: "capped", width: 304, offset: 0, cap: { n: 2, on: "bid" } },
  { cid: "shown", width: 305, offset: 0, cap: { n: 2, on: "bill" } },
  { cid: "first", width: 307, offset: 0, order: "order", deals: [{ id: "of-first" }] },
  { cid: "second", width: 308, offset: 0, order: "order" },
  {
    ...{ cid: "agreed", width: 309, offset: 0, budget: { daily: DOLLAR / 10n }, pacing: "asap" },
    deals: [{ id: "guaranteed", guaranteed: true }, { id: "of-agreed" }],
  },
  SPREAD,
];

/** A budget: its campaign or order, and the campaigns that spend it. */
export interface Owner {
  id: string;
  budget: { daily?: bigint; total?: bigint };
  pacing: string;
  members: Campaign[];
}

const ORDER = { id: "order", budget: { daily: DOLLAR / 2n }, pacing: "asap" };

export const OWNERS: readonly Owner[] = [
  ...CAMPAIGNS.flatMap((campaign) => {
    const { cid: id, budget, pacing = "asap" } = campaign;
    return budget ? [{ id, budget, pacing, members: [campaign] }] : [];
  }),
  { ...ORDER, members: CAMPAIGNS.filter(({ order }) => order === ORDER.id) },
];

export function isPaced(campaign: Campaign): boolean {
  return OWNERS.some(({ members }) => members.includes(campaign));
}

/** The exchanges, with the currency of their auctions. The second one may bill late. */
export const SSPS = [
  { id: "prompt", cur: "USD" },
  { id: "tardy", cur: "USD" },
  { id: "euro", cur: "EUR" },
] as const;

/** The exchange that cheats in some worlds. Its pages bill too. */
export const HOSTILE = { id: "hostile", cur: "USD" } as const;

/** Cents that a euro costs. The campaigns pay in dollars. */
const CENTS: Record<Variant, bigint> = { plain: 125n, budgets: 125n, larger: 120n, fewer: 125n };
export const [LEAST_CENTS, MOST_CENTS] = [CENTS.larger, CENTS.plain];

/** The prices of bids in a currency, in its nanos, by the rates of all variants. */
export const PRICES: Record<(typeof SSPS)[number]["cur"], bigint[]> = {
  USD: [PRICE],
  EUR: Object.values(CENTS).map((cents) => (PRICE * 100n) / cents),
};

/** With or without budgets, with budgets that are larger, and without {@link LEAVING}. */
export type Variant = "plain" | "budgets" | "larger" | "fewer";

/** The campaign of the order that the variant `fewer` lacks. */
export const LEAVING = "second";

function campaignsOf(variant: Variant): readonly Campaign[] {
  return CAMPAIGNS.filter(({ cid }) => variant !== "fewer" || cid !== LEAVING);
}

/** By how much budgets are larger in the variant `larger`, in per cent. */
const LARGER = 110n;

export function budgetOf({ budget }: Pick<Owner, "budget">, variant: Variant): bigint {
  const nanos = budget.daily ?? budget.total ?? 0n;
  return variant === "larger" ? (nanos * LARGER) / 100n : nanos;
}

/** The minutes by which the days of a campaign begin earlier than those of UTC. */
export function offsetOf({ offset, moved }: Campaign, variant: Variant): number {
  return variant === "larger" && moved ? moved.offset : offset;
}

interface Version {
  version: string;
  document: Uint8Array;
  snapshot: Uint8Array;
  zones: string | null;
}

const versions = new Map<Variant, Version>();

function versionOf(variant: Variant): Version {
  let made = versions.get(variant);
  if (made === undefined) {
    const document = new TextEncoder().encode(JSON.stringify(documentOf(variant)));
    const { snapshot, zones } = compile(document, compiler);
    const version = createHash("sha256").update(snapshot).digest("hex").slice(0, 16);
    made = { version, document, snapshot, zones };
    versions.set(variant, made);
  }
  return made;
}

function documentOf(variant: Variant): object {
  const isPlain = variant === "plain";
  // A number is an amount in millionths.
  const amounts = (owner: Pick<Owner, "budget">) => ({
    [owner.budget.daily ? "daily" : "total"]: Number(budgetOf(owner, variant) / 1000n),
  });
  return {
    ...{ format: 1, privacy: { bid_unregistered: false } },
    rates: [{ cur: "EUR", usd: `${Number(CENTS[variant]) / 100}` }],
    ssps: [
      ...SSPS.map(({ id }) => ({ id, tmax: 1000 })),
      { id: HOSTILE.id, tmax: 1000, billing: "both", one_bid_per_imp: true },
    ],
    ...(isPlain ? {} : { orders: [{ id: ORDER.id, pacing: ORDER.pacing, budget: amounts(ORDER) }] }),
    creatives: campaignsOf(variant).map(({ cid, width }) => ({ crid: cid, banner: { w: width, h: 250, adm: "<p>" } })),
    campaigns: campaignsOf(variant).map((campaign) => {
      const { cid, budget, cap, pacing, moved, order, deals } = campaign;
      const zone = variant === "larger" && moved ? moved.zone : campaign.zone;
      return {
        ...{ cid, seat: "s", adomain: ["shop.example"], max_cpm: "5", creatives: [cid] },
        ...(zone && { target: { zone } }),
        ...(budget && !isPlain && { budget: amounts({ budget }), pacing }),
        ...(order && !isPlain && { budget_of: order }),
        ...(deals && { deals }),
        ...(cap && { caps: [{ n: cap.n, per: "hour" }], cap_on: cap.on }),
      };
    }),
  };
}

/** The operator, who changes what KV holds. */
export class Operator {
  readonly #kv: Kv;
  variant: Variant = "plain";
  /** The variant that answers half of the requests. */
  #second: Variant | null = null;
  #stopped: string[] = [];

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  /** The version that is served. */
  get version(): string {
    return versionOf(this.variant).version;
  }

  /** Pushes a variant; with `isSecond`, for half of the requests. */
  push(variant: Variant, isSecond: boolean, now: number): void {
    [this.variant, this.#second] = isSecond ? [this.variant, variant] : [variant, null];
    const { version, document, snapshot } = versionOf(variant);
    // Another build may have to compile the document.
    this.#kv.put(partKeys(version, "document", 1)[0] as string, document);
    this.#kv.put(partKeys(version, "snapshot", 1)[0] as string, snapshot);
    this.#point(now);
  }

  /** Stops these campaigns, and resumes all others. */
  stop(cids: string[], now: number): void {
    this.#stopped = cids;
    this.#point(now);
  }

  #point(now: number): void {
    const stopped = this.#stopped.length > 0 ? { stopped: { cids: this.#stopped } } : {};
    const split = { mode: "split", share: 50 } as const;
    const second = this.#second === null ? {} : { second: { ...manifestOf(this.#second), ...split } };
    const pushed = { pushed: new Date(now).toISOString(), previous: null, earlier: [] };
    this.#kv.put(
      POINTER_KEY,
      pointerBytes({ format: 1, ...manifestOf(this.variant), ...pushed, ...second, ...stopped }),
    );
  }
}

function manifestOf(variant: Variant) {
  const { version, zones } = versionOf(variant);
  return { version, parts: 1, campaigns: campaignsOf(variant).length, ...(zones && { zones }) };
}
