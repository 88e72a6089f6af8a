//! `npm run bench -- post`: sends many records at once to a collector on loopback that checks every record. *Streamed*
//! is the Worker's `postJson`, which serialises into one buffer and sends it each time it is full. *Whole* is the usual
//! way: stringify everything, encode it, compress it, then send.
//!
//! The collector runs in this process, so a time includes sending and receiving. Memory is workerd's peak working set
//! (`VmHWM`, Linux only), taken in a second process whose V8 makes every garbage collection a full one.

import { Collector } from "../../cli/collector.ts";
import { compiler, module } from "../../cli/module.ts";
import { startScript } from "../../cli/workerd.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import type { Event } from "../../worker/src/events/schema.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { generate } from "../catalogs/generate.ts";
import { peakSet, resetPeak, workerds } from "../http/workerd-process.ts";
import { Progress } from "../progress.ts";
import { mix } from "../requests/mix.ts";
import type { Suite } from "../suite.ts";
import { type Order, record } from "./records.ts";
import { analysis, checks, figures, postTable, type Row, type Turn } from "./rows.ts";

const ROUNDS = 5;
const QUICK_ROUNDS = 1;
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
const WARM_UPS = 300;
/** A flag of V8: every garbage collection is a full one, so that hardly any garbage counts as memory in use. */
const COLLECT_ALL = "--gc-global";
const WAYS: Order["way"][] = ["whole", "stream"];
const WORKER = new URL("worker.ts", import.meta.url);
const NOW = Date.UTC(2026, 10, 18, 12);

export const post: Suite = {
  name: "post",
  summary: "posting 1 to 100,000 records: time, peak memory and bytes, streamed and whole, with and without gzip",

  async run({ quick }) {
    const progress = new Progress();
    const patterns = bids();
    const kinds = WAYS.flatMap((way) => [false, true].map((gzip) => ({ way, gzip })));
    const found: Row[] = kinds.flatMap((kind) => COUNTS.map(([count]) => ({ ...kind, count, turns: [] as Turn[] })));
    const rounds = quick ? QUICK_ROUNDS : ROUNDS;
    for (let round = 0; round < rounds; round++) {
      for (let at = 0; at < kinds.length; at++) {
        // Each round begins with a different way.
        const kind = kinds[(at + round) % kinds.length] ?? { way: "stream", gzip: true };
        progress.show(round * kinds.length + at, rounds * kinds.length, `round ${round + 1} of ${rounds}`);
        const timed = await measure(kind, patterns, "");
        const collected = await measure(kind, patterns, COLLECT_ALL);
        const own = found.filter(({ way, gzip }) => way === kind.way && gzip === kind.gzip);
        for (const [place, turn] of timed.entries()) {
          own[place]?.turns.push({ ...turn, peak: collected[place]?.peak ?? null, lazy_peak: turn.peak });
        }
      }
    }
    progress.end();
    return {
      checks: checks(found),
      analysis: analysis(found),
      figures: figures(found),
      tables: [postTable(found)],
      rows: found,
    };
  },
};

/** The events of all bids on the mix (`requests/mix.ts`). */
function bids(): Event[] {
  const { snapshot } = compile(new TextEncoder().encode(JSON.stringify(generate(1000))), compiler);
  const bidder = new Bidder(snapshot, module, "80f6a946f6d97226");
  const [utf8, text] = [new TextEncoder(), new TextDecoder()];
  const ssp = bidder.ssp("demo") ?? 0;
  return mix().flatMap((request) => {
    const { records } = bidder.decide(utf8.encode(request), ssp, NOW, 0, 0, 0);
    const lines = text.decode(records ?? new Uint8Array()).split("\n");
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  });
}

/** Measures all sizes in one way, in a new workerd whose V8 runs with `flags`. */
async function measure(
  { way, gzip }: Pick<Order, "way" | "gzip">,
  patterns: Event[],
  flags: string,
): Promise<Omit<Turn, "lazy_peak">[]> {
  // Every record must arrive unchanged, in order, once.
  let expected = 0;
  let wrong = 0;
  let bytes = 0;
  let sized = 0;
  const collector = new Collector({
    line(line) {
      if (line !== JSON.stringify(record(patterns, expected++))) wrong++;
    },
    hear(post) {
      bytes += post.bytes;
      sized += Number(post.isSized);
    },
  });
  await collector.start();
  const known = new Set(workerds());
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = flags;
  const script = await startScript(WORKER);
  const pid = workerds().find((pid) => !known.has(pid));
  try {
    await script.fetch("/patterns", { method: "PUT", body: JSON.stringify(patterns) });
    const run = async (count: number, times: number) => {
      const first = expected;
      [bytes, sized] = [0, 0];
      resetPeak(pid);
      const order: Order = { way, gzip, url: collector.url, first, count, times };
      const began = performance.now();
      await script.fetch("/post", { method: "POST", body: JSON.stringify(order) });
      const ms = (performance.now() - began) / times;
      if (wrong > 0 || expected !== first + count * times) {
        throw new Error(
          `the collector received ${expected - first} of ${count * times} records, ${wrong} of them wrong`,
        );
      }
      return { ms, peak: peakSet(pid), bytes: bytes / times, isSized: sized === times };
    };
    await run(100, WARM_UPS);
    const turns: Awaited<ReturnType<typeof run>>[] = [];
    for (const [count, times] of COUNTS) turns.push(await run(count, times));
    return turns;
  } finally {
    delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
    await script.stop();
    await collector.stop();
  }
}
