//! `npm run bench -- cookie`: finds the partner ids that fit into a browser's cookie, by binary search and by removing
//! one id at a time.
//!
//! Both ways use the Worker's encoder and must produce the same text. About 95 ids fit into 4,096 characters, so rows
//! with 10 and 50 ids show the cost if no id must be removed. Runs in Node. *allocated* is the growth of V8's young
//! generation during one call without a collection.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { timeColumns, timeFigures } from "../ratios.ts";
import { fact, find, type Row, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { kilobytes, whole } from "../units.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 3;
/** Both ways allocate much less than this in one call. */
const YOUNG_GENERATION_MB = 128;
const MEASURE = fileURLToPath(new URL("measure.ts", import.meta.url));
const BASE = "one at a time";

export const cookie: Suite = {
  name: "cookie",
  summary: "fitting partner ids into a cookie: encodes, time, memory with 10 to 500 ids",

  async run({ quick }) {
    const young = [`--min-semi-space-size=${YOUNG_GENERATION_MB}`, `--max-semi-space-size=${YOUNG_GENERATION_MB}`];
    const args = ["--expose-gc", ...young, MEASURE, String(quick ? QUICK_ROUNDS : ROUNDS)];
    const rows: Row[] = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    const encodes = find(rows, "edgebid, binary search", "500 ids").facts["encodes"] ?? Number.NaN;
    return {
      checks: { "cookie.encodes_500": encodes },
      figures: timeFigures(rows, BASE, 1),
      tables: [
        table("the partner ids that fit into 4,096 characters", rows, [
          ["kept", fact("kept"), whole],
          ["encodes", fact("encodes"), whole],
          ...timeColumns(rows, BASE),
          ["allocated", fact("allocated_bytes"), kilobytes],
        ]),
      ],
      rows,
    };
  },
};
