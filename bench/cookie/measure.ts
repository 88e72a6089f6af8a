//! Measures both ways of `ways.ts` and prints one JSON object per row. The argument is the number of rounds. Start it
//! with `--expose-gc` and a young generation so large that V8 collects nothing while allocations are counted.

import { GCProfiler, getHeapSpaceStatistics } from "node:v8";
import { decode, encodeAll } from "../../worker/src/cookies/partner-ids.ts";
import { batch, warm } from "../measure.ts";
import { median } from "../statistics.ts";
import { drawIds } from "./ids.ts";
import type { Row } from "./rows.ts";
import { countEncodes, WAYS } from "./ways.ts";

/** The most characters of a cookie that a browser stores. */
const LIMIT = 4096;
const COUNTS = [10, 50, 100, 500];
const WARM_MS = 250;
const CALLS = 3;

const rounds = Number(process.argv[2]);

for (const count of COUNTS) {
  const ids = drawIds(count);
  const measured = Object.entries(WAYS).map(([name, way]) => {
    const call = () => void way(ids, LIMIT, encodeAll);
    return { name, way, call, plan: warm(call, WARM_MS), us: [] as number[] };
  });
  const [first, ...others] = measured.map(({ way }) => way(ids, LIMIT, encodeAll));
  if (first === undefined || others.some((text) => text !== first)) throw new Error(`the ways differ for ${count} ids`);
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? measured : measured.toReversed()) one.us.push(batch(one.call, one.plan));
  }
  for (const { name, way, us } of measured) {
    const row: Row = {
      ids: count,
      way: name,
      kept: decode(first).length,
      encodes: countEncodes(way, ids, LIMIT),
      us: median(us),
      allocated_bytes: allocated(() => way(ids, LIMIT, encodeAll)) - allocated(() => ""),
      rounds_us: us,
    };
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
}

/**
 * Bytes that one call allocates, including the look at the heap. Takes the minimum of a few calls, because the engine
 * itself may allocate during the first call.
 */
function allocated(call: () => string): number {
  return Math.min(...Array.from({ length: CALLS }, () => allocatedOnce(call)));
}

function allocatedOnce(call: () => string): number {
  gc?.();
  const profiler = new GCProfiler();
  profiler.start();
  const before = youngGenerationBytes();
  call();
  const after = youngGenerationBytes();
  if (profiler.stop().statistics.length > 0) throw new Error("V8 collected garbage while allocations were counted");
  return after - before;
}

/** Bytes in use in V8's young generation. */
function youngGenerationBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => /^(new|new_large_object)_space$/.test(space_name));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
