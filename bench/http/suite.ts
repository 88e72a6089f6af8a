//! `npm run bench -- http`: the Worker in workerd under load from another process, beside Workers that
//! do less and beside the TypeScript twin.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { compiler, module } from "../../cli/module.ts";
import { Failure } from "../../cli/process.mjs";
import { ROOT } from "../../cli/setup.mjs";
import { compile } from "../../worker/src/compile.ts";
import { buildProgram } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { machine, versions } from "../machine.ts";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { chart } from "./chart.ts";
import { ceiling, drive } from "./load.ts";
import { requests } from "./requests.ts";
import { analysis, checks, type Mode, rows, type Series, type Turn } from "./rows.ts";
import { applications, type Server, startBaseline, startBidder, startTwin } from "./servers.ts";
import { asTables } from "./tables.ts";
import { CATALOGS, casesOf, fileOf, KINDS, type Kind, TARGETS, type Target, USUAL } from "./targets.ts";
import { cpuMs, workingSet } from "./workerd-process.ts";

const ROUNDS = 5;
const QUICK_ROUNDS = 2;
const CONNECTIONS = 10;
/** Requests a second: far below what any target can do, so that only pauses make it wait. */
const RATE = 1000;
const SECONDS = 2;
const QUICK_SECONDS = 0.3;
/** Of each target, before the first round. */
const WARM_MS = 2000;
const QUICK_WARM_MS = 200;
const MODES: Mode[] = ["closed", "open"];
const MODULE = new URL("../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", import.meta.url);

export const http: Suite = {
  name: "http",
  summary: "the Worker under load over HTTP, beside Workers that do less and the twin",

  async run({ quick, load }) {
    const targets = chosen(load.targets);
    const connections = load.connections ?? CONNECTIONS;
    const rate = load.rate ?? RATE;
    const ms = 1000 * (load.duration ?? (quick ? QUICK_SECONDS : SECONDS));
    const progress = new Progress();
    const program = await buildProgram("bench-load", "bench-load");
    const before = machine();

    progress.show(0, 1, "compiling the catalogs");
    const documents = CATALOGS.map((count) => JSON.stringify(generate(count)));
    const snapshots = documents.map((document) => compile(new TextEncoder().encode(document), compiler).snapshot);
    const all = requests(snapshots, module, USUAL);
    const answer = mean(all.bids.map(({ expected }) => expected[USUAL]?.bytes ?? 0));

    const servers: Server[] = [];
    const nothing = await ceiling(program);
    try {
      progress.show(0, 1, "starting the servers");
      servers.push(await startBaseline(new Uint8Array(Buffer.from("{".padEnd(answer - 1, " ").concat("}")))));
      servers.push(await startTwin(documents[USUAL] ?? ""));
      for (const [at, count] of CATALOGS.entries()) {
        servers.push(await startBidder(`bidder ${count.toLocaleString("en")}`, snapshots[at] ?? new Uint8Array()));
      }
      const idle = new Map(servers.map((server) => [server, workingSet(server.pid)]));

      const driven = targets.map((target) => {
        const server = servers.find(({ name }) => name === target.server);
        const file = save(`${target.name.replaceAll(/\W+/g, "-")}.requests`, fileOf(target, all));
        return { target, file, origin: server?.script.origin ?? nothing.origin, pid: server?.pid ?? nothing.pid };
      });
      type Driven = (typeof driven)[number];
      const turn = async ({ origin, file, pid }: Driven, mode: Mode, ms: number): Promise<Turn> => {
        const [cpu, began] = [cpuMs(pid), performance.now()];
        const load = await drive(program, { origin, file, connections, ms, rate: mode === "open" ? rate : null });
        const wall_ms = performance.now() - began;
        const after = cpuMs(pid);
        return { ...load, cpu_ms: cpu === null || after === null ? null : after - cpu, wall_ms };
      };

      for (const [at, one] of driven.entries()) {
        progress.show(at, driven.length, `warming up: ${one.target.name}`);
        await turn(one, "closed", quick ? QUICK_WARM_MS : WARM_MS);
      }
      const series = driven.flatMap((one) => MODES.map((mode) => ({ ...one, mode, turns: [] as Turn[] })));
      const rounds = quick ? QUICK_ROUNDS : ROUNDS;
      for (let round = 0; round < rounds; round++) {
        for (let at = 0; at < series.length; at++) {
          progress.show(round * series.length + at, rounds * series.length, `round ${round + 1} of ${rounds}`);
          // Who begins changes from round to round.
          const one = series[(at + round) % series.length];
          if (one) one.turns.push(await turn(one, one.mode, ms));
        }
      }
      progress.end();

      const found = rows(series satisfies Series[]);
      const started = applications(servers, idle);
      const report = {
        suite: "http",
        date: new Date().toISOString(),
        quick,
        machine: before,
        versions: versions(["hdrhistogram"]),
        load: { connections, rate, seconds: ms / 1000, rounds, load_after: machine().load },
        checks: checks(series),
        analysis: analysis(found),
        applications: started,
        wasm_gzip_bytes: gzipSync(readFileSync(MODULE), { level: 9 }).length,
        requests: Object.fromEntries(targets.map((target) => [target.name, summary(casesOf(target, all), target)])),
        rows: found,
      };
      const pictures = { "http.svg": chart(found, report) };
      return { report, table: asTables(started, report.wasm_gzip_bytes, found, rate), pictures };
    } finally {
      nothing.stop();
      await Promise.all(servers.map(({ script }) => script.stop()));
    }
  },
};

function chosen(kinds: string[]): Target[] {
  const unknown = kinds.find((kind) => !KINDS.includes(kind as Kind));
  if (unknown !== undefined) throw new Failure(`no target ${unknown}; there are: ${KINDS.join(", ")}`);
  return TARGETS.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
}

/** What a target is sent: how many texts, of how many bytes in the mean, and how many of them get a bid. */
function summary(cases: ReturnType<typeof casesOf>, { catalog }: Target) {
  return {
    count: cases.length,
    mean_bytes: mean(cases.map(({ text }) => Buffer.byteLength(text))),
    bids: cases.filter(({ expected }) => expected[catalog]?.status === 200).length,
  };
}

function mean(values: number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Writes a file for the generator, and returns its path. */
function save(name: string, content: Uint8Array): string {
  const folder = join(ROOT, "target/bench");
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, content);
  return path;
}
