//! `npm run bench -- writers`: writers of responses and records side by side, in workerd and natively.
//!
//! Before anything is timed, all output in workerd is read with other libraries and compared with the bids, streams as
//! output in memory, gzip after decompression. *allocated* counts the module's memory only, not V8's heap.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { parse as parseCsv } from "csv-parse/sync";
import protobufjs from "protobufjs";
import { save } from "../build.ts";
import { ratio, timeColumns, timeFigures } from "../ratios.ts";
import { type Job, type Rig, withRig } from "../rig.ts";
import { elsewhere, fact, find, middle, newRow, type Row, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { kilobytes, us } from "../units.ts";
import { type Bid, type List, lists } from "./records.ts";

/** Each turn is a round. */
const TURNS = 15;
/** How often each output is written while the allocated bytes are counted. */
const LAPS = "5";

/** The forms and destinations of the output, by the names that the Worker and the native program use. */
const FORMS = {
  response: "a response, to memory",
  records: "records, to memory",
  stream: "records, to a stream",
  gzip: "records, to a stream with gzip",
};
type Form = keyof typeof FORMS;

const OURS = "edgebid, fragments";
const BASE = "JSON.stringify";
const PROTOBUF = "protobuf (prost)";

const SCHEMA = new URL("../../crates/auction/tests/protobuf/openrtb.proto", import.meta.url);
const { root } = protobufjs.parse(readFileSync(SCHEMA, "utf8"), { keepCase: true });

export const writers: Suite = {
  name: "writers",
  summary: "writing responses and records: time, memory and size of each writer",
  crates: ["csv", "flate2", "prost", "serde_json"],

  run({ quick }) {
    const all = lists();
    const text = JSON.stringify(all.map(({ bids }) => bids));
    const kinds = all.flatMap((list) => (Object.keys(FORMS) as Form[]).map((form) => ({ list, form })));
    const inputs = kinds.map(({ list, form }) => inputOf(list, form));
    const native = { suite: "writers", files: [save("bids.json", text)], inputs };
    return withRig({ worker: new URL("worker.ts", import.meta.url), native }, async (rig) => {
      await rig.ask("lists", {}, text);
      const names = await rig.ask<string[]>("writers");
      const jobs: Job[] = [];
      for (const { list, form } of kinds) {
        for (const name of names) jobs.push(...(await jobOf(rig, name, list, form)));
      }
      const rows = await rig.measure(jobs, quick ? 1 : TURNS, 1);
      const of = (form: Form, list: string, value = middle("us")) => elsewhere(rows, groupOf(form, list), value);
      return {
        checks: checks(rows),
        figures: timeFigures(rows, BASE, 1),
        tables: [
          table("writing bids", rows, [
            ...timeColumns(rows, BASE, "stringify"),
            ["allocated", fact("allocated"), kilobytes],
            ["size", fact("bytes"), kilobytes],
          ]),
        ],
        charts: {
          "writers.svg": {
            title: "Writing bids: time and size",
            note: "inside workerd, copy out of Wasm memory included; shorter is faster or smaller",
            rows: rows.filter(({ group }) => group === groupOf("records", "5,000")),
            panels: [
              ["response, 10 bids", of("response", "10"), us],
              ["5,000 records", of("records", "5,000"), us],
              ["the same, gzip", of("gzip", "5,000"), us],
              ["size, 5,000", fact("bytes"), kilobytes],
              ["the same, gzip", of("gzip", "5,000", fact("bytes")), kilobytes],
            ],
          },
        },
        rows,
      };
    });
  },
};

/** One writer with one list; none if it cannot write that way. Throws if its output does not read back unchanged. */
async function jobOf({ ask, script }: Rig, name: string, list: List, form: Form): Promise<Job[]> {
  const query = { way: name, input: inputOf(list, form) };
  const bytes = await (await script.fetch(`/written?${new URLSearchParams(query)}`)).bytes();
  if (bytes.byteLength === 0) return [];
  const plain = Buffer.from(form === "gzip" ? gunzipSync(bytes) : bytes);
  const found = form === "response" ? bidsOfResponse(plain, name) : bidsOfRecords(plain, name);
  if (!isDeepStrictEqual(found, list.bids)) throw new Error(`${name} wrote other bids: ${list.name}, ${form}`);
  const allocated = await ask<number | null>("count", { ...query, laps: LAPS });
  const row = newRow(name, groupOf(form, list.name), { bytes: bytes.byteLength, allocated });
  return [{ row, ...query }];
}

function bidsOfResponse(bytes: Buffer, name: string): Bid[] {
  const type = root.lookupType("BidResponse");
  const response = name === PROTOBUF ? type.toObject(type.decode(bytes)) : JSON.parse(bytes.toString());
  const { id, cur, seatbid, ...more } = response;
  const [{ bid, seat }] = seatbid as [{ bid: Bid[]; seat: string }];
  if (!isDeepStrictEqual([id, cur, seat, more], ["5f0c1d3e-response", "USD", "seat-17", {}])) return [];
  return bid;
}

function bidsOfRecords(bytes: Buffer, name: string): unknown[] {
  if (name === PROTOBUF) {
    const [type, reader, bids] = [root.lookupType("Bid"), protobufjs.Reader.create(bytes), [] as object[]];
    while (reader.pos < reader.len) bids.push(type.toObject(type.decodeDelimited(reader)));
    return bids;
  }
  if (name !== "csv")
    return bytes
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const lines: string[][] = parseCsv(bytes, { record_delimiter: "\n" });
  return lines.map(([id, impid, price, cid, crid, domains = "", adm, w, h, exp, dealid]) => ({
    ...{ id, impid, price: Number(price), cid, crid, adomain: domains.split(" "), adm },
    ...{ w: Number(w), h: Number(h), exp: Number(exp), ...(dealid && { dealid }) },
  }));
}

function checks(rows: Row[]): Record<string, number> {
  const of = (name: string, form: Form, list: string) => find(rows, name, groupOf(form, list));
  const vsBase = (form: Form, list: string) => ratio(of(OURS, form, list), of(BASE, form, list), "us");
  const bytes = (name: string, form: Form) => of(name, form, "5,000").facts["bytes"] ?? Number.NaN;
  const inMemory = rows.filter(({ name, group }) => name === OURS && group.includes("to memory"));
  return {
    "write.vs_stringify_1": vsBase("response", "1"),
    "write.vs_stringify_10": vsBase("response", "10"),
    "write.vs_stringify_5000": vsBase("records", "5,000"),
    "write.allocated": Math.max(...inMemory.map(({ facts }) => facts["allocated"] ?? Number.NaN)),
    "write.protobuf_size_vs_json": bytes(PROTOBUF, "records") / bytes(BASE, "records"),
    "write.gzip_size_vs_json": bytes(OURS, "gzip") / bytes(OURS, "records"),
  };
}

function groupOf(form: Form, list: string): string {
  return `${FORMS[form]}; bids: ${list}`;
}

function inputOf({ name }: List, form: Form): string {
  return `${name} ${form}`;
}
