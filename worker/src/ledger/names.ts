//! The names of campaigns, creatives and SSPs in place of their hashes.

import type { Names, Query, Total } from "./rows.ts";
import { type Sum, Sums } from "./sums.ts";

/** What a hash names. */
export type Named = "campaign" | "creative" | "ssp";

/** A hash and its name. Only campaigns have `cur` and `zone`; otherwise they are empty. */
export type Name = { of: Named; hash: string; name: string; cur: string; zone: string };

export function namesIn({ campaign, cid, creative, crid, ssp, sspId, cur, zone }: Names): Name[] {
  return [
    { of: "campaign", hash: campaign, name: cid, cur, zone },
    { of: "creative", hash: creative, name: crid, cur: "", zone: "" },
    { of: "ssp", hash: ssp, name: sspId, cur: "", zone: "" },
  ];
}

/** The names that are known. */
export class Directory {
  readonly #names: ReadonlyMap<string, Name>;

  constructor(names: readonly Name[]) {
    this.#names = new Map(names.map((name) => [name.of + name.hash, name]));
  }

  /** The time zone of a campaign; empty if it has none, or is unknown. */
  zoneOf(campaign: string): string {
    return this.#names.get(`campaign${campaign}`)?.zone ?? "";
  }

  /** A sum of one day as a row of a report. An unknown name is `#` and the hash. */
  totalOf(sum: Sum<number | string>, day: string, { by }: Query): Total {
    const { kind, detail, count, ownCur, ownNanos: nanos, usdNanos } = sum;
    const nameOf = (of: Named) => {
      const hash = by.includes(of) ? sum[of] : "";
      return this.#names.get(of + hash)?.name ?? (hash && `#${hash}`);
    };
    const [campaign, ssp, creative] = [nameOf("campaign"), nameOf("ssp"), nameOf("creative")];
    const cur = ownCur || (this.#names.get(`campaign${sum.campaign}`)?.cur ?? "");
    return { day: by.includes("day") ? day : "", campaign, ssp, creative, cur, kind, detail, count, nanos, usdNanos };
  }
}

/** The rows of a report: by day, campaign, SSP, creative, currency, kind and detail. */
export function newTotals(): Sums<Total> {
  const keys = ["day", "campaign", "ssp", "creative", "cur", "kind", "detail"] as const;
  return new Sums(keys, ["nanos", "usdNanos"]);
}
