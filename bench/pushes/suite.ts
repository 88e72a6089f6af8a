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
import { freePort } from "../../cli/test/free-port.ts";
import { ROOT } from "../../cli/tools.mjs";
import { Progress } from "../progress.ts";
import { fact, newRow, table, whole } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { type Answer, load } from "./load.ts";

const RATE = 500;
const PUSHES = 20;
const QUICK_PUSHES = 3;
/** Pushes between two rollbacks. */
const PUSHES_A_ROLLBACK = 4;
/** Idle time before the first and after the last push. */
const REST_MS = 3000;
const START_TIMEOUT_MS = 600_000;
const CATALOG = readFileSync(join(ROOT, "fixtures/catalog.json"), "utf8");
const REQUEST = readFileSync(join(ROOT, "fixtures/bid/simple-banner.json"));
/** The price of the bid on the request, as the catalog has it. */
const PRICE = '"max_cpm": "1.80"';

/** A version in service. It may answer from `begin` on. The version before it should not answer after `end`. */
interface Move {
  command: "push" | "rollback";
  version: string;
  /** Start and end of the command, in ms since the epoch. */
  begin: number;
  end: number;
}

export const pushes: Suite = {
  name: "pushes",
  summary: "pushes and rollbacks while `npm start` serves 500 requests/s",

  async run({ quick, load: { rate = RATE } }) {
    const progress = new Progress();
    const state = mkdtempSync(join(tmpdir(), "edgebid-pushes-"));
    const port = await freePort();
    progress.show(0, 1, "starting the bidder");
    const server = spawn("node", ["cli/start.mjs", "--port", String(port), "--persist-to", state], {
      cwd: ROOT,
      // `npm start` logs every request. A pipe that nobody reads would block it.
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      const origin = `http://127.0.0.1:${port}`;
      await until(async () => (await fetch(`${origin}/healthz`)).ok);
      const prices = new Map<string, number>();
      const first = await push(state, 0, prices);
      const moves = [first];
      // The bidder looks for a new version when a request comes. That request still gets the old one.
      await until(async () => (await (await fetch(`${origin}/healthz`)).json()).catalog.version === first.version);
      const ended = new AbortController();
      const answered = load(`${origin}/bid/demo`, REQUEST, rate, ended.signal);
      await sleep(REST_MS);
      const count = quick ? QUICK_PUSHES : PUSHES;
      for (let number = 1; number <= count; number++) {
        progress.show(number - 1, count, `push ${number} of ${count}`);
        moves.push(await push(state, number, prices));
        if (number % PUSHES_A_ROLLBACK === 0) moves.push(await rollback(state));
      }
      await sleep(REST_MS);
      ended.abort();
      progress.end();
      const { answers, unsent } = await answered;
      const facts = evaluate(answers, moves, prices);
      const row = newRow("edgebid", "", { ...facts, unsent });
      const complaint = answers.find(({ problem }) => problem !== null)?.problem ?? null;
      return {
        checks: {
          "pushes.bad": facts.failed + facts.mixed + facts.unknown,
          "pushes.stale_ms": facts.stale_ms,
          "pushes.requests_per_second": facts.per_second,
        },
        figures: [],
        tables: [
          table(
            `pushes and rollbacks while npm start serves${complaint === null ? "" : `; ${complaint}`}`,
            [row],
            Object.keys(row.facts).map((name) => [name.replace("_", " "), fact(name), whole]),
          ),
        ],
        rows: [row],
        moves,
      };
    } finally {
      server.kill("SIGINT");
      await new Promise((done) => (server.exitCode === null ? server.on("exit", done) : done(null)));
      rmSync(state, { recursive: true, force: true });
    }
  },
};

/** Compares each answer with the version that was in service when its request was sent. */
function evaluate(answers: Answer[], moves: Move[], prices: Map<string, number>) {
  const count = (is: (answer: Answer) => boolean) => answers.filter(is).length;
  const bids = answers.filter(({ problem }) => problem === null);
  // A version may be in service several times. The last time that began before the answer came counts.
  const staleness = ({ version, sent, received }: Answer) => {
    const at = moves.findLastIndex((move) => move.version === version && move.begin <= received);
    const next = moves[at + 1];
    if (at < 0) return null;
    return next === undefined ? 0 : Math.max(0, sent - next.end);
  };
  const [first, last] = [answers[0]?.sent ?? 0, answers.at(-1)?.sent ?? 0];
  return {
    requests: answers.length,
    per_second: Math.round((answers.length * 1000) / Math.max(1, last - first)),
    pushes: moves.filter(({ command }) => command === "push").length - 1,
    rollbacks: moves.filter(({ command }) => command === "rollback").length,
    failed: count(({ problem }) => problem !== null),
    mixed: bids.filter(({ version, price }) => prices.get(version ?? "") !== price).length,
    unknown: bids.filter((answer) => staleness(answer) === null).length,
    stale_ms: Math.max(0, ...bids.map((answer) => staleness(answer) ?? 0)),
    versions: new Set(bids.map(({ version }) => version)).size,
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

function rollback(state: string): Promise<Move> {
  return edgebid("rollback", state);
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
