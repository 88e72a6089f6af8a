//! `npm run bench -- cookie`: finds the partner ids that fit into a browser's cookie, by binary search and by removing
//! one id at a time.
//!
//! Both ways use the Worker's encoder and must produce the same text. About 95 ids fit into 4,096 characters, so rows
//! with 10 and 50 ids show the cost if no id must be removed. Runs in Node. *allocated* is the growth of V8's young
//! generation during one call without a collection.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { analysis, checks, figures, type Row, table } from "./rows.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 3;
/** Both ways allocate much less than this in one call. */
const YOUNG_GENERATION_MB = 128;
const MEASURE = fileURLToPath(new URL("measure.ts", import.meta.url));

export const cookie: Suite = {
  name: "cookie",
  summary: "fitting partner ids into a cookie: encodes, time, memory with 10 to 500 ids",

  async run({ quick }) {
    const progress = new Progress();
    progress.show(0, 1, "both ways, with 10 to 500 ids");
    const young = [`--min-semi-space-size=${YOUNG_GENERATION_MB}`, `--max-semi-space-size=${YOUNG_GENERATION_MB}`];
    const args = ["--expose-gc", ...young, MEASURE, String(quick ? QUICK_ROUNDS : ROUNDS)];
    const output = execFileSync(process.execPath, args, { encoding: "utf8" });
    progress.end();
    const rows = output
      .trim()
      .split("\n")
      .map((line): Row => JSON.parse(line));
    return {
      checks: checks(rows),
      analysis: analysis(rows),
      figures: figures(rows),
      tables: [table(rows)],
      rows,
    };
  },
};
