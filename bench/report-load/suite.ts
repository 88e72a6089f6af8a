//! `npm run bench -- report`: clients ask the report's route for one report again and again, in workerd under load from
//! another process. A load test of the writers: JSON, CSV and protobuf as streams, beside one `JSON.stringify`.
//!
//! Each writer has its own workerd, with equal totals in memory in place of the ledger. Before the load, the answer of
//! each writer is read with a library and compared with all others. During the load, every answer must be complete and
//! begin as the first one did. In each round every writer has one turn.

import { deepStrictEqual } from "node:assert";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { Failure } from "../../cli/process.mjs";
import { ROOT } from "../../cli/tools.mjs";
import { type RunningScript, startScript } from "../../cli/workerd.ts";
import { buildProgram } from "../build.ts";
import { drive } from "../http/load.ts";
import type { Turn } from "../http/rows.ts";
import { cpuMs, workerds, workingSet } from "../http/workerd-process.ts";
import { Progress } from "../progress.ts";
import type { LoadOptions, Suite } from "../suite.ts";
import { chart } from "./chart.ts";
import { rowsIn } from "./contents.ts";
import { analysis, applicationTable, checks, figures, loadTable, type Row, rowOf } from "./rows.ts";
import { ACCEPT, type Ledger, pathOf, WRITERS, type Writer } from "./writers.ts";

/** The most bytes of an answer's beginning that are checked during the load. */
const BEGIN_BYTES = 80;
const LINE_BREAKS = [...Buffer.from("\r\n")];
const WORKER = new URL("worker.ts", import.meta.url);
const DEFAULTS = { entries: 5000, connections: 10, seconds: 1, rounds: 11, delay: 0, warmMs: 500 };
/** Still more than a buffer of 64 KB, so that answers are streams, but short enough to end in the turn on a busy machine. */
const QUICK = { ...DEFAULTS, entries: 2000, rounds: 1, warmMs: 100 };

export const report: Suite = {
  name: "report",
  summary: "reports as JSON, CSV and protobuf under load over HTTP, beside one JSON.stringify",
  crates: ["hdrhistogram"],

  async run({ quick, load: asked }) {
    const usual = quick ? QUICK : DEFAULTS;
    const load = {
      ...usual,
      entries: asked.entries ?? usual.entries,
      connections: asked.connections ?? usual.connections,
      seconds: asked.duration ?? usual.seconds,
      delay: asked.delay ?? usual.delay,
      rate: asked.rate ?? null,
      gzip: asked.gzip,
    };
    const progress = new Progress();
    const program = await buildProgram("bench-load", "bench-load");
    const driven: Driven[] = [];
    try {
      for (const writer of selected(asked)) {
        progress.show(driven.length, WRITERS.length, `starting ${writer}`);
        driven.push(await started(writer, load, load.gzip));
      }
      expectSameRows(driven);
      const turn = async ({ script, pid, file }: Driven, ms: number): Promise<Turn> => {
        const [cpu, began] = [cpuMs(pid), performance.now()];
        const { connections, rate } = load;
        const found = await drive(program, { origin: script.origin, file, connections, ms, rate, delay: 0 });
        const wall_ms = performance.now() - began;
        const after = cpuMs(pid);
        return { ...found, cpu_ms: cpu === null || after === null ? null : after - cpu, wall_ms };
      };
      for (const one of driven) await turn(one, load.warmMs);
      for (let round = 0; round < load.rounds; round++) {
        progress.show(round, load.rounds, `round ${round + 1} of ${load.rounds}`);
        for (let at = 0; at < driven.length; at++) {
          // Each round begins with a different writer.
          const one = driven[(at + round) % driven.length];
          if (one) one.turns.push(await turn(one, 1000 * load.seconds));
        }
      }
      progress.end();
      const found = driven.map(measured);
      return {
        load,
        checks: checks(found, load.rate !== null),
        analysis: analysis(found, load),
        figures: figures(found),
        tables: [applicationTable(found), loadTable(found, load)],
        rows: found,
      };
    } finally {
      await Promise.all(driven.map(({ script }) => script.stop()));
    }
  },

  pictures: (result) => ({ "report.svg": chart(result.rows as Row[], result) }),
};

/** A writer's server. */
interface Driven {
  writer: Writer;
  script: RunningScript;
  /** Undefined if /proc cannot tell. */
  pid: number | undefined;
  first_ms: number;
  idle_bytes: number | null;
  answer: Answer;
  /** Path of the generator's file. */
  file: string;
  turns: Turn[];
}

interface Answer {
  bytes: number;
  /** The body, inflated. */
  content: Buffer;
}

async function started(writer: Writer, { entries, delay }: Ledger, gzip: boolean): Promise<Driven> {
  const others = new Set(workerds());
  const script = await startScript(WORKER);
  try {
    const pid = workerds().find((pid) => !others.has(pid));
    const ledger: Ledger = { entries, delay };
    await script.fetch("/ledger", { method: "PUT", body: JSON.stringify(ledger) });
    const idle_bytes = workingSet(pid);
    const began = performance.now();
    const answer = await answered(script, writer, gzip);
    const first_ms = performance.now() - began;
    return { writer, script, pid, first_ms, idle_bytes, answer, file: prepared(writer, gzip, answer), turns: [] };
  } catch (error) {
    await script.stop();
    throw error;
  }
}

/** One report. Not by `fetch`, which would inflate it. */
async function answered(script: RunningScript, writer: Writer, gzip: boolean): Promise<Answer> {
  const headers = { accept: ACCEPT[writer], ...(gzip && { "accept-encoding": "gzip" }) };
  const [answer] = (await once(get(`${script.origin}${pathOf(writer)}`, { headers }), "response")) as [IncomingMessage];
  const body = await buffer(answer);
  const isGzip = answer.headers["content-encoding"] === "gzip";
  if (answer.statusCode !== 200 || isGzip !== gzip) throw new Error(`${writer}: ${answer.statusCode} ${body}`);
  return { bytes: body.byteLength, content: gzip ? gunzipSync(body) : body };
}

/** Writes the generator's file with the request of a writer; see `load/src/requests.rs`. Returns its path. */
function prepared(writer: Writer, gzip: boolean, { content }: Answer): string {
  const head = [
    `GET ${pathOf(writer)} HTTP/1.1`,
    "Host: bidder.example",
    `Accept: ${ACCEPT[writer]}`,
    ...(gzip ? ["Accept-Encoding: gzip"] : []),
  ];
  const request = `${head.join("\r\n")}\r\n\r\n`;
  // The file cannot hold a line break in the beginning. Protobuf begins with one.
  const begin = content.subarray(
    0,
    Math.min(
      BEGIN_BYTES,
      content.findIndex((byte) => LINE_BREAKS.includes(byte)),
    ),
  );
  const expected = Buffer.concat([Buffer.from(`200 ${gzip ? "gzip" : "identity"} ${request.length} `), begin]);
  const folder = join(ROOT, "target/bench");
  const path = join(folder, `report-${writer}.requests`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, Buffer.concat([expected, Buffer.from(`\n${request}`)]));
  return path;
}

/** Throws unless all answers have the same rows. */
function expectSameRows(driven: Driven[]): void {
  const [first, ...others] = driven;
  if (first === undefined) return;
  const expected = rowsIn(first.answer.content, first.writer);
  for (const { writer, answer } of others) {
    try {
      deepStrictEqual(rowsIn(answer.content, writer), expected);
    } catch (error) {
      throw new Error(`${writer} and ${first.writer} differ`, { cause: error });
    }
  }
}

function measured({ writer, script, pid, first_ms, idle_bytes, answer, turns }: Driven): Row {
  const answer_bytes = answer.bytes;
  return rowOf(
    { writer, start_ms: script.startMs, first_ms, idle_bytes, after_bytes: workingSet(pid), answer_bytes },
    turns,
  );
}

/** The writers to drive, in the order of the columns. */
function selected({ writers }: LoadOptions): Writer[] {
  const unknown = writers.find((name) => !WRITERS.some((writer) => writer === name));
  if (unknown !== undefined) throw new Failure(`no writer ${unknown}; there are: ${WRITERS.join(", ")}`);
  return WRITERS.filter((writer) => writers.length === 0 || writers.includes(writer));
}
