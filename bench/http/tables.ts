//! The tables of `http`.

import { digits } from "../statistics.ts";
import type { Table } from "../suite.ts";
import type { Mode, Row } from "./rows.ts";

/** The settings of the load. */
export interface Load {
  connections: number;
  /** Requests per second of the open loop. */
  rate: number;
  /** Limit of p99 at the highest rate, in milliseconds. */
  limit_ms: number;
}

/** First both loops side by side, then all columns of each loop. */
export function loadTables(rows: Row[], load: Load): Table[] {
  const closed = rows.filter(({ mode }) => mode === "closed");
  const open = rows.filter(({ mode }) => mode === "open");
  return [
    {
      title: `closed loop beside open loop (${load.rate} requests/s); the highest rate with p99 ≤ ${load.limit_ms} ms and no bad response`,
      columns: [
        ..."target;bad;requests/s;p50;p99;max;stops;stopped".split(";"),
        ..."open: p50;p99;max;stops;stopped;highest rate".split(";"),
      ],
      rows: closed.map((row) => {
        const paced = open.find(({ target }) => target === row.target);
        return [
          row.target,
          String(row.bad + (paced?.bad ?? 0)),
          whole(row.per_second),
          ...brief(row),
          ...(paced ? brief(paced) : []),
          row.highest_rate === null ? "–" : whole(row.highest_rate),
        ];
      }),
    },
    loadTable(`closed loop, ${load.connections} connections; times in ms`, closed, "closed"),
    loadTable(`open loop, ${load.rate} requests/s, times from when each request was due, in ms`, open, "open"),
  ];
}

function loadTable(title: string, rows: Row[], mode: Mode): Table {
  const isOpen = mode === "open";
  const complaints = rows.flatMap(({ target, bad, complaint }) =>
    bad > 0 ? [`${target}: ${bad} bad responses, for example: ${complaint}`] : [],
  );
  return {
    title,
    columns: [
      ...["target", "bad", ...(isOpen ? ["unsent"] : []), "requests"],
      ..."/s;max /s;MB/s;mean;p50;p75;p90;p95;p99;p99.9;max;stops;stopped;cores;CPU µs".split(";"),
      // In the open loop all targets get the same rate.
      ...(isOpen ? [] : ["/ hello", "/ read", "/ twin"]),
    ],
    rows: [
      ...complaints,
      ...rows.map((row) => [
        row.target,
        String(row.bad),
        ...(isOpen ? [String(row.unsent)] : []),
        whole(row.requests),
        whole(row.per_second),
        whole(row.per_second_max),
        digits(row.read_per_second / 1e6),
        ...[row.mean_us, row.p50_us, row.p75_us, row.p90_us, row.p95_us, row.p99_us, row.p999_us, row.max_us].map(ms),
        String(row.stops),
        digits(row.stopped_ms),
        number(row.cores),
        number(row.cpu_us),
        ...(isOpen ? [] : [row.vs_hello, row.vs_read, row.vs_twin].map(number)),
      ]),
    ],
  };
}

function brief({ p50_us, p99_us, max_us, stops, stopped_ms }: Row): string[] {
  return [ms(p50_us), ms(p99_us), ms(max_us), String(stops), digits(stopped_ms)];
}

/** A turn without responses has no times. */
function ms(us: number): string {
  return us > 0 ? digits(us / 1000) : "–";
}

function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString("en") : "–";
}

function number(value: number | null): string {
  return value === null ? "–" : digits(value);
}
