//! The interface of a suite. `run.ts` lists the suites. The report, the comparison and the table in docs/performance.md
//! use only this interface.

import type { Chart } from "./bars.ts";
import type { Machine } from "./machine.ts";
import type { Table } from "./rows.ts";

export interface Suite {
  name: string;
  /** What the suite measures, for `--help` and the report. */
  summary: string;
  /** Crates whose versions the result names. */
  crates?: string[];
  /** Whether it runs only if it is named. */
  isLong?: true;
  run(options: SuiteOptions): Promise<Findings>;
}

export interface SuiteOptions {
  /** Whether to run few rounds, which shows that the suite runs, but not how fast anything is. */
  quick: boolean;
  /** Additional bodies to measure: JSON files, or folders of them. */
  bodies: string[];
  /** Settings of the load that differ from the defaults. */
  load: LoadOptions;
}

/** The options that only some suites have; `run.ts` says what each does. A list that is empty means all. */
export interface LoadOptions {
  targets: string[];
  worlds: string[];
  connections?: number;
  rate?: number;
  duration?: number;
  delay?: number;
  campaigns?: number;
  auctions?: string;
  minutes?: number;
}

/** The result of one run. Additional members are stored as they are. */
export interface Findings {
  /** Numbers by the names that goals use. */
  checks: Record<string, number>;
  /** The numbers that `compare` compares. */
  figures: Figure[];
  /** Tables for people, in this order. */
  tables: Table[];
  /** Charts, by the name of the file. */
  charts?: Record<string, Chart>;
  /** What the tables are made of. It is printed, and not stored. */
  rows: object[];
  [more: string]: unknown;
}

/** Something measured in every round. Ratios within a round differ less from run to run than times do. */
export interface Figure {
  name: string;
  unit: string;
  better: "less" | "more";
  /** One value per round. */
  rounds: number[];
}

/** A file in `results/`: the findings with the machine and versions. */
export interface Report extends Findings {
  suite: string;
  summary: string;
  date: string;
  quick: boolean;
  machine: Machine;
  versions: Record<string, string>;
  /** SVG, by file name. */
  pictures: Record<string, string>;
}
