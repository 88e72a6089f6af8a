//! `npm run bench -- cold`: the time that the first request of a new isolate waits, step by step and in total. Each
//! round starts new processes.
//!
//! Each step in workerd is one request. It is timed from outside, because the clock in workerd moves in steps of 1 ms.
//! The time of a request that does nothing, with a body of equal size, is subtracted. The error of a step is some
//! tenths of a millisecond.
//!
//! workerd enforces no memory limit by itself, so the suite counts the bytes alive during a swap. Garbage that is not
//! collected yet is not counted, such as the parts of a snapshot of more than 24 MiB.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { startScript } from "../../cli/workerd.ts";
import { MODULE, snapshotOf } from "../build.ts";
import { type Document, generate } from "../catalogs/generate.ts";
import { startBidder, timed } from "../http/servers.ts";
import { figures } from "../ratios.ts";
import { type Column, middle, newRow, push, type Row, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { megabytes, ms } from "../units.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 2;
const CATALOGS = [10, 1000, 10_000, 50_000];
const QUICK_CATALOGS = [10, 1000];
/** Number of requests that do nothing, before the first step, so that connection and handler are warm. */
const NOTHINGS = 20;
/** A program that compiles the module at a path, and prints the milliseconds that it took. */
const COMPILE = `
  const bytes = require("node:fs").readFileSync(process.argv[1]);
  const began = performance.now();
  new WebAssembly.Module(bytes);
  console.log(performance.now() - began);`;
const WORKER = new URL("worker.ts", import.meta.url);
const REQUEST: Uint8Array<ArrayBuffer> = readFileSync(new URL("../bodies/3.8k.json", import.meta.url));

/** The steps for which the first request waits. A step is a difference of two times, so noise can make it negative. */
const STEPS: Column[] = [
  ["V8 compiles the module", middle("compile_ms"), ms],
  ["first instance", middle("instantiate_ms"), ms],
  ["load the snapshot", middle("load_ms"), ms],
  ["first decision", middle("first_ms"), ms],
  ["whole", middle("whole_ms"), ms],
];

interface Catalog {
  row: Row;
  document: Document;
  snapshot: Uint8Array<ArrayBuffer>;
}

export const cold: Suite = {
  name: "cold",
  summary: "a new isolate: module, instance, catalog, first decision, for 10 to 50,000 campaigns",

  async run({ quick }) {
    const catalogs = (quick ? QUICK_CATALOGS : CATALOGS).map((campaigns): Catalog => {
      const document = generate(campaigns);
      return { row: newRow(`edgebid, ${campaigns} campaigns`), document, snapshot: snapshotOf(document) };
    });
    await takeTurns("cold starts", quick ? QUICK_ROUNDS : ROUNDS, catalogs, async (catalog) => {
      const times = { ...compiled(), ...(await steps(catalog.snapshot)), ...(await deployed(catalog)) };
      const { compile_ms, instantiate_ms, load_ms, first_ms } = times;
      const all = { ...times, whole_ms: compile_ms + instantiate_ms + load_ms + first_ms };
      for (const [name, value] of Object.entries(all)) push(catalog.row, name, value);
    });
    const rows = catalogs.map(({ row }) => row);
    return {
      checks: Object.fromEntries(
        catalogs.flatMap(({ document: { campaigns }, row }) => [
          [`cold.first_decision_ms_${campaigns.length}`, middle("whole_ms")(row) ?? Number.NaN],
          [`cold.swap_bytes_${campaigns.length}`, middle("swap_bytes")(row) ?? Number.NaN],
        ]),
      ),
      // Times and not ratios, because the suite measures no other program to compare with.
      figures: ["whole_ms", "compile_ms", "load_ms", "first_ms", "second_ms", "start_ms", "ready_ms"].flatMap((name) =>
        figures(rows, name, { unit: "ms", better: "less" }),
      ),
      tables: [
        table("a new isolate", rows, [
          ...STEPS,
          ["second decision", middle("second_ms"), ms],
          ["at a swap", middle("swap_bytes"), megabytes],
          ["start", middle("start_ms"), ms],
          ["with catalog from KV", middle("ready_ms"), ms],
        ]),
      ],
      charts: {
        "cold.svg": {
          title: "What the first request of a new isolate waits for",
          note: "medians over the rounds, each in new processes; every panel has its own scale",
          rows,
          panels: STEPS,
        },
      },
      rows,
    };
  },
};

/** Times the compilation of the module in a new Node process, because workerd compiles modules before it listens. */
function compiled() {
  return { compile_ms: Number(execFileSync(process.execPath, ["-e", COMPILE, MODULE], { encoding: "utf8" })) };
}

/** Times each step in a new workerd. `swap_bytes`: bytes alive while a second version is loaded. */
async function steps(snapshot: Uint8Array<ArrayBuffer>) {
  const script = await startScript(WORKER);
  const ask = (path: string, body: Uint8Array<ArrayBuffer>) => script.fetch(path, { method: "POST", body });
  const step = (path: string, body = REQUEST) => timed(async () => (await ask(path, body)).arrayBuffer());
  const least = async (times: number, body = REQUEST) => {
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < times; at++) least = Math.min(least, await step("/nothing", body));
    return least;
  };
  try {
    const nothing_ms = await least(NOTHINGS);
    // Sending the snapshot is not part of loading it.
    const carry_ms = await least(3, snapshot);
    const instantiate_ms = (await step("/instantiate")) - nothing_ms;
    const load_ms = (await step("/load", snapshot)) - carry_ms;
    const first_ms = (await step("/decide")) - nothing_ms;
    const second_ms = (await step("/decide")) - nothing_ms;
    const swap_bytes: number = await (await ask("/swap", snapshot)).json();
    return { instantiate_ms, load_ms, first_ms, second_ms, swap_bytes };
  } finally {
    await script.stop();
  }
}

/** Times the start of the deployed Worker in a new workerd until it listens, and until it has its catalog from KV. */
async function deployed({ document, snapshot }: Catalog) {
  const { script, first_ms: ready_ms } = await startBidder("bidder", document, undefined, snapshot);
  await script.stop();
  return { start_ms: script.startMs, ready_ms };
}
