//! The tables of `http` for people.

import { digits } from "../statistics.ts";
import { table } from "../table.ts";
import type { Row } from "./rows.ts";
import type { Application } from "./servers.ts";

/** `gzip`: bytes of the bidder's module, compressed. */
export function asTables(applications: Application[], gzip: number, rows: Row[], rate: number): string {
  const module = `the bidder's .wasm compressed: ${kilobytes(gzip)}; the processor that each takes: below`;
  return `${applicationTable(applications)}\n${module}\n\n${loadTable(rows, rate)}`;
}

function applicationTable(applications: Application[]): string {
  const columns = ["application", "start", "first request", "memory", "after load", "bundle", ".wasm", "snapshot"];
  const lines = applications.map((one) => [
    one.name,
    `${digits(one.start_ms)} ms`,
    `${digits(one.first_ms)} ms`,
    megabytes(one.working_set_start),
    megabytes(one.working_set),
    kilobytes(one.script_bytes),
    kilobytes(one.wasm_bytes),
    kilobytes(one.snapshot_bytes),
  ]);
  return table(columns, lines);
}

function loadTable(rows: Row[], rate: number): string {
  const columns = (
    "ms,bad,unsent,requests,/s,max /s,MB/s,cores,CPU µs,mean,p50,p75,p90,p95,p99,p99.9,max,stops,stopped," +
    "/ hello,/ read,/ twin"
  ).split(",");
  const lines = rows.flatMap((row, at): (string | string[])[] => {
    const cells = [
      row.mode === "open" ? `  open, ${rate}/s` : "  closed",
      String(row.bad),
      row.mode === "open" ? String(row.unsent) : "–",
      whole(row.requests),
      whole(row.per_second),
      whole(row.per_second_max),
      digits(row.read_per_second / 1e6),
      number(row.cores),
      number(row.cpu_us),
      ...[row.mean_us, row.p50_us, row.p75_us, row.p90_us, row.p95_us, row.p99_us, row.p999_us, row.max_us].map((us) =>
        digits(us / 1000),
      ),
      String(row.stops),
      digits(row.stopped_ms),
      // The rate of the open loop is the same for all.
      ...(row.mode === "open" ? ["–", "–", "–"] : [number(row.vs_hello), number(row.vs_read), number(row.vs_twin)]),
    ];
    return row.target === rows[at - 1]?.target ? [cells] : [row.target, cells];
  });
  const complaints = rows.flatMap(({ target, mode, bad, complaint }) =>
    bad > 0 ? [`${target}, ${mode}: ${bad} bad responses; one of them: ${complaint}`] : [],
  );
  return [...complaints, table(columns, lines)].join("\n");
}

function megabytes(bytes: number | null): string {
  return bytes === null ? "–" : `${digits(bytes / 2 ** 20)} MB`;
}

function kilobytes(bytes: number | null): string {
  return bytes === null || bytes === 0 ? "–" : `${digits(bytes / 2 ** 10)} KB`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function number(value: number | null): string {
  return value === null ? "–" : digits(value);
}
