//! `npm run bench -- post`: sends many records at once to a collector on loopback that checks every record. *Streamed*
//! is the Worker's `postJson`, which serialises into one buffer and sends it each time it is full. *Whole* is the usual
//! way: stringify everything, encode it, compress it, then send.
//!
//! The collector runs in this process, so a time includes sending and receiving. Memory is workerd's peak working set
//! (`VmHWM`, Linux only), taken in a second process whose V8 makes every garbage collection a full one.

import { module } from "../../cli/module.ts";
import { Collector } from "../../cli/test/collector.ts";
import type { Event } from "../../shared/events/schema.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { snapshotOf } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { peakSet, resetPeak, startProcess } from "../processes.ts";
import { figures, ratio, versus } from "../ratios.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import { find, middle, newRow, push, type Row, table, turnsOf } from "../rows.ts";
import { median } from "../statistics.ts";
import type { Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { kilobytes, megabytes, ms } from "../units.ts";
import { type Order, record } from "./records.ts";

const ROUNDS = 5;
/**
 * Records per post, and posts per turn. Small posts come first, so that they do not inherit the memory of large ones.
 */
const COUNTS: [count: number, times: number][] = [
  [1, 300],
  [100, 100],
  [1000, 20],
  [10_000, 3],
  [100_000, 1],
];
const FEW = 100;
const MANY = 100_000;
const WARM_UPS = 300;
/** A flag of V8: every garbage collection is a full one, so that hardly any garbage counts as memory in use. */
const COLLECT_ALL = "--gc-global";

/** A way to post, and its name. */
interface Kind extends Pick<Order, "way" | "gzip"> {
  name: string;
}

const KINDS: Kind[] = [
  { name: "whole", way: "whole", gzip: false },
  { name: "whole, gzip", way: "whole", gzip: true },
  { name: "edgebid, streamed", way: "stream", gzip: false },
  { name: "edgebid, streamed, gzip", way: "stream", gzip: true },
];

export const post: Suite = {
  name: "post",
  summary: "posting 1 to 100,000 records: time, peak memory and bytes, streamed and whole, with and without gzip",

  async run({ quick }) {
    const patterns = events();
    const rows = COUNTS.flatMap(([count]) => KINDS.map(({ name }) => newRow(name, groupOf(count))));
    await takeTurns("posts", quick ? 1 : ROUNDS, KINDS, async (kind) => {
      await postAll(kind, patterns, "", rows);
      await postAll(kind, patterns, COLLECT_ALL, rows);
    });
    const [streamed, whole] = [
      find(rows, "edgebid, streamed, gzip", groupOf(MANY)),
      find(rows, "whole, gzip", groupOf(MANY)),
    ];
    const bytes = middle("bytes");
    const plain = find(rows, "edgebid, streamed", groupOf(MANY));
    return {
      checks: {
        "post.peak_memory_growth": growth(rows, streamed),
        "post.peak_memory_growth_whole": growth(rows, whole),
        "post.gzip_vs_plain_bytes": (bytes(streamed) ?? 0) / (bytes(plain) ?? 0),
        "post.stream_vs_whole_time": ratio(streamed, whole, "ms"),
      },
      figures: figures(rows, "ms", { unit: "ms", better: "less", base: "whole, gzip" }),
      tables: [
        table("posts", rows, [
          ["time of one", middle("ms"), ms],
          ["/ whole, gzip", versus(rows, "whole, gzip", "ms")],
          ["peak", middle("peak"), megabytes],
          ["peak, lazy", middle("lazy_peak"), megabytes],
          ["body", bytes, kilobytes],
        ]),
      ],
      rows,
    };
  },
};

function groupOf(count: number): string {
  return `${count} records in a post`;
}

/** Peak memory with many records beyond that with few. */
function growth(rows: Row[], many: Row): number {
  const few = turnsOf(find(rows, many.name, groupOf(FEW)), "peak");
  return median(turnsOf(many, "peak").map((peak, turn) => peak - (few[turn] ?? Number.NaN)));
}

/** The events of all bids on the mix (`requests/mix.ts`). */
function events(): Event[] {
  const bidder = new Bidder(snapshotOf(generate(1000)), module, "80f6a946f6d97226");
  return mix().flatMap((request) => {
    const { records } = bidder.decide({ body: new TextEncoder().encode(request), ssp: 0, now: NOW_MS, weight: 0 });
    const lines = new TextDecoder().decode(records ?? new Uint8Array()).split("\n");
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  });
}

/** Posts all sizes in one way, in a new workerd whose V8 runs with `flags`. Collecting all garbage takes time. */
async function postAll({ name, way, gzip }: Kind, patterns: Event[], flags: string, rows: Row[]) {
  // Every record must arrive unchanged, in order, once.
  let [expected, wrong, bytes] = [0, 0, 0];
  const collector = new Collector({
    line(line) {
      if (line !== JSON.stringify(record(patterns, expected++))) wrong++;
    },
    hear(post) {
      bytes += post.bytes;
    },
  });
  await collector.start();
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = flags;
  const { script, pid } = await startProcess(new URL("worker.ts", import.meta.url));
  const run = async (count: number, times: number): Promise<number> => {
    const first = expected;
    bytes = 0;
    resetPeak(pid);
    const order: Order = { way, gzip, url: collector.url, first, count, times };
    const began = performance.now();
    await script.fetch("/post", { method: "POST", body: JSON.stringify(order) });
    const took = (performance.now() - began) / times;
    if (wrong > 0 || expected !== first + count * times)
      throw new Error(`the collector received ${expected - first} of ${count * times} records, ${wrong} of them wrong`);
    return took;
  };
  try {
    await script.fetch("/patterns", { method: "POST", body: JSON.stringify(patterns) });
    await run(FEW, WARM_UPS);
    for (const [count, times] of COUNTS) {
      const took = await run(count, times);
      const row = find(rows, name, groupOf(count));
      push(row, flags === "" ? "lazy_peak" : "peak", peakSet(pid));
      if (flags !== "") continue;
      push(row, "ms", took);
      push(row, "bytes", bytes / times);
    }
  } finally {
    delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
    await script.stop();
    await collector.stop();
  }
}
