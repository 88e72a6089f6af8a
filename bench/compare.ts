//! `npm run bench -- compare A B`: finds the figures that changed between two results by more than noise.
//!
//! The test is Mann–Whitney on the values of the rounds; it assumes no distribution. Holm's method keeps the chance of
//! any false report at {@link ALPHA}, for any number of figures. Rounds of one run are more alike than two runs are, so
//! a change below {@link MIN_CHANGE} is not reported either.

import { existsSync } from "node:fs";
import { Failure } from "../build/process.mjs";
import { read } from "./results.ts";
import { holm, median, rankTest } from "./statistics.ts";
import type { Figure, Report } from "./suite.ts";
import { asText } from "./table.ts";
import { digits } from "./units.ts";

export const ALPHA = 0.05;
export const MIN_CHANGE = 0.05;

/** A figure that both results have. `before` and `after` are the medians of its rounds. */
export interface Compared {
  suite: string;
  name: string;
  unit: string;
  before: number;
  after: number;
  /** The change as a share: 0.1 means 10 % more. */
  change: number;
  p: number;
  verdict: "better" | "worse" | "same";
}

type Measured = Pick<Report, "suite" | "figures">;

export function compare(paths: string[], json: boolean): string {
  const [a, b, ...rest] = paths;
  if (!a || !b || rest.length > 0) throw new Failure("compare takes two results: two files or two folders");
  const missing = [a, b].find((path) => !existsSync(path));
  if (missing !== undefined) throw new Failure(`${missing} does not exist`);
  return comparison(read(a), read(b), json);
}

/** What changed between two results, for people or as JSON. */
export function comparison(before: Report[], after: Report[], json: boolean): string {
  const compared = differences(before, after);
  return json ? `${JSON.stringify(compared)}\n` : text(before, after, compared);
}

/** All figures that both results have, in the order of the first result. */
export function differences(before: Measured[], after: Measured[]): Compared[] {
  const pairs = before.flatMap(({ suite, figures }) => {
    const others = after.find((report) => report.suite === suite)?.figures ?? [];
    return figures.flatMap((figure) => {
      const other = others.find(({ name, unit }) => name === figure.name && unit === figure.unit);
      return other && comparable(figure) && comparable(other) ? [{ suite, figure, other }] : [];
    });
  });
  const ps = pairs.map(({ figure, other }) => rankTest(figure.rounds, other.rounds));
  const isSignificant = holm(ps, ALPHA);
  return pairs.map(({ suite, figure: { name, unit, better, rounds }, other }, at) => {
    const [before, after] = [median(rounds), median(other.rounds)];
    const change = after / before - 1;
    const isChange = isSignificant[at] === true && Math.abs(change) >= MIN_CHANGE;
    const verdict = isChange ? (change < 0 === (better === "less") ? "better" : "worse") : "same";
    return { suite, name, unit, before, after, change, p: ps[at] ?? 1, verdict };
  });
}

function comparable({ rounds }: Figure): boolean {
  return rounds.length > 0 && rounds.every((value) => Number.isFinite(value) && value > 0);
}

function text(before: Report[], after: Report[], compared: Compared[]): string {
  if (compared.length === 0) return "the two results share no figure\n";
  const changed = compared.filter(({ verdict }) => verdict !== "same");
  const suites = [...new Set(compared.map(({ suite }) => suite))];
  const rows = suites.flatMap((suite) => {
    const ofSuite = changed.filter((one) => one.suite === suite);
    ofSuite.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
    const heading = `${suite}, ${ofSuite.length} of ${compared.filter((one) => one.suite === suite).length} changed`;
    return [heading, ...ofSuite.map(line)];
  });
  const columns = ["figure", "before", "after", "change", "", "unit", "p"];
  const title = `from ${commits(before)} to ${commits(after)}`;
  return `${asText({ title, columns, rows })}\n\n${explanation(before, after, compared)}\n`;
}

function line({ name, unit, before, after, change, p, verdict }: Compared): string[] {
  const percent = `${change < 0 ? "−" : "+"}${digits(Math.abs(100 * change))} %`;
  return [name, digits(before), digits(after), percent, verdict, unit, p.toExponential(0)];
}

function explanation(before: Report[], after: Report[], compared: Compared[]): string {
  const least = Math.min(...[...before, ...after].flatMap(({ figures }) => figures.map(({ rounds }) => rounds.length)));
  const smallest = 2 / choose(2 * least, least);
  const few =
    smallest > ALPHA / compared.length
      ? `\nSome figures have ${least} rounds: too few for a significant change among ${compared.length} figures; run without --quick.`
      : "";
  const load = [before, after].map((reports) => reports.map(({ machine }) => machine.load).join(", "));
  return (
    `A figure changed if its rounds differ significantly (Mann–Whitney, exact, two-sided; Holm over all ${compared.length} figures, ` +
    `alpha ${ALPHA}) and its medians by ${100 * MIN_CHANGE} % or more.${few}\n` +
    `Load of the machine before the suites: ${load[0]} and ${load[1]}. Load affects ratios less than times. Repeat a surprising result.`
  );
}

function choose(of: number, count: number): number {
  let choices = 1;
  for (let at = 1; at <= count; at++) choices = (choices * (of - count + at)) / at;
  return choices;
}

function commits(reports: Report[]): string {
  return [...new Set(reports.map(({ versions, date }) => `${versions["commit"]} (${date.slice(0, 10)})`))].join(", ");
}
