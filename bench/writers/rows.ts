//! Turns the measurements of `writers` into rows, checks, figures, tables and a sentence.

import { digits, median, medianError } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios } from "../turns.ts";
import type { Series } from "./rounds.ts";
import { STRINGIFY, type Way } from "./ways.ts";

export interface Row {
  list: string;
  way: Way;
  writer: string;
  median_us: number;
  /** Half of the 95 % confidence interval of the median. */
  error_us: number;
  /** Rank among the writers of a list and way; 1 is the fastest. Writers share a rank if their errors overlap. */
  rank: number;
  /** Each turn gives the ratio to `JSON.stringify`; this is the median of the ratios. */
  vs_stringify: number;
  native_median_us: number | null;
  /** Bytes allocated in the module's memory per write, when warm; null for V8. */
  allocated: number | null;
  bytes: number;
  /** Size relative to `JSON.stringify`. */
  size_vs_stringify: number;
  turns_us: number[];
}

const OURS = "edgebid, fragments";

const TITLES: Record<Way, string> = {
  response: "a response, to memory",
  records: "records, to memory",
  stream: "records, to a stream",
  gzip: "records, to a stream with gzip",
};

export function rows(all: Series[]): Row[] {
  return all.map((one) => {
    const { list, way, writer, bytes, allocated, wasm, native } = one;
    const beside = all.filter((other) => other.list === list && other.way === way);
    const base = baseOf(all, one);
    return {
      list,
      way,
      writer,
      median_us: median(wasm),
      error_us: medianError(wasm),
      rank:
        1 +
        beside.filter((other) => median(other.wasm) + medianError(other.wasm) < median(wasm) - medianError(wasm))
          .length,
      vs_stringify: median(ratios(wasm, base.wasm)),
      native_median_us: native.length > 0 ? median(native) : null,
      allocated,
      bytes,
      size_vs_stringify: bytes / base.bytes,
      turns_us: wasm.map((value) => Number(value.toPrecision(4))),
    };
  });
}

/** Each writer's time relative to `JSON.stringify`, and the time of `JSON.stringify` in microseconds. */
export function figures(all: Series[]): Figure[] {
  return all.map((one) => {
    const { list, way, writer, wasm } = one;
    const isBase = writer === STRINGIFY;
    return {
      name: `${writer}, ${list}, ${way}`,
      unit: isBase ? "µs" : `/ ${STRINGIFY}`,
      better: "less",
      rounds: isBase ? wasm : ratios(wasm, baseOf(all, one).wasm),
    };
  });
}

export function checks(rows: Row[]): Record<string, number> {
  const of = (writer: string, list: string, way: Way) => {
    const row = rows.find((row) => row.writer === writer && row.list === list && row.way === way);
    if (!row) throw new Error(`${writer} has not written ${list}, ${way}`);
    return row;
  };
  const ours = rows.filter(({ writer, way }) => writer === OURS && (way === "response" || way === "records"));
  return {
    "write.vs_stringify_1": of(OURS, "1", "response").vs_stringify,
    "write.vs_stringify_10": of(OURS, "10", "response").vs_stringify,
    "write.vs_stringify_5000": of(OURS, "5,000", "records").vs_stringify,
    "write.allocated": Math.max(...ours.map(({ allocated }) => allocated ?? Number.NaN)),
    "write.protobuf_size_vs_json": of("protobuf (prost)", "5,000", "records").size_vs_stringify,
    "write.gzip_size_vs_json": of(OURS, "5,000", "gzip").bytes / of(OURS, "5,000", "records").bytes,
  };
}

export function tables(rows: Row[]): Table[] {
  const columns = "writer;median;error;rank;/ stringify;native;allocated;size;size / stringify".split(";");
  return Object.entries(TITLES).map(([way, title]) => {
    const ofWay = rows.filter((row) => row.way === way);
    const lines = ofWay.flatMap((row, at): (string | string[])[] => {
      const cells = [
        row.writer,
        time(row.median_us),
        `± ${time(row.error_us)}`,
        String(row.rank),
        digits(row.vs_stringify),
        row.native_median_us === null ? "–" : time(row.native_median_us),
        row.allocated === null ? "–" : bytes(row.allocated),
        bytes(row.bytes),
        digits(row.size_vs_stringify),
      ];
      return row.list === ofWay[at - 1]?.list ? [cells] : [`bids: ${row.list}`, cells];
    });
    return { title, columns, rows: lines };
  });
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[]): string {
  const of = (list: string, way: Way) => rows.filter((row) => row.list === list && row.way === way);
  const ours = of("10", "response").find(({ writer }) => writer === OURS);
  const rival = of("10", "response")
    .filter(({ writer }) => !writer.startsWith("edgebid"))
    .toSorted((a, b) => a.vs_stringify - b.vs_stringify)[0];
  const smallest = of("5,000", "records").toSorted((a, b) => a.bytes - b.bytes)[0];
  const packed = of("5,000", "gzip").toSorted((a, b) => a.bytes - b.bytes)[0];
  if (!ours || !rival || !smallest || !packed) throw new Error("a list is missing");
  return (
    `the bidder's writer writes a response with ten bids in ${digits(ours.median_us)} µs, ${digits(ours.vs_stringify)} of the time of ` +
    `JSON.stringify; the fastest other writer is ${rival.writer} with ${digits(rival.vs_stringify)}. For 5,000 records ${smallest.writer} ` +
    `makes the fewest bytes, ${digits(smallest.size_vs_stringify)} of JSON; with gzip ${packed.writer} does, in ${digits(packed.median_us / 1000)} ms.`
  );
}

function baseOf(all: Series[], { list, way }: Series): Series {
  const base = all.find((other) => other.list === list && other.way === way && other.writer === STRINGIFY);
  if (!base) throw new Error(`${STRINGIFY} has not written ${list}, ${way}`);
  return base;
}

export function time(us: number): string {
  return us < 10_000 ? `${digits(us)} µs` : `${digits(us / 1000)} ms`;
}

function bytes(value: number): string {
  return value < 10_000 ? `${digits(value)} B` : `${digits(value / 1024)} KB`;
}
