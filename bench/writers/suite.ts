//! `npm run bench -- writers`: writers of responses and records side by side, in workerd and natively.
//!
//! Before anything is timed, all output in workerd is parsed and compared with the bids. Streams are compared byte by
//! byte with the output in memory, gzip after decompression. *allocated* counts the module's memory only, not V8's heap.

import { gunzipSync } from "node:zlib";
import { buildModule, buildProgram, save } from "../build.ts";
import { Native } from "../native.ts";
import { Isolate, type Job, measure } from "../rig.ts";
import {
  at,
  type Column,
  fact,
  figures,
  find,
  kilobytes,
  middle,
  newRow,
  type Row,
  ratio,
  table,
  us,
  versus,
} from "../rows.ts";
import type { Suite } from "../suite.ts";
import { type List, lists } from "./records.ts";

/** Each turn is a round. */
const TURNS = 15;

/** The forms and destinations of the output, by the names that the Worker and the native program use. */
const WAYS = {
  response: "a response, to memory",
  records: "records, to memory",
  stream: "records, to a stream",
  gzip: "records, to a stream with gzip",
};
type Way = keyof typeof WAYS;

const OURS = "edgebid, fragments";
const BASE = "JSON.stringify";

export const writers: Suite = {
  name: "writers",
  summary: "writing responses and records: time, memory and size of each writer",
  crates: ["csv", "flate2", "prost", "serde_json"],

  async run({ quick }) {
    const all = lists();
    const text = JSON.stringify(all.map(({ bids }) => bids));
    const kinds = all.flatMap((list) => (Object.keys(WAYS) as Way[]).map((way) => ({ list, way })));
    const native = await Native.start(
      await buildProgram("bench-writers", "bench-writers-native"),
      [save("bids.json", text)],
      kinds.map(({ list, way }) => inputOf(list, way)),
    );
    await buildModule("writers");
    const isolate = await Isolate.start(new URL("worker.ts", import.meta.url));
    try {
      await isolate.ask("lists", {}, text);
      const names = await isolate.ask<string[]>("writers");
      const jobs: Job[] = [];
      for (const { list, way } of kinds) {
        for (const name of names) jobs.push(...(await jobOf(isolate, name, list, way)));
      }
      await measure(jobs, isolate, native, quick ? 1 : TURNS, 1);
      const rows = jobs.map(({ row }) => row);
      const of = (way: Way, list: string) => rows.filter(({ group }) => group === groupOf(way, list));
      const bytes =
        (way: Way): Column[1] =>
        ({ name }) =>
          of(way, "5,000").find((row) => row.name === name)?.facts["bytes"];
      const time =
        (way: Way, list: string): Column[1] =>
        ({ name }) =>
          of(way, list)
            .filter((row) => row.name === name)
            .map(middle("us"))[0];
      return {
        checks: checks(rows),
        figures: figures(rows, "us", { unit: "µs", better: "less", base: BASE }),
        tables: [
          table("writing bids", rows, [
            ["median", middle("us"), us],
            ["p99", at(0.99, "us"), us],
            ["/ stringify", versus(rows, BASE, "us")],
            ["native", middle("native_us"), us],
            ["allocated", fact("allocated"), kilobytes],
            ["size", fact("bytes"), kilobytes],
          ]),
        ],
        charts: {
          "writers.svg": {
            title: "Writing bids: time and size",
            note: "inside workerd, copy out of Wasm memory included; shorter is faster or smaller",
            rows: of("records", "5,000"),
            panels: [
              ["response, 10 bids", time("response", "10"), us],
              ["5,000 records", time("records", "5,000"), us],
              ["the same, gzip", time("gzip", "5,000"), us],
              ["size, 5,000", bytes("records"), kilobytes],
              ["the same, gzip", bytes("gzip"), kilobytes],
            ],
          },
        },
        rows,
      };
    } finally {
      native.stop();
      await isolate.stop();
    }
  },
};

/** One writer with one list; none if it cannot write that way. Throws if its output does not read back unchanged. */
async function jobOf(isolate: Isolate, name: string, list: List, way: Way): Promise<Job[]> {
  const query = { way: name, input: inputOf(list, way) };
  const isRight = await isolate.ask<boolean | null>("right", query);
  if (isRight === null) return [];
  const written = async (input: string) =>
    Buffer.from(
      await (await isolate.script.fetch(`/written?${new URLSearchParams({ ...query, input })}`)).arrayBuffer(),
    );
  const bytes = await written(query.input);
  const plain = way === "gzip" ? gunzipSync(bytes) : bytes;
  const memory = await written(inputOf(list, way === "response" ? way : "records"));
  if (!isRight || !plain.equals(memory)) throw new Error(`${name} wrote other bids: ${list.name}, ${way}`);
  const allocated = await isolate.ask<number | null>("allocated", query);
  const row = newRow(name, groupOf(way, list.name), { bytes: bytes.byteLength, allocated });
  return [{ row, ...query }];
}

function checks(rows: Row[]): Record<string, number> {
  const of = (name: string, way: Way, list: string) => find(rows, name, groupOf(way, list));
  const vsBase = (way: Way, list: string) => ratio(of(OURS, way, list), of(BASE, way, list), "us");
  const bytes = (name: string, way: Way) => of(name, way, "5,000").facts["bytes"] ?? Number.NaN;
  const inMemory = rows.filter(({ name, group }) => name === OURS && group.includes("to memory"));
  return {
    "write.vs_stringify_1": vsBase("response", "1"),
    "write.vs_stringify_10": vsBase("response", "10"),
    "write.vs_stringify_5000": vsBase("records", "5,000"),
    "write.allocated": Math.max(...inMemory.map(({ facts }) => facts["allocated"] ?? Number.NaN)),
    "write.protobuf_size_vs_json": bytes("protobuf (prost)", "records") / bytes(BASE, "records"),
    "write.gzip_size_vs_json": bytes(OURS, "gzip") / bytes(OURS, "records"),
  };
}

function groupOf(way: Way, list: string): string {
  return `${WAYS[way]}; bids: ${list}`;
}

function inputOf({ name }: List, way: Way): string {
  return `${name} ${way}`;
}
