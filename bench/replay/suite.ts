//! `npm run bench -- replay`: how fast `edgebid replay` runs through the mix in one process, with one catalog and with
//! two, beside decisions alone on the same bytes, and how much memory a million requests take.
//!
//! Each turn replays a file of some thousand requests from the disk, as the command does after it has opened its
//! catalogs. The memory is that of the command itself: the peak of its process (Linux only).

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { compiler, module } from "../../cli/module.ts";
import { Contender } from "../../cli/replay/contender.ts";
import { inputsOf } from "../../cli/replay/inputs.ts";
import { replayed } from "../../cli/replay/replay.ts";
import { ROOT } from "../../cli/tools.mjs";
import { compile } from "../../worker/src/catalog/compile.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { generate } from "../catalogs/generate.ts";
import { peakSet } from "../http/workerd-process.ts";
import { Progress } from "../progress.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import type { Suite } from "../suite.ts";
import { analysis, checks, figures, type Peaks, type Row, replayTable } from "./rows.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 1;
/** How often the mix is in the measured file, and in the file for memory. */
const TIMES = 10;
const LONG_TIMES = 104;
const CAMPAIGNS = 1000;
/** How often the file for memory is replayed: once, and for a million requests. */
const LONG = 10;
const POLL_MS = 50;

export const replay: Suite = {
  name: "replay",
  summary: "`edgebid replay` with one catalog and two: decisions per second, and memory of a million requests",

  async run({ quick }) {
    const progress = new Progress();
    const folder = mkdtempSync(join(tmpdir(), "edgebid-replay-"));
    try {
      const requests = mix().map((text) => text.replaceAll("\n", " "));
      const lines = `${requests.join("\n")}\n`;
      const [plain, packed] = [join(folder, "mix.ndjson"), join(folder, "mix.ndjson.gz")];
      writeFileSync(plain, lines.repeat(TIMES));
      writeFileSync(packed, gzipSync(lines.repeat(TIMES)));
      const document = JSON.stringify(generate(CAMPAIGNS));
      const { snapshot } = compile(new TextEncoder().encode(document), compiler);
      const contender = () => new Contender({ name: "catalog", version: "0".repeat(16), snapshot });
      const [one, two] = [[contender()], [contender(), contender()]];
      const bidder = new Bidder(snapshot, module);
      const bodies = requests.map((text) => new TextEncoder().encode(text));
      const settings = { ssp: "demo", now: NOW_MS, started: NOW_MS, examples: 3 };
      const count = requests.length * TIMES;
      const run = (path: string, contenders: Contender[]) => async () => {
        const { requests, bad } = await replayed(contenders, inputsOf([path]), settings);
        if (requests !== count || bad.count > count / 50)
          throw new Error(`${requests} of ${count} requests were replayed`);
      };
      const ways: { name: string; decisions: number; run: () => Promise<void> }[] = [
        { name: "decisions alone", decisions: count, run: async () => alone(bidder, bodies) },
        { name: "one catalog", decisions: count, run: run(plain, one) },
        { name: "one catalog, gzip", decisions: count, run: run(packed, one) },
        { name: "two catalogs", decisions: 2 * count, run: run(plain, two) },
      ];
      const rows: Row[] = ways.map(({ name }) => ({ name, rates: [], cpu_rates: [] }));
      for (const { run } of ways) await run();
      const rounds = quick ? QUICK_ROUNDS : ROUNDS;
      for (let round = 0; round < rounds; round++) {
        progress.show(round, rounds + 1, `round ${round + 1} of ${rounds}`);
        for (let at = 0; at < ways.length; at++) {
          // Each round begins with another way.
          const place = (at + round) % ways.length;
          const [began, cpu] = [performance.now(), process.cpuUsage()];
          await ways[place]?.run();
          const { user, system } = process.cpuUsage(cpu);
          const decisions = ways[place]?.decisions ?? 0;
          rows[place]?.rates.push((1000 * decisions) / (performance.now() - began));
          rows[place]?.cpu_rates.push((1e6 * decisions) / (user + system));
        }
      }
      progress.show(rounds, rounds + 1, "memory");
      const long = join(folder, "long.ndjson");
      writeFileSync(long, lines.repeat(quick ? 1 : LONG_TIMES));
      const peaks: Peaks = {
        requests: requests.length * (quick ? 1 : LONG_TIMES),
        few: await peak([long]),
        times: LONG,
        many: await peak(Array<string>(LONG).fill(long)),
      };
      progress.end();
      return {
        checks: checks(rows, peaks),
        analysis: analysis(rows, peaks),
        figures: figures(rows),
        tables: [replayTable(rows)],
        rows,
        peaks,
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function alone(bidder: Bidder, bodies: Uint8Array[]): void {
  const ssp = bidder.ssp("demo") ?? 0;
  for (let time = 0; time < TIMES; time++) {
    for (const [place, body] of bodies.entries()) bidder.decide(body, ssp, NOW_MS, time, place, 0);
  }
}

/** Peak memory of the command with these files in bytes; null if /proc cannot tell. */
async function peak(files: string[]): Promise<number | null> {
  const args = ["cli/edgebid.ts", "replay", ...files, "--catalog", "fixtures/catalog.json", "--json"];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT, stdio: "ignore" });
  let most: number | null = null;
  const ticker = setInterval(() => {
    most = peakSet(child.pid) ?? most;
  }, POLL_MS);
  const code = await new Promise((done) => child.on("close", done));
  clearInterval(ticker);
  if (code !== 0) throw new Error(`edgebid replay ended with ${code}`);
  return most;
}
