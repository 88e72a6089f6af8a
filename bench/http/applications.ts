//! Facts about an application besides its speed: how long it takes to start, its size, and the memory it needs.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { module } from "../../cli/module.ts";
import { Instance, isTrue, type Serving } from "../../worker/src/wasm/instance.ts";
import { digits } from "../statistics.ts";
import type { Table } from "../suite.ts";
import type { Row } from "./rows.ts";
import type { Server } from "./servers.ts";
import { TARGETS } from "./targets.ts";
import { workingSet } from "./workerd-process.ts";

export interface Application {
  name: string;
  start_ms: number;
  first_ms: number;
  /** Memory in use before and after all load, in bytes; null if /proc cannot tell. */
  working_set_start: number | null;
  working_set: number | null;
  /** Memory of an instance with the catalog after the requests of the mix; null without a module. */
  wasm_memory: number | null;
  script_bytes: number;
  wasm_bytes: number;
  wasm_gzip_bytes: number | null;
  snapshot_bytes: number | null;
  /** Cores in use during the first closed loop on this server; null if /proc cannot tell. */
  cores: number | null;
}

/** The serving module and the compiler: both are deployed. */
const MODULES = ["bidder", "compiler"].map(
  (name) => new URL(`../../crates/${name}-wasm/pkg/${name}_wasm_bg.wasm`, import.meta.url),
);

/** `idle`: the working set of each server without load. `texts`: the mix. */
export function applications(
  servers: Server[],
  idle: Map<Server, number | null>,
  rows: Row[],
  texts: string[],
): Application[] {
  const gzip = MODULES.reduce((bytes, path) => bytes + gzipSync(readFileSync(path), { level: 9 }).byteLength, 0);
  return servers.map((server) => {
    const target = TARGETS.find((target) => target.server === server.name && rows.some((row) => isClosed(row, target)));
    return {
      name: server.name,
      start_ms: server.script.startMs,
      first_ms: server.first_ms,
      working_set_start: idle.get(server) ?? null,
      working_set: workingSet(server.pid),
      wasm_memory: server.snapshot && wasmMemory(server.snapshot, texts),
      script_bytes: server.script.size.script,
      wasm_bytes: server.script.size.wasm,
      wasm_gzip_bytes: server.snapshot && gzip,
      snapshot_bytes: server.snapshot?.byteLength ?? null,
      cores: rows.find((row) => isClosed(row, target))?.cores ?? null,
    };
  });
}

/** `machineCores`: the number of cores of the machine, which is 100 %. */
export function applicationTable(applications: Application[], machineCores: number): Table {
  return {
    title: "applications",
    columns:
      "application;start;first request;memory;after load;CPU;cores;Wasm memory;snapshot;bundle;.wasm;.wasm, gzip".split(
        ";",
      ),
    rows: applications.map((one) => [
      one.name,
      `${digits(one.start_ms)} ms`,
      `${digits(one.first_ms)} ms`,
      megabytes(one.working_set_start),
      megabytes(one.working_set),
      one.cores === null ? "–" : `${digits((100 * one.cores) / machineCores)} %`,
      one.cores === null ? "–" : digits(one.cores),
      megabytes(one.wasm_memory),
      megabytes(one.snapshot_bytes),
      kilobytes(one.script_bytes),
      kilobytes(one.wasm_bytes),
      kilobytes(one.wasm_gzip_bytes),
    ]),
  };
}

/** Memory of an instance, measured in this process: a catalog and requests take equal memory everywhere. */
function wasmMemory(snapshot: Uint8Array, texts: string[]): number {
  const instance = new Instance<Serving>(module);
  if (!isTrue(instance.exports.load(instance.put(snapshot), 0, 0))) throw new Error("the snapshot is refused");
  const encoder = new TextEncoder();
  for (const text of texts) instance.exports.decide(instance.put(encoder.encode(text)), 0, Date.now(), 0, 0, 0, 0);
  return instance.exports.memory.buffer.byteLength;
}

function isClosed(row: Row, target: { name: string } | undefined): boolean {
  return row.target === target?.name && row.mode === "closed";
}

function megabytes(bytes: number | null): string {
  return bytes === null ? "–" : `${digits(bytes / 2 ** 20)} MB`;
}

function kilobytes(bytes: number | null): string {
  return bytes === null || bytes === 0 ? "–" : `${digits(bytes / 2 ** 10)} KB`;
}
