//! `edgebid replay --fail-if`: limits of how far the second catalog's figures may be from those of the first.

import { InvalidArgumentError } from "commander";
import { Failure } from "../../build/failure.mjs";
import { decimal, nanosOf, rounded } from "../../shared/report/decimal.ts";
import type { OfCatalog, Result } from "./result.ts";

/** A limit: `bids`, `spend` in each currency, or a reason why there is no bid, with the change that is too much. */
export interface Limit {
  figure: string;
  isAbove: boolean;
  /** The change in billionths of a per cent; negative if the figure falls. */
  percent: bigint;
}

/** Reads a limit such as `spend > +10%`, `bids < -5%` or `floor > 20%`, and adds it to those before. */
export function limit(text: string, before: Limit[] = []): Limit[] {
  const [, figure = "", sign, number = ""] = /^\s*([\w-]+)\s*([<>])\s*\+?(-?[\d.]+)\s*%\s*$/.exec(text) ?? [];
  const percent = nanosOf(number);
  if (percent === null) throw new InvalidArgumentError('expected a change of a figure such as "spend > +10%"');
  return [...before, { figure, isAbove: sign === ">", percent }];
}

/**
 * What breaks the limits, a line each. If a recording is cut off or nothing bids, the limits say nothing, and that is the
 * line. `reasons` are all no-bid reasons. Throws {@link Failure} for a figure that does not exist.
 */
export function broken({ catalogs, problems }: Result, limits: Limit[], reasons: readonly string[]): string[] {
  const [a, b] = catalogs;
  if (limits.length === 0) return [];
  if (!a || !b) throw new Failure("--fail-if compares two catalogs; give --catalog twice");
  const cut = problems.map(
    ({ file, line, why }) => `${file}: cut off after line ${line} (${why}), so the limits say nothing`,
  );
  if (cut.length > 0) return cut;
  const nothing = "neither catalog bids on any of these requests, so the limits say nothing";
  if (a.bids + b.bids === 0) return [`${nothing}; replay requests that get bids`];
  return limits.flatMap(({ figure, isAbove, percent }) => {
    const pairs = figuresOf(figure, a, b, reasons);
    return pairs.flatMap(([name, before, after]) => {
      const [change, most] = [(after - before) * 100_000_000_000n, percent * before];
      if (isAbove ? change <= most : change >= most) return [];
      const moved = before === 0n ? "" : `, ${change < 0n ? "" : "+"}${rounded(change, before * 1_000_000_000n, 1)} %`;
      const wanted = `${isAbove ? "at most" : "at least"} ${percent < 0n ? "" : "+"}${decimal(percent)} %`;
      return [`${name}: ${decimal(before)} → ${decimal(after)}${moved}; expected ${wanted}`];
    });
  });
}

/** The values of a figure in both catalogs, in billionths. */
function figuresOf(
  figure: string,
  a: OfCatalog,
  b: OfCatalog,
  reasons: readonly string[],
): [name: string, before: bigint, after: bigint][] {
  const count = (value = 0) => nanosOf(`${value}`) ?? 0n;
  if (figure === "bids") return [[figure, count(a.bids), count(b.bids)]];
  if (figure === "spend") {
    const all = [...new Set([a, b].flatMap(({ spend }) => Object.keys(spend)))];
    const amount = ({ spend }: OfCatalog, cur: string) => nanosOf(spend[cur] ?? "0") ?? 0n;
    return all.map((cur) => [`spend in ${cur}`, amount(a, cur), amount(b, cur)]);
  }
  const counted = Object.keys({ ...a.no_bids, ...b.no_bids });
  // Without requests of a reason, its count is 0.
  if (!counted.includes(figure) && !reasons.includes(figure)) {
    const known = ["bids", "spend", ...counted].join(", ");
    throw new Failure(`no figure is named ${figure}; these requests have ${known}`);
  }
  return [[`no bid: ${figure}`, count(a.no_bids[figure]), count(b.no_bids[figure])]];
}
