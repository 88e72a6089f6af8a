//! Turns the measurements of `http` into rows, figures, checks and a sentence. Each round gives one ratio.

import { digits, median } from "../statistics.ts";
import type { Figure } from "../suite.ts";
import { ratios } from "../turns.ts";
import type { Load } from "./load.ts";
import type { Kind, Target } from "./targets.ts";

/** One turn: the result of the generator, and the processor time of the server. */
export interface Turn extends Load {
  /** Processor time in milliseconds; null if /proc cannot tell. */
  cpu_ms: number | null;
  wall_ms: number;
}

export type Mode = "closed" | "open";

/** A target in one loop, with one turn per round. */
export interface Series {
  target: Target;
  mode: Mode;
  turns: Turn[];
  /** Only in the closed loop's series, if the search ran. */
  highest: Highest | null;
}

/** The highest rate at which a target passes the open-loop test, and all turns of the search. */
export interface Highest {
  rate: number;
  tried: Turn[];
}

/** Limit of p99 at the highest rate, in milliseconds. */
export const LIMIT_MS = 10;

type Time = "mean_us" | "p50_us" | "p75_us" | "p90_us" | "p95_us" | "p99_us" | "p999_us";
const TIMES: Time[] = ["mean_us", "p50_us", "p75_us", "p90_us", "p95_us", "p99_us", "p999_us"];

/** Medians over the rounds; counts and `stopped_ms` are sums. */
export interface Row extends Record<Time, number> {
  target: string;
  mode: Mode;
  bad: number;
  unsent: number;
  complaint: string | null;
  requests: number;
  per_second: number;
  /** Maximum of all rounds. */
  per_second_max: number;
  /** Bytes of responses per second. */
  read_per_second: number;
  /** Maximum of all rounds. */
  max_us: number;
  stops: number;
  stopped_ms: number;
  /** Cores that the server used; null if /proc cannot tell. */
  cores: number | null;
  /** The server's processor time per request, in microseconds. */
  cpu_us: number | null;
  /** Requests per second relative to `hello`, `read` and the twin, in the same loop with the same requests. */
  vs_hello: number | null;
  vs_read: number | null;
  vs_twin: number | null;
  /** Highest rate at which the target passes the open-loop test; null if the search did not run. */
  highest_rate: number | null;
  turns: Turn[];
}

export function rows(all: Series[]): Row[] {
  return all.map((one) => {
    const { target, mode, turns } = one;
    const middle = (of: (turn: Turn) => number) => median(turns.map(of));
    const total = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0);
    const times = Object.fromEntries(TIMES.map((name) => [name, middle((turn) => turn[name])]));
    return {
      target: target.name,
      mode,
      bad: allTurns(one).reduce((total, { bad }) => total + bad, 0),
      unsent: total(({ unsent }) => unsent),
      complaint: allTurns(one).find(({ complaint }) => complaint !== null)?.complaint ?? null,
      requests: total(({ requests }) => requests),
      per_second: middle(perSecond),
      per_second_max: Math.max(...turns.map(perSecond)),
      read_per_second: middle(({ bytes, seconds }) => bytes / seconds),
      ...(times as Record<Time, number>),
      max_us: Math.max(...turns.map(({ max_us }) => max_us)),
      stops: total(({ stops }) => stops),
      stopped_ms: total(({ stopped_ms }) => stopped_ms),
      cores: finite(middle((turn) => (turn.cpu_ms ?? Number.NaN) / turn.wall_ms)),
      cpu_us: finite(middle(cpuPerRequest)),
      vs_hello: perSecondRatio(all, one, "hello"),
      vs_read: perSecondRatio(all, one, "read"),
      vs_twin: perSecondRatio(all, one, "twin"),
      highest_rate: one.highest?.rate ?? null,
      turns,
    };
  });
}

/** Closed loop: requests/s relative to `read` with the same requests, if `read` was driven. Open loop: times. */
export function figures(all: Series[]): Figure[] {
  return all.flatMap((one) => {
    const { target, mode, turns } = one;
    if (mode === "open") {
      return [
        figure(
          `${target.name}, p50, open loop`,
          "µs",
          "less",
          turns.map(({ p50_us }) => p50_us),
        ),
        figure(
          `${target.name}, p99, open loop`,
          "µs",
          "less",
          turns.map(({ p99_us }) => p99_us),
        ),
      ];
    }
    const base = baseOf(all, one, "read");
    const over = (of: (turn: Turn) => number) =>
      base && base !== one ? ratios(turns.map(of), base.turns.map(of)) : turns.map(of);
    const unit = (own: string) => (base && base !== one ? "/ read" : own);
    return [
      figure(`${target.name}, requests/s`, unit("requests/s"), "more", over(perSecond)),
      figure(`${target.name}, CPU of a request`, unit("µs"), "less", over(cpuPerRequest)),
    ];
  });
}

function figure(name: string, unit: string, better: Figure["better"], rounds: number[]): Figure {
  return { name, unit, better, rounds };
}

/** The checks, by the names of the goals; only for driven targets. */
export function checks(all: Series[]): Record<string, number> {
  const closed = (name: string) => all.find(({ target, mode }) => target.name === name && mode === "closed");
  const open = (name: string) => all.find(({ target, mode }) => target.name === name && mode === "open");
  const compared = (one: Series | undefined, other: string, of: (turn: Turn) => number) =>
    one === undefined ? null : ratio(all, one, other, of);
  const p99 = ({ p99_us }: Turn) => p99_us;
  const gzip = compared(closed("bidder, gzip in"), "bidder", perSecond);
  const gzipOut = compared(closed("bidder, gzip out"), "bidder, bids", perSecond);
  const gzipBoth = compared(closed("bidder, gzip both"), "bidder, bids", perSecond);
  const found = {
    "http.bad": all.flatMap(allTurns).reduce((total, { bad }) => total + bad, 0),
    "http.mix_vs_read": compared(closed("bidder"), "read", perSecond),
    "http.bid_vs_echo": compared(closed("bidder, bids"), "echo", perSecond),
    "http.p99_mix_vs_read_open": compared(open("bidder"), "read", p99),
    "http.mix_vs_twin": compared(closed("bidder"), "twin", perSecond),
    "http.3800_vs_twin": compared(closed("bidder, 3.8 KB"), "twin, 3.8 KB", perSecond),
    "http.events_on_vs_off": compared(closed("bidder, events"), "bidder", perSecond),
    "http.cpu_events_on_vs_off": compared(closed("bidder, events"), "bidder", cpuPerRequest),
    "http.gzip_vs_plain": gzip && 1 / gzip,
    "http.gzip_out_vs_plain": gzipOut && 1 / gzipOut,
    "http.gzip_both_vs_plain": gzipBoth && 1 / gzipBoth,
    "http.highest_rate": closed("bidder")?.highest?.rate ?? null,
    "http.cpu_mix_vs_read": compared(closed("bidder"), "read", cpuPerRequest),
    "http.cpu_mix_vs_twin": compared(closed("bidder"), "twin", cpuPerRequest),
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, number] => entry[1] !== null));
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[]): string {
  const row = (name: string, mode: Mode = "closed") => rows.find((row) => row.target === name && row.mode === mode);
  const [bidder, read, twin, ceiling] = [row("bidder"), row("read"), row("twin"), row("ceiling")];
  const bad = rows.reduce((total, row) => total + row.bad, 0);
  if (!bidder || !read || !twin || !ceiling)
    return `${bad} bad responses; some targets were left out, so nothing is compared.`;
  const paused = ["bidder", "read"].map((name) => {
    const { p99_us = Number.NaN, stops = 0, stopped_ms = 0 } = row(name, "open") ?? {};
    return `${digits(p99_us / 1000)} ms (${stops} stops of 20 ms or more, ${digits(stopped_ms)} ms in total)`;
  });
  const one = ({ per_second, cpu_us }: Row) =>
    `${count(per_second)} requests/s${cpu_us === null ? "" : ` (${digits(cpu_us)} µs of processor time each)`}`;
  return (
    `${bad} bad responses; the bidder with 1,000 campaigns answers ${one(bidder)} of a mix with 90 % no-bids, a Worker that ` +
    `only reads the body ${one(read)}, the TypeScript twin ${one(twin)}; the limit of the generator is ${count(ceiling.per_second)}. ` +
    (bidder.highest_rate === null
      ? ""
      : `It holds ${count(bidder.highest_rate)} requests/s with p99 ≤ ${LIMIT_MS} ms. `) +
    `In the open loop p99 is ${paused[0]}, for the Worker that only reads ${paused[1]}.`
  );
}

/** Requests per second relative to the target of this kind that gets the same requests. */
function perSecondRatio(all: Series[], one: Series, kind: Kind): number | null {
  const base = baseOf(all, one, kind);
  return base ? ratio(all, one, base.target.name, perSecond) : null;
}

function baseOf(all: Series[], { mode, target: { requests } }: Series, kind: Kind): Series | undefined {
  return all.find(
    ({ target, ...other }) => target.kind === kind && target.requests === requests && other.mode === mode,
  );
}

/** Each round gives a ratio to another target in the same loop; returns the median. Null if `other` was not driven. */
function ratio(all: Series[], one: Series, other: string, of: (turn: Turn) => number): number | null {
  const base = all.find(({ target, mode }) => target.name === other && mode === one.mode);
  if (base === undefined || base === one) return null;
  return finite(median(ratios(one.turns.map(of), base.turns.map(of))));
}

/** All turns, also those of the search for the highest rate, because a bad response counts at any rate. */
function allTurns({ turns, highest }: Series): Turn[] {
  return [...turns, ...(highest?.tried ?? [])];
}

function perSecond({ requests, seconds }: Turn): number {
  return requests / seconds;
}

function cpuPerRequest({ cpu_ms, sent }: Turn): number {
  return ((cpu_ms ?? Number.NaN) * 1000) / sent;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}
