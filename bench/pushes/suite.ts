//! `npm run bench -- pushes`: pushes and rolls back catalogs while `npm start` serves. Checks that every answer comes
//! from one catalog, and measures how long an old catalog still answers.
//!
//! Each push changes the price of the bid and sets `version_in_bids`. Every answer must be a 200 with the
//! price of the version that it names, and the push of that version must have begun. *stale* is the longest time after
//! the end of a command during which the old version still answered: the bidder looks for a new version once per
//! second, when a request comes.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ROOT } from "../../build/tools.mjs";
import { freePort } from "../../cli/test/free-port.ts";
import { type Column, fact, newRow, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { show } from "../turns.ts";
import { whole } from "../units.ts";

const RATE = 500;
const PUSHES = 20;
const QUICK_PUSHES = 3;
/** Pushes between two rollbacks. */
const PUSHES_A_ROLLBACK = 4;
/** Idle time before the first and after the last push. */
const REST_MS = 3000;
const START_TIMEOUT_MS = 600_000;
/** Maximum number of requests in flight. Requests that become due at the maximum are not sent. */
const MAX_PENDING = 100;
const CATALOG = readFileSync(join(ROOT, "fixtures/catalog.json"), "utf8");
const REQUEST = readFileSync(join(ROOT, "fixtures/bid/simple-banner.json"));
/** The price of the bid on the request, as text of the catalog. */
const PRICE = '"max_cpm": "1.80"';

/** A version in service. It may answer from `begin` on. The version before it should not answer after `end`. */
interface Move {
  command: "push" | "rollback";
  version: string;
  /** Start and end of the command, in ms since the epoch. */
  begin: number;
  end: number;
}

/** An answer, or the reason why there was none. */
interface Answer {
  /** When the request was sent, in ms since the epoch. */
  sent: number;
  received: number;
  /** The version that the first bid names, and its price. */
  version?: string | undefined;
  price?: number;
  /** What is wrong with the answer; null for a bid that names its version. */
  problem: string | null;
}

export const pushes: Suite = {
  name: "pushes",
  summary: "pushes and rollbacks while `npm start` serves 500 requests/s",

  async run({ quick, load: { rate = RATE } }) {
    const state = mkdtempSync(join(tmpdir(), "edgebid-pushes-"));
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    show("starting the bidder");
    const server = spawn("node", ["cli/start.mjs", "--port", String(port), "--persist-to", state], {
      cwd: ROOT,
      // `npm start` logs every request. A pipe that nobody reads would block it.
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      await until(async () => (await fetch(`${origin}/healthz`)).ok);
      const prices = new Map<string, number>();
      const first = await push(state, 0, prices);
      const moves = [first];
      // The bidder looks for a new version when a request comes. That request still gets the old one.
      await until(async () => (await (await fetch(`${origin}/healthz`)).json()).catalog.version === first.version);
      const ended = new AbortController();
      const answered = load(`${origin}/bid/demo`, rate, ended.signal);
      await sleep(REST_MS);
      const count = quick ? QUICK_PUSHES : PUSHES;
      for (let number = 1; number <= count; number++) {
        show(`push ${number} of ${count}`);
        moves.push(await push(state, number, prices));
        if (number % PUSHES_A_ROLLBACK === 0) moves.push(await edgebid("rollback", state));
      }
      await sleep(REST_MS);
      ended.abort();
      show("");
      const { answers, unsent } = await answered;
      return findings(answers, unsent, moves, prices);
    } finally {
      server.kill("SIGINT");
      await new Promise((done) => (server.exitCode === null ? server.on("exit", done) : done(null)));
      rmSync(state, { recursive: true, force: true });
    }
  },
};

/** Sends `rate` requests per second until the signal. Returns the answers, and how many requests were not sent. */
async function load(url: string, rate: number, signal: AbortSignal): Promise<{ answers: Answer[]; unsent: number }> {
  const sent: Promise<unknown>[] = [];
  const answers: Answer[] = [];
  let unsent = 0;
  const began = performance.now();
  for (let due = 0; !signal.aborted; due++) {
    // Timers are coarse, so overdue requests are sent at once.
    await sleep(Math.max(0, began + (due * 1000) / rate - performance.now()));
    if (sent.length - answers.length >= MAX_PENDING) unsent++;
    else sent.push(send(url).then((answer) => answers.push(answer)));
  }
  await Promise.all(sent);
  return { answers, unsent };
}

async function send(url: string): Promise<Answer> {
  const sent = Date.now();
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: REQUEST,
    });
    const text = await response.text();
    const received = Date.now();
    if (response.status !== 200) return { sent, received, problem: `${response.status} ${text}` };
    const bid: { price: number; ext?: { catalog?: string } } = JSON.parse(text).seatbid[0].bid[0];
    const version = bid.ext?.catalog;
    return { sent, received, version, price: bid.price, problem: version === undefined ? "no version" : null };
  } catch (error) {
    return { sent, received: Date.now(), problem: String(error) };
  }
}

/** Compares each answer with the version that was in service when its request was sent. */
function findings(answers: Answer[], unsent: number, moves: Move[], prices: Map<string, number>) {
  const bids = answers.filter(({ problem }) => problem === null);
  const complaint = answers.find(({ problem }) => problem !== null)?.problem ?? null;
  // A version may be in service several times. The last start before the answer counts.
  const staleness = bids.map(({ version, sent, received }) => {
    const at = moves.findLastIndex((move) => move.version === version && move.begin <= received);
    return at < 0 ? null : Math.max(0, sent - (moves[at + 1]?.end ?? sent));
  });
  const [first, last] = [answers[0]?.sent ?? 0, answers.at(-1)?.sent ?? 0];
  const facts = {
    requests: answers.length,
    per_second: Math.round((answers.length * 1000) / Math.max(1, last - first)),
    pushes: moves.filter(({ command }) => command === "push").length - 1,
    rollbacks: moves.filter(({ command }) => command === "rollback").length,
    failed: answers.length - bids.length,
    mixed: bids.filter(({ version, price }) => prices.get(version ?? "") !== price).length,
    unknown: staleness.filter((ms) => ms === null).length,
    stale_ms: Math.max(0, ...staleness.map((ms) => ms ?? 0)),
    versions: new Set(bids.map(({ version }) => version)).size,
    unsent,
  };
  const row = newRow("edgebid", "", facts);
  const title = `pushes and rollbacks while npm start serves${complaint === null ? "" : `; ${complaint}`}`;
  const columns = Object.keys(facts).map((name) => [name.replace("_", " "), fact(name), whole] as Column);
  return {
    checks: {
      "pushes.bad": facts.failed + facts.mixed + facts.unknown,
      "pushes.stale_ms": facts.stale_ms,
      "pushes.requests_per_second": facts.per_second,
    },
    figures: [],
    tables: [table(title, [row], columns)],
    rows: [row],
    moves,
  };
}

/** Pushes the catalog with a price that no other push has. */
async function push(state: string, number: number, prices: Map<string, number>): Promise<Move> {
  const price = (180 + number) / 100;
  const file = join(state, "catalog.json");
  const text = CATALOG.replace(PRICE, `"max_cpm": "${price.toFixed(2)}"`);
  writeFileSync(file, text.replace("{", '{ "version_in_bids": true,'));
  const move = await edgebid("push", state, file);
  prices.set(move.version, price);
  return move;
}

async function edgebid(command: Move["command"], state: string, ...args: string[]): Promise<Move> {
  const begin = Date.now();
  const program = ["cli/edgebid.ts", "catalog", command, ...args, "--local", "--persist-to", state, "--json"];
  const { stdout } = await promisify(execFile)("node", program, { cwd: ROOT });
  return { command, version: JSON.parse(stdout).version, begin, end: Date.now() };
}

async function until(is: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (!(await is().catch(() => false))) {
    if (Date.now() > end) throw new Error("the bidder did not start");
    await sleep(250);
  }
}
