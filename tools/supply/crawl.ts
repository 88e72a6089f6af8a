//! Gets the files of publishers and advertising systems into a folder, politely: one connection at a time for each host,
//! no answer twice a day, conditional requests, limits of size and time. It follows a redirect only by HTTPS and within
//! the site's own domain, and gets only what the host's robots.txt allows. Whatever a host does ends nothing but its own
//! file.
//!
//! A 404 says that there is no file. Any other failure says nothing: the file from before stays.

import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { reasonOf } from "../../build/failure.mjs";
import { parsedJson } from "../../cli/input.ts";
import { writeWhole } from "../../cli/whole-file.ts";
import type { Get } from "../web/get.ts";
import { conditions, got, type Tags, tagsOf } from "../web/got.ts";
import { allows, MAX_ROBOTS_BYTES } from "./robots.ts";

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

/** What the server said about a file, for the next request. */
interface Known extends Tags {
  /** When it was asked, in milliseconds since the epoch. */
  at: number;
  /** Whether there was no file. */
  isMissing?: true;
}

const STATE = "fetched.json";
const DAY_MS = 86_400_000;
const HOSTS_AT_ONCE = 32;
/** An interruption loses what was learned about so many hosts at most. */
const SAVED_HOSTS = 1000;
/** The name in robots.txt. */
const AGENT = "edgebid-supply";
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

/** Gets one file. The time for it ends with it: a timer that outlives its file would end another one. */
async function one(
  { host, path, file, most }: Target,
  copy: string,
  known: Known | undefined,
  state: Map<string, Known>,
  now: number,
  get: Get,
): Promise<"new" | "unchanged" | "missing"> {
  const headers = { ...HEADERS, ...conditions(known) };
  await assertAllowed(host, path, get);
  const { status, head, body } = await got(`https://${host}${path}`, host, headers, most, get);
  if (status === 404 || status === 410) {
    state.set(file, { at: now, isMissing: true });
    rmSync(copy, { force: true });
    return "missing";
  }
  if (status !== 200 && status !== 304) throw new Error(`status ${status}`);
  if (status === 304) {
    utimesSync(copy, now / 1000, now / 1000);
    state.set(file, { ...known, at: now });
    return "unchanged";
  }
  const isSame = existsSync(copy) && body.equals(readFileSync(copy));
  mkdirSync(dirname(copy), { recursive: true });
  writeWhole(copy, body);
  state.set(file, { at: now, ...tagsOf(head) });
  return isSame ? "unchanged" : "new";
}

/**
 * Throws if the host's robots.txt does not allow the path, or if it is not known (RFC 9309, section 2.3.1). Without a
 * robots.txt, all is allowed.
 */
async function assertAllowed(host: string, path: string, get: Get): Promise<void> {
  const headers = { "user-agent": HEADERS["user-agent"] };
  const { status, body } = await got(`https://${host}/robots.txt`, host, headers, MAX_ROBOTS_BYTES, get).catch(
    (error) => {
      throw new Error(`robots.txt: ${reasonOf(error)}`);
    },
  );
  if (status >= 400 && status < 500) return;
  if (status !== 200) throw new Error(`robots.txt: status ${status}`);
  if (!allows(new TextDecoder().decode(body), AGENT, path)) throw new Error(`robots.txt forbids ${path}`);
}

function readState(folder: string): Record<string, Known> {
  const path = join(folder, STATE);
  return (existsSync(path) && parsedJson<Record<string, Known>>(readFileSync(path))) || {};
}
