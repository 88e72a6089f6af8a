//! The names of campaigns, creatives and SSPs in place of their hashes.

import {
  DIMENSIONS,
  type Dimension,
  HASH_DIGITS,
  type Names,
  QUARTER_SECONDS,
  type Query,
  type Total,
  VERSIONS,
} from "../../../shared/ledger/rows.ts";
import { type Sum, Sums } from "../../../shared/ledger/sums.ts";
import { PAGE_TOTALS } from "../../../shared/limits.ts";

/** What a hash names. */
export type Named = "campaign" | "creative" | "ssp";

export function isNamed(dimension: Dimension): dimension is Named {
  return ["campaign", "creative", "ssp"].includes(dimension);
}

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

  /** A sum of one day, or of one quarter of it, as a row of a report. An unknown name is `#` and the hash. */
  totalOf(sum: Sum<string> & { quarter?: number }, { by }: Query): Total {
    const { period: day, quarter, kind, count, ownCur, ownNanos: nanos, usdNanos } = sum;
    const [detail = "", arm = 0] = sum.detail.split("/");
    const version = (by.includes("version") && VERSIONS[Number(arm)]) || "";
    const hour = by.includes("hour") && quarter !== undefined ? hourAt(quarter) : "";
    const nameOf = (of: Named) => {
      const hash = by.includes(of) ? sum[of] : "";
      return this.#names.get(of + hash)?.name ?? (hash && `#${hash}`);
    };
    const [campaign, ssp, creative] = [nameOf("campaign"), nameOf("ssp"), nameOf("creative")];
    const cur = ownCur || (this.#names.get(`campaign${sum.campaign}`)?.cur ?? "");
    const group = { day: by.includes("day") ? day : "", hour, campaign, ssp, creative, version, cur };
    return { ...group, kind, detail, count, nanos, usdNanos };
  }
}

function hourAt(quarter: number): string {
  return `${new Date(quarter * QUARTER_SECONDS * 1000).toISOString().slice(0, 13)}:00Z`;
}

/**
 * The rows of a report from the sums of its days, sorted. For a part of the campaigns, even all of them, null if there
 * are too many for one answer; without a part, all.
 */
export function totalsOf(
  sums: Iterable<Sum<string> & { quarter?: number }>,
  directory: Directory,
  query: Query,
  part: string | undefined,
): Total[] | null {
  const totals = newTotals();
  const most = part === undefined || part.length === HASH_DIGITS ? Number.POSITIVE_INFINITY : PAGE_TOTALS;
  for (const sum of sums) {
    const total = directory.totalOf(sum, query);
    if (query.campaign !== undefined && total.campaign !== query.campaign) continue;
    if (!totals.add(total, most)) return null;
  }
  return totals.sorted();
}

/** The rows of a report: by its dimensions, currency, kind and detail. */
function newTotals(): Sums<Total> {
  return new Sums([...DIMENSIONS, "cur", "kind", "detail"], ["nanos", "usdNanos"]);
}
