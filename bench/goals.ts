//! The project's goals, by the names of the suites' checks.

import type { Table } from "./rows.ts";
import type { Report } from "./suite.ts";
import { digits } from "./units.ts";

interface Goal {
  check: string;
  /** The label for people. */
  what: string;
  min?: number;
  max?: number;
}

const GOALS: Goal[] = [
  atMost("read.vs_json_parse_600", "reading a request of 0.6 KB / `JSON.parse` of the same text", 0.5),
  atMost("read.vs_json_parse_3800", "the same with 3.8 KB", 0.24),
  atMost("read.vs_json_parse_100k", "the same with 100 KB", 0.28),
  atMost("read.protobuf_vs_json_3800", "reading 3.8 KB of JSON as protobuf / as JSON", 0.75),
  atMost("read.wasm_vs_native", "the same reader in Wasm / natively", 1.6),
  atMost("decide.instructions_1000", "WebAssembly instructions of a decision with 1,000 campaigns", 63_000),
  atMost("decide.instructions_0", "the same without campaigns", 20_000),
  atMost("decide.instructions_worst", "instructions of the worst known request beyond reading it / mean request", 30),
  atMost("decide.vs_json_parse_1000", "a decision with 1,000 campaigns / `JSON.parse` alone", 1.35),
  atMost("decide.cold_vs_json_parse_cold_1000", "the same with cold caches on both sides", 1.5),
  atLeast("decide.peer_vs_this", "a decision of a first day's bidder in TypeScript / of edgebid", 9),
  atMost("decide.allocs", "memory allocations per decision", 0),
  atMost("decide.memory_growth", "growth of memory in 1,000,000 decisions, in bytes", 0),
  atMost("decide.budgets_on_vs_off", "instructions of a decision with 1,000 budgets / without", 1.03),
  atMost("decide.shading_on_vs_off", "instructions of a decision with learned shading / without", 1.02),
  atMost("decide.notices_on_vs_off", "instructions of a decision with notices / without", 1.08),
  atMost("scale.c50000_vs_c100", "a decision with 50,000 campaigns / with 100", 1.8),
  atMost("catalog.load_vs_json_parse_10000", "loading 10,000 campaigns / `JSON.parse` of them", 0.1),
  atMost("catalog.compile_ms_10000", "validating and compiling 10,000 campaigns, in ms", 5000),
  atMost("http.bad", "bad responses", 0),
  atLeast("http.mix_vs_read", "requests/s of the production mix / of a Worker that only reads", 0.85),
  atLeast("http.bid_vs_echo", "requests/s of bids / of a fixed answer of the same size", 0.76),
  atMost("http.p99_mix_vs_read_open", "p99 of the mix / of a Worker that only reads, at 1,000 requests/s", 1.2),
  atLeast("http.mix_vs_peer", "requests/s of the mix / of a first day's bidder", 1.5),
  atMost("http.gzip_vs_plain", "time of a request with gzip / without", 1.5),
  atLeast("http.events_on_vs_off", "requests/s of the mix with events / without", 0.97),
  atMost("overload.bad", "bad responses at three times the highest rate", 0),
  atLeast("overload.goodput", "right answers/s at three times the highest rate / that rate", 0.9),
  atMost("overload.p99_vs_normal", "p99 at three times the highest rate / at that rate", 2),
  atMost("soak.unequal", "counts that do not agree after 30 minutes with faults", 0),
  atMost("soak.memory_growth", "growth of memory after the first five of these minutes, in bytes", 33_554_432),
  atMost("soak.heap_growth", "the same of the bidder's heap after garbage collection", 4_194_304),
  atMost("soak.wasm_growth", "the same of its WebAssembly memory", 4_194_304),
  atLeast("notices.per_second_vs_rpc", "bills/s of a ledger's object with group commit / a transaction each", 2),
  atMost("notices.rows_per_bill", "rows that a bill writes", 1.05),
  atMost(
    "pacing.overspend_max_100",
    "worst simulated overspend of a campaign of at least $100 a day / its budget",
    0.001,
  ),
  atMost("pacing.overspend_max_5", "the same of smaller campaigns, beyond one impression", 0.005),
  atLeast("pacing.delivery_min", "least delivery of a campaign / what its requests allowed", 0.98),
  atLeast("shading.surplus_vs_flat", "least simulated surplus of learned shading / of the best flat bid", 0.97),
  atLeast("shading.untold_surplus_vs_flat", "the same if exchanges tell no prices to win", 0.93),
  atLeast("replay.decisions_per_second", "decisions/s of a replay of the mix in one process", 10_000),
  atMost("replay.memory_growth", "memory of a replay of 1,000,000 requests above one of 100,000, in bytes", 50_331_648),
  atMost("size.wasm_gzip_bytes", "size of the serving module after gzip, in bytes", 190_000),
];

function atMost(check: string, what: string, max: number): Goal {
  return { check, what, max };
}

function atLeast(check: string, what: string, min: number): Goal {
  return { check, what, min };
}

/** Each goal with the value that these results measured, and whether it is met. */
export function goalTable(reports: Report[]): Table {
  const rows = GOALS.flatMap((goal) => {
    const report = reports.find(({ checks }) => goal.check in checks);
    const value = report?.checks[goal.check];
    if (report === undefined || value === undefined) return [];
    return [[goal.what, amount(value), bound(goal), isMet(goal, value) ? "yes" : "no", report.date.slice(0, 10)]];
  });
  return { title: "goals", columns: ["what", "measured", "goal", "met", "on"], rows };
}

/** The checks that both results have, side by side, with the goal of each that has one. */
export function checkTable(before: Report[], after: Report[]): Table {
  const checks = before.flatMap(({ checks }) => Object.entries(checks));
  const others = new Map(after.flatMap(({ checks }) => Object.entries(checks)));
  const rows = checks.flatMap(([name, value]) => {
    const other = others.get(name);
    const goal = GOALS.find(({ check }) => check === name);
    return other === undefined ? [] : [[name, amount(value), amount(other), goal ? bound(goal) : ""]];
  });
  return { title: "checks, the median of the turns", columns: ["check", "before", "after", "goal"], rows };
}

function isMet({ min, max }: Goal, value: number): boolean {
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}

/** `≤ 0.15` */
function bound({ min, max }: Goal): string {
  return min === undefined ? `≤ ${max?.toLocaleString("en")}` : `≥ ${min.toLocaleString("en")}`;
}

/** A number as text. */
export function amount(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString("en") : digits(value);
}
