//! `npm run bench -- http`: the deployed Worker in workerd under load from another process, beside Workers that do less
//! and beside the TypeScript twin.
//!
//! Every response is checked against the module's answer in this process: the status and, with a bid, the beginning of
//! the body. In each round every target has one turn in each loop. The search for the highest rate takes the interval
//! from 0 to the target's best closed-loop rate, and halves it five times. A rate passes if p99 is at most 10 ms plus
//! the delay, and no request is bad or unsent.

import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { Collector } from "../../cli/collector.ts";
import { compiler, module } from "../../cli/module.ts";
import { Failure } from "../../cli/process.mjs";
import { ROOT } from "../../cli/tools.mjs";
import { compile } from "../../worker/src/catalog/compile.ts";
import { buildProgram } from "../build.ts";
import { type Document, generate } from "../catalogs/generate.ts";
import { Progress } from "../progress.ts";
import { textsIn } from "../readers/bodies.ts";
import type { LoadOptions, Suite } from "../suite.ts";
import { applications, applicationTable } from "./applications.ts";
import { chart } from "./chart.ts";
import { highestRate } from "./highest.ts";
import { ceiling, drive } from "./load.ts";
import { type Requests, requests } from "./requests.ts";
import {
  analysis,
  checks,
  figures,
  type Highest,
  LIMIT_MS,
  type Mode,
  type Row,
  rows,
  type Series,
  type Turn,
} from "./rows.ts";
import { type Server, startBaseline, startBidder, startTwin, withEvents } from "./servers.ts";
import { loadTables } from "./tables.ts";
import {
  CATALOGS,
  casesOf,
  DEFAULT_CATALOG,
  EVENTS,
  fileOf,
  GZIP_OUT,
  KINDS,
  type Kind,
  TARGETS,
  type Target,
} from "./targets.ts";
import { cpuMs, workingSet } from "./workerd-process.ts";

/** Short turns and many rounds: `compare` needs rounds. */
const DEFAULT_LOAD = { connections: 10, rate: 1000, seconds: 0.8, rounds: 11, warmMs: 1000, steps: 5, delay: 0 };
const QUICK_LOAD = { ...DEFAULT_LOAD, seconds: 0.4, rounds: 1, warmMs: 100, steps: 2 };
/** Time limit for the first event. */
const PATIENCE_MS = 30_000;
const MODES: Mode[] = ["closed", "open"];

export const http: Suite = {
  name: "http",
  summary: "the Worker under load over HTTP, beside Workers that do less and the twin",
  crates: ["hdrhistogram"],

  async run({ quick, bodies, load: asked }) {
    const load = loadSettings(quick, asked);
    const progress = new Progress();
    const program = await buildProgram("bench-load", "bench-load");

    progress.show(0, 1, "compiling the catalogs");
    const documents = CATALOGS.map((count) => generate(count));
    const snapshots = documents.map(compiled);
    const withGzip = compiled(withGzipResponses(generate(CATALOGS[DEFAULT_CATALOG] ?? 0)));
    const all = requests(snapshots, module, DEFAULT_CATALOG, textsIn(bodies));
    const targets = selectedTargets(asked.targets).filter((target) => casesOf(target, all).length > 0);

    const servers: Server[] = [];
    const ceilingServer = await ceiling(program);
    let eventsReceived = 0;
    const collector = new Collector({ line: () => eventsReceived++ });
    try {
      progress.show(0, 1, "starting the servers");
      const isDriven = (name: string) => targets.some(({ server }) => server === name);
      if (isDriven("baseline")) servers.push(await startBaseline(answer(all)));
      if (isDriven("twin")) servers.push(await startTwin(JSON.stringify(documents[DEFAULT_CATALOG])));
      for (const [at, count] of CATALOGS.entries()) {
        const [name, snapshot] = [`bidder ${count.toLocaleString("en")}`, snapshots[at]];
        if (snapshot && isDriven(name)) servers.push(await startBidder(name, snapshot, count));
      }
      if (isDriven(GZIP_OUT)) servers.push(await startBidder(GZIP_OUT, withGzip, CATALOGS[DEFAULT_CATALOG] ?? 0));
      if (isDriven(EVENTS)) {
        await collector.start();
        const snapshot = snapshots[DEFAULT_CATALOG] ?? new Uint8Array();
        servers.push(await startBidder(EVENTS, snapshot, CATALOGS[DEFAULT_CATALOG] ?? 0, withEvents(collector.url)));
      }
      const idle = new Map(servers.map((server) => [server, workingSet(server.pid)]));

      const driven = targets.map((target) => {
        const server = servers.find(({ name }) => name === target.server);
        const file = save(`${target.name.replaceAll(/\W+/g, "-")}.requests`, fileOf(target, all));
        return {
          target,
          file,
          origin: server?.script.origin ?? ceilingServer.origin,
          pid: server?.pid ?? ceilingServer.pid,
        };
      });
      type Driven = (typeof driven)[number];
      const { connections, delay } = load;
      const turn = async ({ origin, file, pid }: Driven, rate: number | null, ms: number): Promise<Turn> => {
        const [cpu, began] = [cpuMs(pid), performance.now()];
        const found = await drive(program, { origin, file, connections, ms, rate, delay });
        const wall_ms = performance.now() - began;
        const after = cpuMs(pid);
        return { ...found, cpu_ms: cpu === null || after === null ? null : after - cpu, wall_ms };
      };

      for (const [at, one] of driven.entries()) {
        progress.show(at, driven.length, `warming up: ${one.target.name}`);
        await turn(one, null, load.warmMs);
      }
      const series = driven.flatMap((one) =>
        MODES.map((mode) => ({ ...one, mode, turns: [] as Turn[], highest: null })),
      );
      for (let round = 0; round < load.rounds; round++) {
        for (let at = 0; at < series.length; at++) {
          progress.show(
            round * series.length + at,
            load.rounds * series.length,
            `round ${round + 1} of ${load.rounds}`,
          );
          // Each round begins with a different target.
          const one = series[(at + round) % series.length];
          if (one) one.turns.push(await turn(one, one.mode === "open" ? load.rate : null, 1000 * load.seconds));
        }
      }
      const searched = series.filter(({ mode, target }) => mode === "closed" && target.kind !== "ceiling");
      const limitUs = 1000 * (LIMIT_MS + delay);
      const highest = new Map<Series, Highest>();
      for (const [at, one] of searched.entries()) {
        progress.show(at, searched.length, `searching the highest rate: ${one.target.name}`);
        const most = Math.max(...one.turns.map(({ requests, seconds }) => requests / seconds));
        const tried: Turn[] = [];
        const rate = await highestRate(most, load.steps, async (rate) => {
          const found = await turn(one, rate, 1000 * load.seconds);
          tried.push(found);
          return found.bad + found.unsent === 0 && found.p99_us <= limitUs;
        });
        highest.set(one, { rate, tried });
      }
      if (isDriven(EVENTS)) await firstEventReceived(() => eventsReceived);
      progress.end();

      const measured: Series[] = series.map((one) => ({ ...one, highest: highest.get(one) ?? null }));
      const found = rows(measured);
      const texts = all.production.map(({ text }) => text);
      const started = applications(servers, idle, found, texts);
      return {
        load,
        checks: checks(measured),
        analysis: analysis(found),
        figures: figures(measured),
        tables: [
          ...loadTables(found, { ...load, limit_ms: LIMIT_MS + delay }),
          applicationTable(started, os.availableParallelism()),
        ],
        applications: started,
        requests: Object.fromEntries(targets.map((target) => [target.name, summary(casesOf(target, all), target)])),
        rows: found,
      };
    } finally {
      ceilingServer.stop();
      await Promise.all(servers.map(({ script }) => script.stop()));
      await collector.stop();
    }
  },

  pictures: (result) => ({ "http.svg": chart(result.rows as Row[], result) }),
};

function loadSettings(quick: boolean, { connections, rate, duration, delay }: LoadOptions) {
  const usual = quick ? QUICK_LOAD : DEFAULT_LOAD;
  return {
    ...usual,
    connections: connections ?? usual.connections,
    rate: rate ?? usual.rate,
    seconds: duration ?? usual.seconds,
    delay: delay ?? usual.delay,
  };
}

/** Waits for one event: without it, the target would not have measured what events cost. */
async function firstEventReceived(eventsReceived: () => number): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (eventsReceived() === 0) {
    if (performance.now() > end) throw new Error("no event reached the collector");
    await new Promise((done) => setTimeout(done, 100));
  }
}

function selectedTargets(kinds: string[]): Target[] {
  const unknown = kinds.find((kind) => !KINDS.includes(kind as Kind));
  if (unknown !== undefined) throw new Failure(`no target ${unknown}; there are: ${KINDS.join(", ")}`);
  return TARGETS.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
}

function compiled(document: object): Uint8Array<ArrayBuffer> {
  return compile(new TextEncoder().encode(JSON.stringify(document)), compiler).snapshot;
}

/** The catalog, changed so that its SSP accepts compressed responses. */
function withGzipResponses(document: Document): Document {
  return { ...document, ssps: document.ssps.map((ssp) => ({ ...ssp, gzip: true })) };
}

/** The answer of `echo`: as long as the mean response of the bidder. */
function answer({ bids }: Requests): Uint8Array<ArrayBuffer> {
  const bytes = bids.length > 0 ? mean(bids.map(({ expected }) => expected[DEFAULT_CATALOG]?.bytes ?? 0)) : 0;
  return new Uint8Array(Buffer.from("{".padEnd(bytes - 1, " ").concat("}")));
}

/** The requests of a target: how many, their mean size, and how many get a bid. */
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

/** Writes a file for the generator and returns its path. */
function save(name: string, content: Uint8Array): string {
  const folder = join(ROOT, "target/bench");
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, content);
  return path;
}
