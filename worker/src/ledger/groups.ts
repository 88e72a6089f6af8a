//! Adds up the rows of a report, with the names of campaigns, creatives and SSPs in place of their hashes.

import type { Names, Query, Total } from "./rows.ts";
import type { Sum } from "./sums.ts";

/** What a hash stands for. */
export type Named = "campaign" | "creative" | "ssp";

/** A hash and its name. `cur` and `zone` are of a campaign, otherwise empty. */
export interface Name {
  of: Named;
  hash: string;
  name: string;
  cur: string;
  zone: string;
}

/** Hashes whose names are wanted. */
export type Hashes = Record<Named, string[]>;

export function* namesIn(names: readonly Names[]): Generator<Name> {
  for (const { campaign, cid, creative, crid, ssp, sspId, cur, zone } of names) {
    yield { of: "campaign", hash: campaign, name: cid, cur, zone };
    yield { of: "creative", hash: creative, name: crid, cur: "", zone: "" };
    yield { of: "ssp", hash: ssp, name: sspId, cur: "", zone: "" };
  }
}

/** The names that are known of some hashes. */
export class Directory {
  readonly #names: Map<string, Name>;
  readonly #campaigns: Set<string>;

  /** `hashes` were asked for, and these are all names that are known. */
  constructor(hashes: Hashes, names: readonly Name[]) {
    this.#campaigns = new Set(hashes.campaign);
    this.#names = new Map(names.map((name) => [name.of + name.hash, name]));
  }

  /** Whether the name of this campaign was asked for. */
  asked(campaign: string): boolean {
    return this.#campaigns.has(campaign);
  }

  /** The name, or `#` and the hash if the name is unknown. Empty for an empty hash. */
  nameOf(of: Named, hash: string): string {
    return this.#names.get(of + hash)?.name ?? (hash && `#${hash}`);
  }

  zoneOf(campaign: string): string {
    return this.#names.get(`campaign${campaign}`)?.zone ?? "";
  }

  curOf(campaign: string): string {
    return this.#names.get(`campaign${campaign}`)?.cur ?? "";
  }
}

/** A sum of one day as a row of the report. */
export function totalOf(sum: Sum<number | string>, day: string, directory: Directory, { by }: Query): Total {
  const name = (of: Named) => (by.includes(of) ? directory.nameOf(of, sum[of]) : "");
  return {
    day: by.includes("day") ? day : "",
    campaign: name("campaign"),
    ssp: name("ssp"),
    creative: name("creative"),
    cur: sum.ownCur || directory.curOf(sum.campaign),
    kind: sum.kind,
    detail: sum.detail,
    count: sum.count,
    nanos: sum.ownNanos,
    usdNanos: sum.usdNanos,
  };
}

/** The groups of a report. */
export class Groups {
  readonly #held = new Map<string, Total>();

  add(total: Total): void {
    const { day, campaign, ssp, creative, cur, kind, detail } = total;
    const key = JSON.stringify([day, campaign, ssp, creative, cur, kind, detail]);
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#held.set(key, { ...total });
      return;
    }
    held.count += total.count;
    held.nanos += total.nanos;
    held.usdNanos += total.usdNanos;
  }

  /** The rows, by day, campaign, SSP, creative, currency, kind and detail. */
  sorted(): Total[] {
    const entries = [...this.#held].sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([, total]) => total);
  }
}
