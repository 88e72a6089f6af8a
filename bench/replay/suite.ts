//! `npm run bench -- replay`: how fast `edgebid replay` runs through the mix in one process, with one catalog and with
//! two, compared with decisions alone on the same bytes; and how much memory a million requests take.
//!
//! Each turn replays a file of some thousand requests from the disk, as the command does after it has opened its
//! catalogs. The memory is that of the command itself: the peak of its process (Linux only).

import { type ChildProcess, spawn } from "node:child_process";
import { gzipSync } from "node:zlib";
import { ROOT } from "../../build/tools.mjs";
import { module } from "../../cli/module.ts";
import { ReplayedCatalog } from "../../cli/replay/catalog.ts";
import { inputsOf } from "../../cli/replay/inputs.ts";
import { replayed } from "../../cli/replay/replay.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { save, snapshotOf } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { peakSet } from "../processes.ts";
import { figures, ratio, versus } from "../ratios.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import { at, find, middle, newRow, push, type Row, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { whole } from "../units.ts";

const ROUNDS = 11;
/** How often the mix is in the measured file, and in the file for memory. */
const TIMES = 10;
const LONG_TIMES = 104;
const CAMPAIGNS = 1000;
/** The test of memory replays its file once, and then this many times, which is a million requests. */
const LONG = 10;
const POLL_MS = 50;
const BASE = "decisions alone";

export const replay: Suite = {
  name: "replay",
  summary: "`edgebid replay` with one catalog and two: decisions per second, and memory of a million requests",

  async run({ quick }) {
    const requests = mix().map((text) => text.replaceAll("\n", " "));
    const lines = `${requests.join("\n")}\n`;
    const rows = await rates(requests, lines, quick ? 1 : ROUNDS);
    const long = save("long.ndjson", lines.repeat(quick ? 1 : LONG_TIMES));
    const [few, many] = [await peak([long]), await peak(Array<string>(LONG).fill(long))];
    const of = (name: string, what = "rate") => middle(what)(find(rows, name)) ?? Number.NaN;
    return {
      checks: {
        "replay.decisions_per_second": of("edgebid, one catalog"),
        "replay.decisions_per_second_gzip": of("edgebid, one catalog, gzip"),
        "replay.decisions_per_second_two": of("edgebid, two catalogs"),
        "replay.decisions_per_cpu_second": of("edgebid, one catalog", "cpu_rate"),
        "replay.vs_decide": ratio(find(rows, "edgebid, one catalog"), find(rows, BASE), "rate"),
        "replay.memory_growth": many - few,
      },
      figures: figures(rows, "rate", { unit: "decisions/s", better: "more", base: BASE }),
      tables: [
        table("the mix with 1,000 campaigns", rows, [
          ["decisions/s", middle("rate"), whole],
          ["lowest", at(0, "rate"), whole],
          ["per CPU s", middle("cpu_rate"), whole],
          ["/ alone", versus(rows, BASE, "rate")],
        ]),
      ],
      rows,
    };
  },
};

/** Decisions per second, and per second of processor time, which depends less on other programs. */
async function rates(requests: string[], lines: string, rounds: number): Promise<Row[]> {
  const [plain, packed] = [
    save("replay.ndjson", lines.repeat(TIMES)),
    save("replay.ndjson.gz", gzipSync(lines.repeat(TIMES))),
  ];
  const snapshot = snapshotOf(generate(CAMPAIGNS));
  const catalog = () => new ReplayedCatalog({ name: "catalog", version: "0".repeat(16), snapshot });
  const bidder = new Bidder(snapshot, module);
  const bodies = requests.map((text) => new TextEncoder().encode(text));
  const settings = { ssp: "demo", now: NOW_MS, started: NOW_MS, examples: 3 };
  const count = requests.length * TIMES;
  const replaying = (name: string, path: string, catalogs: ReplayedCatalog[]) => ({
    row: newRow(name),
    decisions: catalogs.length * count,
    run: async () => {
      const { requests, bad } = await replayed(catalogs, inputsOf([path]), settings);
      if (requests !== count || bad.count > count / 50)
        throw new Error(`${requests} of ${count} requests were replayed`);
    },
  });
  const ways = [
    { row: newRow(BASE), decisions: count, run: async () => alone(bidder, bodies) },
    replaying("edgebid, one catalog", plain, [catalog()]),
    replaying("edgebid, one catalog, gzip", packed, [catalog()]),
    replaying("edgebid, two catalogs", plain, [catalog(), catalog()]),
  ];
  for (const { run } of ways) await run();
  await takeTurns("replaying", rounds, ways, async ({ row, decisions, run }) => {
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    await run();
    const { user, system } = process.cpuUsage(cpu);
    push(row, "rate", (1000 * decisions) / (performance.now() - began));
    push(row, "cpu_rate", (1e6 * decisions) / (user + system));
  });
  return ways.map(({ row }) => row);
}

function alone(bidder: Bidder, bodies: Uint8Array[]): void {
  const ssp = bidder.ssp("demo") ?? 0;
  for (let time = 0; time < TIMES; time++) {
    for (const [position, body] of bodies.entries())
      bidder.decide({ body, ssp, now: NOW_MS, seed: [time, position], weight: 0 });
  }
}

/** Peak memory of the command with these files in bytes; NaN if /proc cannot tell. */
async function peak(files: string[]): Promise<number> {
  const args = ["cli/edgebid.ts", "replay", ...files, "--catalog", "fixtures/catalog.json", "--json"];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT, stdio: "ignore" });
  let most = Number.NaN;
  const ticker = setInterval(() => {
    most = peakSet(child.pid) ?? most;
  }, POLL_MS);
  const code = await new Promise((done) => child.on("close", done));
  clearInterval(ticker);
  if (code !== 0) throw new Error(`edgebid replay ended with ${code}`);
  return most;
}
