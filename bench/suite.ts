//! What a suite is: something with a name that measures and reports. `run.ts` knows them all.

import type { Machine } from "./machine.ts";

export interface SuiteOptions {
  /** Few rounds: shows that it runs, not how fast it is. */
  quick: boolean;
  /** Further bodies to measure: JSON files, or folders of them. */
  bodies: string[];
  /** What of the load to do otherwise than usual. */
  load: LoadOptions;
}

export interface LoadOptions {
  /** Kinds of targets to drive; empty: all. */
  targets: string[];
  connections?: number | undefined;
  /** Requests a second of the open loop. */
  rate?: number | undefined;
  /** Seconds of one turn. */
  duration?: number | undefined;
}

/** What one run of a suite found; printed as it is with `--json`. */
export interface Report {
  suite: string;
  date: string;
  quick: boolean;
  machine: Machine;
  versions: Record<string, string>;
  /** Figures by the names that the project's goals have. */
  checks: Record<string, number>;
  /** What the figures say, in a sentence. */
  analysis: string;
  rows: object[];
}

export interface Suite {
  name: string;
  /** What it measures, for `--help`. */
  summary: string;
  run(options: SuiteOptions): Promise<Outcome>;
}

export interface Outcome {
  report: Report;
  /** The rows for people. */
  table: string;
  /** Files to keep in `results/` beside the report, by name. */
  pictures: Record<string, string>;
}
