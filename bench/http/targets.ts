//! The targets. Each one is a server, a path and a list of requests.

import { type Case, type Expected, type Gzip, prepared, type Requests } from "./requests.ts";

/** The values of `--target`. */
export const KINDS = ["ceiling", "hello", "read", "echo", "twin", "bidder"] as const;
export type Kind = (typeof KINDS)[number];

export interface Target {
  name: string;
  kind: Kind;
  /** Name of the server. */
  server: string;
  /** The list of requests to send. */
  requests: "production" | "bids" | "no-bids" | "3.8 KB";
  path: string;
  gzip: Gzip;
  /** Index of the catalog in {@link CATALOGS}. */
  catalog: number;
}

/** Index of the catalog that decides which requests count as bids. The twin uses this catalog. */
export const DEFAULT_CATALOG = 1;

/** Campaigns of each catalog. */
export const CATALOGS = [10, 1000, 10_000, 50_000];

/** The server whose SSP accepts compressed responses. */
export const GZIP_OUT = "bidder, gzip out";

/** The server that sends events through a queue to a collector. */
export const EVENTS = "bidder, events";

export const TARGETS: Target[] = [
  target("ceiling", "ceiling", "ceiling", "production"),
  target("hello", "hello", "baseline", "production"),
  target("read", "read", "baseline", "production"),
  target("echo", "echo", "baseline", "bids"),
  target("twin", "twin", "twin", "production"),
  target("bidder", "bidder", "bidder 1,000", "production"),
  target("bidder, events", "bidder", EVENTS, "production"),
  target("bidder, gzip in", "bidder", "bidder 1,000", "production", { gzip: { request: true, response: false } }),
  target("bidder, gzip out", "bidder", GZIP_OUT, "bids", { gzip: { request: false, response: true } }),
  target("bidder, gzip both", "bidder", GZIP_OUT, "bids", { gzip: { request: true, response: true } }),
  target("bidder, bids", "bidder", "bidder 1,000", "bids"),
  target("bidder, no-bids", "bidder", "bidder 1,000", "no-bids"),
  target("bidder, 10 campaigns", "bidder", "bidder 10", "production", { catalog: 0 }),
  target("bidder, 10,000 campaigns", "bidder", "bidder 10,000", "production", { catalog: 2 }),
  target("bidder, 50,000 campaigns", "bidder", "bidder 50,000", "production", { catalog: 3 }),
  target("read, 3.8 KB", "read", "baseline", "3.8 KB"),
  target("twin, 3.8 KB", "twin", "twin", "3.8 KB"),
  target("bidder, 3.8 KB", "bidder", "bidder 1,000", "3.8 KB"),
];

/**
 * The most characters of a request to `hello`: workerd may close a connection while an unread body is still arriving.
 */
const MAX_UNREAD = 16_384;

export function casesOf({ kind, requests }: Target, all: Requests): Case[] {
  const lists = { production: all.production, bids: all.bids, "no-bids": all.noBids, "3.8 KB": all.large };
  const list = lists[requests];
  return kind === "hello" ? list.filter(({ text }) => text.length <= MAX_UNREAD) : list;
}

/** The generator's file with the requests of a target. */
export function fileOf(target: Target, all: Requests): Uint8Array {
  return prepared(casesOf(target, all), target.path, (one) => expectedOf(target, one), target.gzip);
}

function expectedOf({ kind, catalog }: Target, one: Case): Pick<Expected, "status" | "begin"> {
  if (kind === "echo") return { status: 200, begin: "{" };
  if (kind !== "twin" && kind !== "bidder") return { status: 204, begin: "" };
  const expected = one.expected[catalog];
  if (!expected) throw new Error(`no expected response for the catalog ${catalog}`);
  return kind === "twin" ? { ...expected, begin: escapedByTwin(expected.begin) } : expected;
}

/** The bidder repeats the bytes of an id. The twin writes it with `JSON.stringify`, which escapes less. */
function escapedByTwin(begin: string): string {
  if (begin === "") return "";
  return JSON.stringify(JSON.parse(`${begin.slice(0, -1)}}`)).replace(/}$/, ",");
}

function target(
  name: string,
  kind: Kind,
  server: string,
  requests: Target["requests"],
  { gzip = { request: false, response: false }, catalog = DEFAULT_CATALOG } = {},
): Target {
  const isBid = kind === "twin" || kind === "bidder";
  return { name, kind, server, requests, path: isBid ? "/bid/demo" : `/${kind}`, gzip, catalog };
}
