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
import { fileURLToPath } from "node:url";
import { compiler } from "../../cli/module.ts";
import { type RunningScript, startScript } from "../../cli/workerd.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import { generate } from "../catalogs/generate.ts";
import { startBidder } from "../http/servers.ts";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { chart } from "./chart.ts";
import { analysis, type Catalog, checks, coldTable, figures, type Round, type Row, rows } from "./rows.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 2;
const CATALOGS = [10, 1000, 10_000, 50_000];
/** Number of requests that do nothing, before the first step, so that connection and handler are warm. */
const NOTHINGS = 20;
const COMPILER = fileURLToPath(new URL("compile-module.mjs", import.meta.url));
const MODULE = fileURLToPath(new URL("../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", import.meta.url));
const WORKER = new URL("worker.ts", import.meta.url);
const REQUEST = readFileSync(new URL("../bodies/3.8k.json", import.meta.url));

export const cold: Suite = {
  name: "cold",
  summary: "a new isolate: module, instance, catalog, first decision, for 10 to 50,000 campaigns",

  async run({ quick }) {
    const progress = new Progress();
    progress.show(0, 1, "compiling the catalogs");
    const catalogs = CATALOGS.map((campaigns) => ({
      campaigns,
      snapshot: compile(new TextEncoder().encode(JSON.stringify(generate(campaigns))), compiler).snapshot,
      rounds: [] as Round[],
    }));
    const count = quick ? QUICK_ROUNDS : ROUNDS;
    for (let round = 0; round < count; round++) {
      for (const [at, catalog] of catalogs.entries()) {
        progress.show(round * catalogs.length + at, count * catalogs.length, `round ${round + 1} of ${count}`);
        catalog.rounds.push({ ...compiled(), ...(await steps(catalog.snapshot)), ...(await whole(catalog)) });
      }
    }
    progress.end();
    const found = rows(catalogs);
    return {
      checks: checks(found),
      analysis: analysis(found),
      figures: figures(found),
      tables: [coldTable(found)],
      rows: found,
    };
  },

  pictures: (result) => ({ "cold.svg": chart(result.rows as Row[], result) }),
};

/** Times the compilation of the module in a new Node process, because workerd compiles modules before it listens. */
function compiled(): Pick<Round, "compile_ms"> {
  return { compile_ms: Number(execFileSync(process.execPath, [COMPILER, MODULE], { encoding: "utf8" })) };
}

/** Times each step in a new workerd. */
async function steps(snapshot: Uint8Array<ArrayBuffer>) {
  const script = await startScript(WORKER);
  try {
    let nothing_ms = Number.POSITIVE_INFINITY;
    for (let at = 0; at < NOTHINGS; at++) nothing_ms = Math.min(nothing_ms, await timed(script, "/nothing", REQUEST));
    // Sending the snapshot is not part of loading it.
    let carry_ms = Number.POSITIVE_INFINITY;
    for (let at = 0; at < 3; at++) carry_ms = Math.min(carry_ms, await timed(script, "/nothing", snapshot));
    const instantiate_ms = (await timed(script, "/instantiate", REQUEST)) - nothing_ms;
    const load_ms = (await timed(script, "/load", snapshot)) - carry_ms;
    const first_ms = (await timed(script, "/decide", REQUEST)) - nothing_ms;
    const second_ms = (await timed(script, "/decide", REQUEST)) - nothing_ms;
    const swap = await script.fetch("/swap", { method: "POST", body: snapshot });
    const swap_bytes: number = await swap.json();
    return { instantiate_ms, load_ms, first_ms, second_ms, swap_bytes };
  } finally {
    await script.stop();
  }
}

/** Times the start of the deployed Worker in a new workerd, with the catalog in KV. */
async function whole({ snapshot, campaigns }: Catalog): Promise<Pick<Round, "start_ms" | "ready_ms">> {
  const { script, first_ms: ready_ms } = await startBidder("bidder", snapshot, campaigns);
  await script.stop();
  return { start_ms: script.startMs, ready_ms };
}

/** Milliseconds from sending a request to the end of its response. */
async function timed(script: RunningScript, path: string, body: Uint8Array<ArrayBuffer>): Promise<number> {
  const began = performance.now();
  await (await script.fetch(path, { method: "POST", body })).arrayBuffer();
  return performance.now() - began;
}
