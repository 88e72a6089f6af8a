//! Measures two ways to find the ids that fit into a cookie, and prints their rows as JSON. The argument is the number
//! of rounds. Start it with `--expose-gc` and a young generation so large that V8 collects nothing while allocations
//! are counted.

import { GCProfiler } from "node:v8";
import { Random } from "../../tools/traffic/random.ts";
import { firstThatFit } from "../../worker/src/cookies/fitting.ts";
import { decode, encodeAll, longestFirst, type PartnerId } from "../../worker/src/cookies/partner-ids.ts";
import { batch, type Plan, warm } from "../measure.ts";
import { newRow, push, type Row } from "../rows.ts";
import { takeTurns } from "../turns.ts";

type Encode = (ids: readonly PartnerId[]) => string;

/** Takes ids in the order of preference and keeps as many as fit. */
type Search = (ids: readonly PartnerId[], limit: number, encode: Encode) => string;

const SEARCHES: Record<string, Search> = {
  "edgebid, binary search": (ids, limit, encode) => firstThatFit(ids, limit, encode).text,

  "one at a time": (ids, limit, encode) => {
    const rest = ids.slice();
    let text = encode(rest);
    while (text.length > limit) {
      rest.pop();
      text = encode(rest);
    }
    return text;
  },
};

/** The most characters of a cookie that a browser stores. */
const LIMIT = 4096;
const COUNTS = [10, 50, 100, 500];
const WARM_MS = 250;
const CALLS = 3;
const NOW = 1_800_000_000;
const DAYS_30 = 30 * 86_400;

const measured: { row: Row; run(calls: number): void; plan: Plan }[] = [];
for (const count of COUNTS) {
  const ids = drawIds(count);
  const texts = Object.values(SEARCHES).map((search) => search(ids, LIMIT, encodeAll));
  if (new Set(texts).size > 1) throw new Error(`the ways differ for ${count} ids`);
  for (const [name, search] of Object.entries(SEARCHES)) {
    const run = (calls: number) => {
      for (let call = 0; call < calls; call++) search(ids, LIMIT, encodeAll);
    };
    const kept = decode(texts[0] ?? "").length;
    const allocated_bytes = allocated(() => search(ids, LIMIT, encodeAll)) - allocated(() => "");
    const row = newRow(name, `${count} ids`, { kept, encodes: countEncodes(search, ids), allocated_bytes });
    measured.push({ row, run, plan: await warm(run, WARM_MS) });
  }
}
await takeTurns("partner ids", Number(process.argv[2]), measured, async ({ row, run, plan }) =>
  push(row, "us", await batch(run, plan)),
);
process.stdout.write(JSON.stringify(measured.map(({ row }) => row)));

/** Realistic ids of `count` exchanges, in the order in which the Worker keeps them. */
function drawIds(count: number): PartnerId[] {
  const random = new Random(count);
  const uids = [random.uuid, () => random.base64(22), () => random.text(19, "0123456789"), () => random.hex(32)];
  const names = new Set<string>();
  while (names.size < count) names.add(random.text(4 + random.below(9), "abcdefghijklmnopqrstuvwxyz"));
  const ids = [...names].map((ssp, at): PartnerId => {
    return { ssp, uid: uids[at % uids.length]?.call(random) ?? "", expires: NOW + random.below(DAYS_30) };
  });
  return ids.sort(longestFirst);
}

/** How often a way calls the encoder. */
function countEncodes(search: Search, ids: readonly PartnerId[]): number {
  let count = 0;
  search(ids, LIMIT, (some) => {
    count++;
    return encodeAll(some);
  });
  return count;
}

/**
 * Bytes that one call allocates, including the look at the heap. Takes the minimum of a few calls, because the engine
 * itself may allocate during the first call.
 */
function allocated(call: () => string): number {
  const counts = Array.from({ length: CALLS }, () => {
    gc?.();
    const profiler = new GCProfiler();
    profiler.start();
    const before = process.memoryUsage().heapUsed;
    call();
    const bytes = process.memoryUsage().heapUsed - before;
    if (profiler.stop().statistics.length > 0) throw new Error("V8 collected garbage while allocations were counted");
    return bytes;
  });
  return Math.min(...counts);
}
