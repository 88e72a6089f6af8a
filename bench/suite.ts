//! What a suite is: something with a name that measures and finds. `run.ts` knows them all; the report, the
//! comparison and the table in the README know none of them, only what is in here.

import type { Machine } from "./machine.ts";

export interface Suite {
  name: string;
  /** What it measures, for `--help` and the report. */
  summary: string;
  /** Crates whose versions belong to the result. */
  crates?: string[];
  run(options: SuiteOptions): Promise<Findings>;
  /** Pictures of it, SVG by file name. */
  pictures?(result: Result): Record<string, string>;
}

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
  /** Milliseconds of the network between client and server, there and back. */
  delay?: number | undefined;
}

/** What one run found. Further members are kept in the result as they are. */
export interface Findings {
  /** Figures by the names that the project's goals have. */
  checks: Record<string, number>;
  /** What the figures say, in a sentence. */
  analysis: string;
  /** What another run can be compared with. */
  figures: Figure[];
  /** For people, in their order. */
  tables: Table[];
  rows: object[];
  [more: string]: unknown;
}

/** Something measured in every round. Ratios within a round compare better between runs than times do. */
export interface Figure {
  name: string;
  unit: string;
  better: "less" | "more";
  /** One value a round. */
  rounds: number[];
}

export interface Table {
  title: string;
  columns: string[];
  /** A row that is a string is a heading of its own. */
  rows: (string[] | string)[];
}

/** What was found, and where: one line with `--json`. */
export interface Result extends Findings {
  suite: string;
  summary: string;
  date: string;
  quick: boolean;
  machine: Machine;
  versions: Record<string, string>;
}

/** A file in `results/`. */
export interface Report extends Result {
  /** SVG, by file name. */
  pictures: Record<string, string>;
}
