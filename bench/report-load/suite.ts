//! `npm run bench -- report`: clients ask the report's route for one report again and again, in workerd under load from
//! another process. A load test of the writers: JSON, CSV and protobuf as streams, beside one `JSON.stringify`.
//!
//! Each writer has its own workerd, with equal totals in memory in place of the ledger. Before the load, the answer of
//! each writer is read with a library and compared with all others. During the load, every answer must be complete and
//! begin as the first one did.

import { deepStrictEqual } from "node:assert";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { fromCsv, fromProtobuf } from "../../cli/test/report-readers.ts";
import { attributesOf } from "../../shared/report/rows.ts";
import { badOf, chosen, drive, loadFigures, loadTable, requestFile, type Target } from "../http/load.ts";
import { type Process, startProcess, workingSet } from "../processes.ts";
import { ratio, versus } from "../ratios.ts";
import { fact, middle, newRow, type Row } from "../rows.ts";
import type { Findings, Suite } from "../suite.ts";
import { kilobytes, megabytes, ms } from "../units.ts";
import { type Ledger, QUERY } from "./totals.ts";

/** The values of `--writer`, each with the header Accept of its requests. */
const ACCEPT = {
  json: "application/json",
  csv: "text/csv",
  protobuf: "application/x-protobuf",
  stringify: "application/json",
};
type Writer = keyof typeof ACCEPT;
export const WRITERS = Object.keys(ACCEPT) as Writer[];
const BASE: Writer = "stringify";

/** The most bytes of an answer's beginning that are checked during the load. */
const BEGIN_BYTES = 80;
const WORKER = new URL("worker.ts", import.meta.url);
const USUAL = { entries: 5000, connections: 10, duration: 1, rounds: 11, delay: 0, warmMs: 500 };
/**
 * Answers are longer than a buffer of 64 KB, so that they are streams, but short enough to end in the turn on a busy
 * machine.
 */
const QUICK = { ...USUAL, entries: 2000, rounds: 1, warmMs: 100 };

/** A writer's server. */
interface Server extends Target, Process {
  writer: Writer;
  /** The body of its answer, inflated. */
  content: Buffer;
}

export const report: Suite = {
  name: "report",
  summary: "reports as JSON, CSV and protobuf under load over HTTP, beside one JSON.stringify",
  crates: ["hdrhistogram"],

  async run({ quick, load: asked }) {
    const load = { ...(quick ? QUICK : USUAL), ...asked };
    const { rate = null } = load;
    const servers: Server[] = [];
    try {
      for (const writer of chosen("writer", asked.writers, WRITERS))
        servers.push({ ...(await started(writer, load, load.gzip)), rate });
      const [first, ...others] = servers.map(rowsOf);
      for (const rows of others) deepStrictEqual(rows, first);
      // The delay is the ledger's.
      await drive(servers, { ...load, delay: 0 });
      for (const { row, pid } of servers) row.facts["after_bytes"] = workingSet(pid);
      return { load, ...findings(servers, load, rate) };
    } finally {
      await Promise.all(servers.map(({ script }) => script.stop()));
    }
  },
};

function findings(servers: Server[], load: typeof USUAL, rate: number | null): Findings {
  const rows = servers.map(({ row }) => row);
  const loop = rate === null ? "closed loop" : `open loop with ${rate} requests/s`;
  return {
    checks: checks(rows, rate !== null),
    figures: loadFigures(rows, BASE),
    tables: [
      loadTable(`${loop}, ${load.connections} connections, ${load.entries} totals; times in ms`, servers, [
        ["/ stringify", versus(rows, BASE, "per_second")],
        ["size", fact("answer_bytes"), kilobytes],
        ["start ms", fact("start_ms")],
        ["first report ms", fact("first_ms")],
        ["memory", fact("idle_bytes"), megabytes],
        ["after load", fact("after_bytes"), megabytes],
      ]),
    ],
    charts: {
      "report.svg": {
        title: "Reports under load over HTTP",
        note: "the same rows in each format, in workerd on one core; stringify is one JSON.stringify of all rows",
        rows,
        panels: [
          ["requests a second", middle("per_second")],
          ["processor time", middle("cpu_us", 1e-3), ms],
          ["p99", middle("p99_us", 1e-3), ms],
          ["memory after load", fact("after_bytes"), megabytes],
          ["size", fact("answer_bytes"), kilobytes],
        ],
      },
    },
    rows,
  };
}

/** The checks; those that compare need the base. Offered rates are no speeds, so the open loop compares only work. */
function checks(rows: Row[], isOpen: boolean): Record<string, number> {
  const found: Record<string, number> = { "report.bad": badOf(rows) };
  const base = rows.find(({ name }) => name === BASE);
  for (const row of rows) {
    if (base === undefined || row === base) continue;
    if (!isOpen) found[`report.${row.name}_vs_stringify`] = ratio(row, base, "per_second");
    found[`report.cpu_${row.name}_vs_stringify`] = ratio(row, base, "cpu_us");
    found[`report.bytes_${row.name}_vs_stringify`] =
      (row.facts["answer_bytes"] ?? 0) / (base.facts["answer_bytes"] ?? 0);
  }
  return found;
}

async function started(writer: Writer, { entries, delay }: Ledger, gzip: boolean): Promise<Server> {
  const { script, pid } = await startProcess(WORKER);
  const ledger: Ledger = { entries, delay };
  await script.fetch("/ledger", { method: "PUT", body: JSON.stringify(ledger) });
  const idle_bytes = workingSet(pid);
  const path = `/${writer === BASE ? BASE : "report"}?from=${QUERY.from}&to=${QUERY.to}&by=${QUERY.by.join(",")}`;
  const began = performance.now();
  const body = await answered(script.origin + path, writer, gzip);
  const first_ms = performance.now() - began;
  const content = gzip ? gunzipSync(body) : body;
  const headers = [`Accept: ${ACCEPT[writer]}`, ...(gzip ? ["Accept-Encoding: gzip"] : [])];
  const begin = content.subarray(0, BEGIN_BYTES);
  const file = requestFile(`report-${writer}`, [{ line: `GET ${path}`, headers, status: 200, gzip, begin }]);
  const row = newRow(writer, "", { idle_bytes, first_ms, start_ms: script.startMs, answer_bytes: body.byteLength });
  return { writer, script, content, file, pid, origin: script.origin, row, rate: null, complaint: null };
}

/** One report as sent. Not by `fetch`, which would inflate it. */
async function answered(url: string, writer: Writer, gzip: boolean): Promise<Buffer> {
  const headers = { accept: ACCEPT[writer], ...(gzip && { "accept-encoding": "gzip" }) };
  const [answer] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  const body = await buffer(answer);
  const isGzip = answer.headers["content-encoding"] === "gzip";
  if (answer.statusCode !== 200 || isGzip !== gzip) throw new Error(`${writer}: ${answer.statusCode} ${body}`);
  return body;
}

/** The rows in an answer, as other programs read them, with their attributes in the order of the columns. */
function rowsOf({ content, writer }: Server): unknown[] {
  if (writer === "csv") return fromCsv(content, QUERY.by);
  const { rows } = writer === "protobuf" ? fromProtobuf(content, QUERY.by) : JSON.parse(content.toString());
  const names = attributesOf(QUERY.by).map(({ name }) => name);
  return rows.map((row: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, row[name]])));
}
