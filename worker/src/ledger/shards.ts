//! Which object of the ledger holds a bill, and until when; and to which day of a time zone a quarter of an hour
//! belongs.
//!
//! An object is named by its UTC day and its number, such as `2026-11-22/07`. So a notice that is sent again reaches the
//! object that knows the bid, and the load of a large campaign spreads over all shards.

import { QUARTER_SECONDS } from "../../../shared/ledger/rows.ts";
import { HANDOVER_APART_MS, HANDOVER_MS, LEDGER_SHARDS, NOTICE_DAYS } from "../../../shared/limits.ts";
import { DAY_MS, dayAt } from "../../../shared/time/days.ts";

type LedgerEnv = Pick<Env, "LEDGER">;

/** The object that books the bills of a bid. `quarter` is when the bid was made; its token has the number of the shard. */
export function ledgerOf(env: LedgerEnv, quarter: number, number: number): LedgerStub {
  return ledgerAt(env, shardOf(quarter, number));
}

export type LedgerStub = ReturnType<Env["LEDGER"]["getByName"]>;

/** The object with this name. */
export function ledgerAt(env: LedgerEnv, shard: string): LedgerStub {
  return env.LEDGER.getByName(shard);
}

/**
 * The object that knows for which bid a page has shown an encoded price, `price` as 16 hex digits. It has no day: a page
 * may show the price of a former day.
 */
export function sealedAt(env: LedgerEnv, price: string): LedgerStub {
  return ledgerAt(env, shardAt("sealed", Number.parseInt(price.slice(0, 8), 16) % LEDGER_SHARDS));
}

/** The only object with the totals of past days. */
export function summaryOf(env: Pick<Env, "SUMMARY">): ReturnType<Env["SUMMARY"]["getByName"]> {
  return env.SUMMARY.getByName("summary");
}

/** The name of the object for a bid. */
export function shardOf(quarter: number, number: number): string {
  return shardAt(utcDay(quarter), number);
}

/** The names of all objects of a UTC day. */
export function shardsOf(day: string): string[] {
  return Array.from({ length: LEDGER_SHARDS }, (_, number) => shardAt(day, number));
}

function shardAt(day: string, number: number): string {
  return `${day}/${String(number).padStart(2, "0")}`;
}

/** The UTC day of an object. */
export function dayOfShard(shard: string): string {
  return shard.slice(0, shard.indexOf("/"));
}

/** The number of the quarter at `now`, in milliseconds since the epoch. */
export function quarterAt(now: number): number {
  return Math.floor(now / (QUARTER_SECONDS * 1000));
}

/** The UTC day of a quarter, `YYYY-MM-DD`. */
export function utcDay(quarter: number): string {
  return dayAt(quarter * QUARTER_SECONDS * 1000);
}

/** When the objects of a UTC day stop taking notices, in milliseconds since the epoch. */
export function closesAt(day: string): number {
  return Date.parse(day) + NOTICE_DAYS * DAY_MS;
}

/** When an object hands over its totals, in milliseconds since the epoch. */
export function handoverAt(shard: string): number {
  return closesAt(dayOfShard(shard)) + HANDOVER_MS + Number(shard.slice(shard.indexOf("/") + 1)) * HANDOVER_APART_MS;
}

/** For each time zone, its format and the days of the quarters that were asked for. */
const zones = new Map<string, { format: Intl.DateTimeFormat; days: Map<number, string> }>();

/** The day of a quarter in an IANA time zone. An empty or unknown zone means UTC. */
export function localDay(quarter: number, zone: string): string {
  let known = zones.get(zone);
  if (known === undefined) {
    known = { format: formatOf(zone), days: new Map() };
    zones.set(zone, known);
  }
  let day = known.days.get(quarter);
  if (day === undefined) {
    day = known.format.format(quarter * QUARTER_SECONDS * 1000);
    known.days.set(quarter, day);
  }
  return day;
}

/** A format that writes `YYYY-MM-DD`. One unknown zone must not stop the report of all others. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  try {
    return new Intl.DateTimeFormat("en-CA", { ...parts, timeZone: zone || "UTC" });
  } catch {
    return new Intl.DateTimeFormat("en-CA", { ...parts, timeZone: "UTC" });
  }
}
