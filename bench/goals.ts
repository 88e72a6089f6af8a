//! The project's goals, by the names of the suites' checks.

import { digits } from "./statistics.ts";

export interface Goal {
  check: string;
  /** The label for people. */
  what: string;
  min?: number;
  max?: number;
}

export const GOALS: Goal[] = [
  { check: "read.vs_json_parse_600", what: "reading a request of 0.6 KB / `JSON.parse` of the same text", max: 0.28 },
  { check: "read.vs_json_parse_3800", what: "the same with 3.8 KB", max: 0.2 },
  { check: "read.vs_json_parse_100k", what: "the same with 100 KB", max: 0.2 },
  { check: "read.protobuf_vs_json_3800", what: "reading 3.8 KB of JSON as protobuf / as JSON", max: 0.6 },
  { check: "read.wasm_vs_native", what: "the same reader in Wasm / natively", max: 1.6 },
  {
    check: "decide.instructions_1000",
    what: "WebAssembly instructions of a decision with 1,000 campaigns",
    max: 60_000,
  },
  { check: "decide.instructions_0", what: "the same without campaigns", max: 20_000 },
  {
    check: "decide.instructions_worst",
    what: "instructions of the worst known request beyond reading it / mean request",
    max: 20,
  },
  { check: "decide.vs_json_parse_1000", what: "a decision with 1,000 campaigns / `JSON.parse` alone", max: 0.8 },
  {
    check: "decide.cold_vs_json_parse_cold_1000",
    what: "the same with cold caches on both sides",
    max: 0.65,
  },
  { check: "decide.peer_vs_this", what: "a decision of a first day's bidder in TypeScript / of edgebid", min: 9 },
  { check: "decide.allocs", what: "memory allocations per decision", max: 0 },
  { check: "decide.memory_growth", what: "growth of memory in 1,000,000 decisions, in bytes", max: 0 },
  { check: "decide.budgets_on_vs_off", what: "instructions of a decision with 1,000 budgets / without", max: 1.03 },
  { check: "decide.notices_on_vs_off", what: "instructions of a decision with notices / without", max: 1.05 },
  { check: "scale.c50000_vs_c100", what: "a decision with 50,000 campaigns / with 100", max: 2 },
  { check: "catalog.load_vs_json_parse_10000", what: "loading 10,000 campaigns / `JSON.parse` of them", max: 0.05 },
  { check: "catalog.compile_ms_10000", what: "validating and compiling 10,000 campaigns, in ms", max: 5000 },
  { check: "pushes.bad", what: "bad answers while catalogs are pushed", max: 0 },
  { check: "http.bad", what: "bad responses", max: 0 },
  { check: "http.mix_vs_read", what: "requests/s of the production mix / of a Worker that only reads", min: 0.85 },
  { check: "http.bid_vs_echo", what: "requests/s of bids / of a fixed answer of the same size", min: 0.85 },
  {
    check: "http.p99_mix_vs_read_open",
    what: "p99 of the mix / of a Worker that only reads, at 1,000 requests/s",
    max: 1.2,
  },
  { check: "http.mix_vs_peer", what: "requests/s of the mix / of a first day's bidder", min: 1.5 },
  { check: "http.gzip_vs_plain", what: "time of a request with gzip / without", max: 1.5 },
  { check: "http.events_on_vs_off", what: "requests/s of the mix with events / without", min: 0.95 },
  { check: "cookie.encodes_500", what: "encodes to find which of 500 partner ids fit into a cookie", max: 11 },
  {
    check: "post.peak_memory_growth",
    what: "memory of a post of 100,000 records above one of 100, in bytes",
    max: 2_097_152,
  },
  { check: "post.gzip_vs_plain_bytes", what: "size of that post with gzip / without", max: 0.15 },
  {
    check: "notices.per_second_vs_rpc",
    what: "bills/s of one object of the ledger with group commit / with a transaction each",
    min: 4,
  },
  { check: "notices.rows_per_bill", what: "rows that a bill writes", max: 1.05 },
  {
    check: "pacing.overspend_max_100",
    what: "simulated overspend of the worst campaign of at least $100 a day, as a part of its budget",
    max: 0.005,
  },
  { check: "pacing.overspend_max_5", what: "the same of smaller campaigns, beyond one impression", max: 0.02 },
  { check: "pacing.delivery_min", what: "least delivery of a campaign / what its requests allowed", min: 0.97 },
  { check: "replay.decisions_per_second", what: "decisions/s of a replay of the mix in one process", min: 10_000 },
  {
    check: "replay.memory_growth",
    what: "memory of a replay of 1,000,000 requests above one of 100,000, in bytes",
    max: 50_331_648,
  },
  { check: "report.bad", what: "bad answers to requests for reports", max: 0 },
  { check: "size.wasm_gzip_bytes", what: "size of the serving module after gzip, in bytes", max: 110_000 },
];

export function isMet({ min, max }: Goal, value: number): boolean {
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}

/** `≤ 0.15` */
export function bound({ min, max }: Goal): string {
  return min === undefined ? `≤ ${max?.toLocaleString("en")}` : `≥ ${min.toLocaleString("en")}`;
}

/** The measured value as text. */
export function amount(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString("en") : digits(value);
}
