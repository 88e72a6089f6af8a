//! The targets. Each one is a server, a path and a list of requests.

import { gzipSync } from "node:zlib";
import { requestFile } from "./load.ts";
import type { Case, Expected, Requests } from "./requests.ts";

/** The values of `--target`. */
export const KINDS = ["ceiling", "hello", "read", "echo", "peer", "bidder"] as const;
export type Kind = (typeof KINDS)[number];

/** Whether requests and responses are compressed. */
interface Gzip {
  request?: boolean;
  response?: boolean;
}

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

const USUAL = "bidder 1,000";

export const TARGETS: Target[] = [
  target("ceiling", "ceiling", "ceiling"),
  target("hello", "hello", "baseline"),
  target("read", "read", "baseline"),
  target("echo", "echo", "baseline", { requests: "bids" }),
  target("peer", "peer", "peer"),
  target("bidder", "bidder", USUAL),
  target("bidder, events", "bidder", EVENTS),
  target("bidder, gzip in", "bidder", USUAL, { gzip: { request: true } }),
  target("bidder, gzip out", "bidder", GZIP_OUT, { requests: "bids", gzip: { response: true } }),
  target("bidder, bids", "bidder", USUAL, { requests: "bids" }),
  target("bidder, no-bids", "bidder", USUAL, { requests: "noBids" }),
  target("bidder, 10 campaigns", "bidder", "bidder 10", { catalog: 0 }),
  target("bidder, 10,000 campaigns", "bidder", "bidder 10,000", { catalog: 2 }),
  target("bidder, 50,000 campaigns", "bidder", "bidder 50,000", { catalog: 3 }),
];

/**
 * The most characters of a request to `hello`: workerd may close a connection while an unread body is still arriving.
 */
const MAX_UNREAD = 16_384;

export function casesOf({ kind, requests }: Target, all: Requests): Case[] {
  return kind === "hello" ? all[requests].filter(({ text }) => text.length <= MAX_UNREAD) : all[requests];
}

/** Writes the generator's file with the requests of a target, and returns its path. */
export function fileOf(target: Target, all: Requests): string {
  const { name, kind, gzip } = target;
  const path = kind === "peer" || kind === "bidder" ? "/bid/demo" : `/${kind}`;
  const headers = ["Content-Type: application/json", "X-OpenRTB-Version: 2.6"];
  if (gzip.request) headers.push("Content-Encoding: gzip");
  if (gzip.response) headers.push("Accept-Encoding: gzip");
  const exchanges = casesOf(target, all).map((one) => {
    const { status, begin } = expectedOf(target, one);
    const body = gzip.request ? gzipSync(one.text) : Buffer.from(one.text);
    return { line: `POST ${path}`, headers, body, status, gzip: gzip.response === true && begin !== "", begin };
  });
  return requestFile(name, exchanges);
}

function expectedOf({ kind, catalog }: Target, one: Case): Pick<Expected, "status" | "begin"> {
  if (kind === "echo") return { status: 200, begin: "{" };
  if (kind !== "bidder" && kind !== "peer") return { status: 204, begin: "" };
  const expected = one.expected.at(kind === "peer" ? -1 : catalog);
  if (!expected) throw new Error(`no expected response for the catalog ${catalog}`);
  return expected;
}

function target(name: string, kind: Kind, server: string, more: Partial<Target> = {}): Target {
  return { name, kind, server, requests: "production", gzip: {}, catalog: DEFAULT_CATALOG, ...more };
}
