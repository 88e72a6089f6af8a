//! The targets. Each one is a server, a path and a list of requests.

import { type Case, type Expected, type Gzip, prepared, type Requests } from "./requests.ts";

/** The values of `--target`. */
export const KINDS = ["ceiling", "hello", "read", "echo", "peer", "bidder"] as const;
export type Kind = (typeof KINDS)[number];

export interface Target {
  name: string;
  kind: Kind;
  /** Name of the server. */
  server: string;
  /** The list of requests to send. */
  requests: keyof Requests;
  gzip: Gzip;
  /** Index of the catalog in {@link CATALOGS}. */
  catalog: number;
}

/** Index of the catalog that decides which requests count as bids. The peer uses this catalog. */
export const DEFAULT_CATALOG = 1;

/** Campaigns of each catalog. */
export const CATALOGS = [10, 1000, 10_000, 50_000];

/** The server whose SSP accepts compressed responses. */
export const GZIP_OUT = "bidder, gzip out";

/** The server that sends events through a queue to a collector. */
export const EVENTS = "bidder, events";

export const TARGETS: Target[] = [
  target("ceiling", "ceiling", "ceiling"),
  target("hello", "hello", "baseline"),
  target("read", "read", "baseline"),
  target("echo", "echo", "baseline", "bids"),
  target("peer", "peer", "peer"),
  target("bidder", "bidder", "bidder 1,000"),
  target("bidder, events", "bidder", EVENTS),
  target("bidder, gzip in", "bidder", "bidder 1,000", "production", { request: true }),
  target("bidder, gzip out", "bidder", GZIP_OUT, "bids", { response: true }),
  target("bidder, bids", "bidder", "bidder 1,000", "bids"),
  target("bidder, no-bids", "bidder", "bidder 1,000", "noBids"),
  target("bidder, 10 campaigns", "bidder", "bidder 10", "production", { catalog: 0 }),
  target("bidder, 10,000 campaigns", "bidder", "bidder 10,000", "production", { catalog: 2 }),
  target("bidder, 50,000 campaigns", "bidder", "bidder 50,000", "production", { catalog: 3 }),
];

/**
 * The most characters of a request to `hello`: workerd may close a connection while an unread body is still arriving.
 */
const MAX_UNREAD = 16_384;

export function casesOf({ kind, requests }: Target, all: Requests): Case[] {
  return kind === "hello" ? all[requests].filter(({ text }) => text.length <= MAX_UNREAD) : all[requests];
}

/** The generator's file with the requests of a target. */
export function fileOf(target: Target, all: Requests): Uint8Array {
  const isBid = target.kind === "peer" || target.kind === "bidder";
  const path = isBid ? "/bid/demo" : `/${target.kind}`;
  return prepared(casesOf(target, all), path, (one) => expectedOf(target, one), target.gzip);
}

function expectedOf({ kind, catalog }: Target, one: Case): Pick<Expected, "status" | "begin"> {
  if (kind === "echo") return { status: 200, begin: "{" };
  if (kind === "peer") return one.peer;
  if (kind !== "bidder") return { status: 204, begin: "" };
  const expected = one.expected[catalog];
  if (!expected) throw new Error(`no expected response for the catalog ${catalog}`);
  return expected;
}

function target(
  name: string,
  kind: Kind,
  server: string,
  requests: keyof Requests = "production",
  { request = false, response = false, catalog = DEFAULT_CATALOG } = {},
): Target {
  return { name, kind, server, requests, gzip: { request, response }, catalog };
}
