//! Gets the files of publishers and advertising systems into a folder, politely: one connection for each host, no answer
//! twice a day, conditional requests, limits of size and time. It follows a redirect only by HTTPS and within the site's
//! own domain: names come from bid requests, and must not lead into the network of the person. It gets only what the
//! host's robots.txt allows.
//!
//! A 404 says that there is no file. Any other failure says nothing: the file from before stays.

import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import robots from "robots-parser";
import { reasonOf } from "../failure.mjs";
import { parsedJson } from "../input.ts";
import { writeWhole } from "../whole-file.ts";

/** A file to get: its host, its path there, its path in the folder, and its most bytes. */
export interface Target {
  host: string;
  path: string;
  file: string;
  most: number;
}

/** What came of the files, and the hosts that failed with the reason. */
export interface Crawled {
  new: number;
  unchanged: number;
  missing: number;
  failed: { host: string; message: string }[];
}

/** Gets a URL as `fetch` does. The tests have servers of their own. */
export type Get = (url: string, init: RequestInit) => Promise<Response>;

/** What the server said about a file, for the next request. */
interface Known {
  /** When it was asked, in milliseconds since the epoch. */
  at: number;
  etag?: string;
  modified?: string;
  /** Whether there was no file. */
  isMissing?: true;
}

const STATE = "fetched.json";
const DAY_MS = 86_400_000;
/** How long a host may take for the head of its answer. */
const TIMEOUT_MS = 15_000;
/** The slowest line whose answers are read to their end. */
const BYTES_PER_MS = 1000;
const MAX_REDIRECTS = 5;
const HOSTS_AT_ONCE = 32;
/** An interruption loses what was learned about so many hosts at most. */
const SAVED_HOSTS = 1000;
/** Names that are no public ones (RFC 6762, RFC 8375, and usual names of own networks). */
const OWN_NETWORK = /\.(internal|local|arpa|lan|corp|home|localhost)$/;
/** The name in robots.txt. */
const AGENT = "edgebid-supply";
const MAX_ROBOTS_BYTES = 1 << 20;
const HEADERS = { "user-agent": `${AGENT} (ads.txt and sellers.json)`, accept: "text/plain, application/json" };

/** Gets the files. `progress` is called after each host. */
export async function crawl(
  folder: string,
  targets: Target[],
  now: number,
  get: Get,
  progress: (done: number, note: string) => void,
): Promise<Crawled> {
  const state = new Map(Object.entries(readState(folder)));
  const crawled: Crawled = { new: 0, unchanged: 0, missing: 0, failed: [] };
  const save = () => writeWhole(join(folder, STATE), `${JSON.stringify(Object.fromEntries(state))}\n`);
  mkdirSync(folder, { recursive: true });
  const waiting = targets.values();
  let done = 0;
  const worker = async () => {
    for (const target of waiting) {
      const path = join(folder, target.file);
      const last = state.get(target.file);
      const known = last?.isMissing || existsSync(path) ? last : undefined;
      try {
        if (known && now - known.at < DAY_MS) crawled[known.isMissing ? "missing" : "unchanged"]++;
        else crawled[await one(target, path, known, state, now, get)]++;
      } catch (error) {
        crawled.failed.push({ host: target.host, message: reasonOf(error) });
      }
      progress(++done / targets.length, `${done} of ${targets.length} hosts`);
      if (done % SAVED_HOSTS === 0) save();
    }
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker));
  save();
  return crawled;
}

/** Whether a name can be that of a public web server: no address, no name of the own network. */
export function isPublicName(name: string): boolean {
  return (
    name.length <= 253 &&
    !OWN_NETWORK.test(name) &&
    /^(?=.*[a-z])([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])$/.test(name)
  );
}

async function one(
  { host, path, file, most }: Target,
  place: string,
  known: Known | undefined,
  state: Map<string, Known>,
  now: number,
  get: Get,
): Promise<"new" | "unchanged" | "missing"> {
  const headers = {
    ...HEADERS,
    ...(known?.etag !== undefined && { "if-none-match": known.etag }),
    ...(known?.modified !== undefined && { "if-modified-since": known.modified }),
  };
  await assertAllowed(host, path, get);
  const response = await followed(`https://${host}${path}`, host, headers, most, get);
  if (response.status === 404 || response.status === 410) {
    await response.body?.cancel();
    state.set(file, { at: now, isMissing: true });
    rmSync(place, { force: true });
    return "missing";
  }
  if (response.status !== 200 && response.status !== 304) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  if (response.status === 304) {
    utimesSync(place, now / 1000, now / 1000);
    state.set(file, { ...known, at: now });
    return "unchanged";
  }
  const content = await limited(response, most);
  const isSame = existsSync(place) && content.equals(readFileSync(place));
  mkdirSync(dirname(place), { recursive: true });
  writeWhole(place, content);
  const [etag, modified] = ["etag", "last-modified"].map((name) => response.headers.get(name));
  state.set(file, { at: now, ...(etag && { etag }), ...(modified && { modified }) });
  return isSame ? "unchanged" : "new";
}

/**
 * Throws if the host's robots.txt does not allow the path, or if it is not known (RFC 9309, section 2.3.1). Without a
 * robots.txt, all is allowed.
 */
async function assertAllowed(host: string, path: string, get: Get): Promise<void> {
  const [url, headers] = [`https://${host}/robots.txt`, { "user-agent": HEADERS["user-agent"] }];
  const response = await followed(url, host, headers, MAX_ROBOTS_BYTES, get).catch((error) => {
    throw new Error(`robots.txt: ${reasonOf(error)}`);
  });
  if (response.status >= 400 && response.status < 500) return response.body?.cancel();
  if (response.status !== 200) throw new Error(`robots.txt: status ${response.status}`);
  const text = new TextDecoder().decode(await limited(response, MAX_ROBOTS_BYTES));
  if (robots(url, text).isDisallowed(`https://${host}${path}`, AGENT)) throw new Error(`robots.txt forbids ${path}`);
}

/** The answer after redirects within the domain of the host. Its body may take as long as `most` bytes take. */
async function followed(
  url: string,
  host: string,
  headers: Record<string, string>,
  most: number,
  get: Get,
): Promise<Response> {
  const domain = host.replace(/^www\./, "");
  for (let hops = 0, at = url; ; hops++) {
    const head = new AbortController();
    const timer = setTimeout(() => head.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    const signal = AbortSignal.any([head.signal, AbortSignal.timeout(TIMEOUT_MS + Math.ceil(most / BYTES_PER_MS))]);
    const response = await get(at, { headers, redirect: "manual", signal }).finally(() => clearTimeout(timer));
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, at);
    const isOwn = next.hostname === domain || next.hostname.endsWith(`.${domain}`);
    if (next.protocol !== "https:" || next.port !== "" || !isOwn) throw new Error(`leads to ${next.origin}`);
    if (hops === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
    at = next.href;
  }
}

/** The body. Throws if it is longer than any such file. */
async function limited(response: Response, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > most) throw new Error(`more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function readState(folder: string): Record<string, Known> {
  const path = join(folder, STATE);
  return (existsSync(path) && parsedJson<Record<string, Known>>(readFileSync(path))) || {};
}
