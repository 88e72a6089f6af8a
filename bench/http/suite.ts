//! `npm run bench -- http`: the deployed Worker in workerd under load from another process, beside Workers that do less
//! and beside a first day's bidder.
//!
//! Every response is checked against the answer of the same code in this process: the status and, with a bid, the
//! beginning of the body. In each round every target has one turn in each loop. The search for the highest rate takes
//! the interval from 0 to the target's best closed-loop rate, and halves it five times. A rate passes if p99 is at most
//! 10 ms plus the delay, and no request is bad or unsent.

import { setTimeout as sleep } from "node:timers/promises";
import { module } from "../../cli/module.ts";
import { Collector } from "../../cli/test/collector.ts";
import { snapshotOf } from "../build.ts";
import { type Document, generate } from "../catalogs/generate.ts";
import { peerBidder, safely } from "../decide/peer.ts";
import { workingSet } from "../processes.ts";
import { figures, ratio, versus } from "../ratios.ts";
import { textsIn } from "../readers/bodies.ts";
import { type Column, elsewhere, fact, middle, newRow, type Row, table, total, turnsOf } from "../rows.ts";
import type { Findings, Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { kilobytes, megabytes, ms, whole } from "../units.ts";
import { badOf, ceiling, chosen, drive, loadFigures, loadTable, type Target as Played, playTurn } from "./load.ts";
import { type Requests, requests } from "./requests.ts";
import { type Server, startBaseline, startBidder, withEvents } from "./servers.ts";
import { CATALOGS, casesOf, DEFAULT_CATALOG, EVENTS, fileOf, GZIP_OUT, KINDS, TARGETS } from "./targets.ts";

/** Short turns and many rounds: `compare` needs rounds. */
const USUAL = { connections: 10, rate: 1000, duration: 0.8, rounds: 11, warmMs: 1000, steps: 5, delay: 0 };
const QUICK = { ...USUAL, duration: 0.4, rounds: 1, warmMs: 100, steps: 2 };
/** Limit of p99 at the highest rate, in milliseconds. */
const LIMIT_MS = 10;
/** One pause of V8 must not decide, so a rate that fails gets a second attempt. */
const ATTEMPTS = 2;
/** Time limit for the first event. */
const PATIENCE_MS = 30_000;
const CLOSED = "closed loop";
const OPEN = "open loop";

/** The checks: loop, target, figure, and the target to compare with. For times of a request, the ratio is inverted. */
const CHECKS: [check: string, loop: string, target: string, what: string, base: string, isInverse?: boolean][] = [
  ["http.mix_vs_read", CLOSED, "bidder", "per_second", "read"],
  ["http.bid_vs_echo", CLOSED, "bidder, bids", "per_second", "echo"],
  ["http.mix_vs_peer", CLOSED, "bidder", "per_second", "peer"],
  ["http.p99_mix_vs_read_open", OPEN, "bidder", "p99_us", "read"],
  ["http.events_on_vs_off", CLOSED, "bidder, events", "per_second", "bidder"],
  ["http.cpu_events_on_vs_off", CLOSED, "bidder, events", "cpu_us", "bidder"],
  ["http.cpu_mix_vs_read", CLOSED, "bidder", "cpu_us", "read"],
  ["http.gzip_vs_plain", CLOSED, "bidder, gzip in", "per_second", "bidder", true],
  ["http.gzip_out_vs_plain", CLOSED, "bidder, gzip out", "per_second", "bidder, bids", true],
];

/** The figures for `edgebid costs`, and the highest rate: target and number. */
const NUMBERS: [check: string, target: string, value: (row: Row) => number | null | undefined][] = [
  ["http.highest_rate", "bidder", fact("highest_rate")],
  ["http.cpu_us", "bidder", middle("cpu_us")],
  ["http.cpu_us_events", "bidder, events", middle("cpu_us")],
  ["http.cpu_us_no_bids", "bidder, no-bids", middle("cpu_us")],
  ["http.cpu_us_bids", "bidder, bids", middle("cpu_us")],
];

const APPLICATIONS: Column[] = [
  ["start", fact("start_ms"), ms],
  ["first request", fact("first_ms"), ms],
  ["memory", fact("idle_bytes"), megabytes],
  ["after load", fact("after_bytes"), megabytes],
  ["snapshot", fact("snapshot_bytes"), megabytes],
  ["bundle", fact("script_bytes"), kilobytes],
  [".wasm", fact("wasm_bytes"), kilobytes],
];

type Snapshot = ReturnType<typeof snapshotOf>;

export const http: Suite = {
  name: "http",
  summary: "the Worker under load over HTTP, beside Workers that do less and a first day's bidder",
  crates: ["hdrhistogram"],

  async run({ quick, bodies, load: asked }) {
    const load = { ...(quick ? QUICK : USUAL), ...asked };
    const documents = CATALOGS.map((count) => generate(count));
    const snapshots = documents.map(snapshotOf);
    const all = allRequests(documents, snapshots, textsIn(bodies));
    const kinds = chosen("target", asked.targets, KINDS);
    const targets = TARGETS.filter((target) => kinds.includes(target.kind) && casesOf(target, all).length > 0);
    const own = await ceiling();
    let events = 0;
    const collector = new Collector({ line: () => events++ });
    const servers: Server[] = [];
    try {
      await collector.start();
      for (const [name, start] of Object.entries(starts(documents, snapshots, answer(all), collector.url))) {
        if (targets.some(({ server }) => server === name)) servers.push(await start(name));
      }
      const idle = servers.map(({ pid }) => workingSet(pid));
      const played = targets.flatMap((target): Played[] => {
        const file = fileOf(target, all);
        const server = servers.find(({ name }) => name === target.server);
        const { origin, pid } = server ? { origin: server.script.origin, pid: server.pid } : own;
        const driven = { file, origin, pid, complaint: null };
        return [
          { ...driven, row: newRow(target.name, CLOSED), rate: null },
          { ...driven, row: newRow(target.name, OPEN), rate: load.rate },
        ];
      });
      await drive(played, load);
      await searchHighest(played, load);
      if (targets.some(({ server }) => server === EVENTS)) await firstEvent(() => events);
      const applications = servers.map((server, at) => applicationOf(server, idle[at] ?? null));
      return { load, ...findings(played, applications, load.rate) };
    } finally {
      own.stop();
      await Promise.all(servers.map(({ script }) => script.stop()));
      await collector.stop();
    }
  },
};

/** How to start the server of each name. */
function starts(documents: Document[], snapshots: Snapshot[], echo: string, collector: string) {
  const usual = documents[DEFAULT_CATALOG] ?? generate(0);
  const bidders = documents.map((document, at) => [
    `bidder ${CATALOGS[at]?.toLocaleString("en")}`,
    (name: string) => startBidder(name, document, undefined, snapshots[at]),
  ]);
  const gzip = { ...usual, ssps: usual.ssps.map((ssp) => ({ ...ssp, gzip: true })) };
  return {
    baseline: (name: string) => startBaseline(name, "/answer", echo),
    peer: (name: string) => startBaseline(name, "/catalog", JSON.stringify(usual)),
    ...(Object.fromEntries(bidders) as Record<string, (name: string) => Promise<Server>>),
    [GZIP_OUT]: (name: string) => startBidder(name, gzip),
    [EVENTS]: (name: string) => startBidder(name, usual, withEvents(collector), snapshots[DEFAULT_CATALOG]),
  };
}

async function searchHighest(targets: Played[], load: typeof USUAL): Promise<void> {
  const searched = targets.filter(({ row }) => row.group === CLOSED && row.name !== "ceiling");
  await takeTurns("searching the highest rate", 1, searched, async (target) => {
    const tried: Played = { ...target, row: newRow(target.row.name) };
    const most = Math.max(...turnsOf(target.row, "per_second"));
    target.row.facts["highest_rate"] = await highestRate(most, load.steps, async (rate) => {
      tried.rate = rate;
      const { bad = 0, unsent = 0, p99_us = 0 } = await playTurn(tried, load);
      return bad + unsent === 0 && p99_us <= 1000 * (LIMIT_MS + load.delay);
    });
    // A bad response counts at any rate.
    target.row.facts["bad"] = total("bad")(tried.row) ?? 0;
    target.complaint ??= tried.complaint;
  });
}

/** The highest rate up to `most` that `holds`, to within `most` / 2^`steps`; 0 if every rate tried fails. */
export async function highestRate(
  most: number,
  steps: number,
  holds: (rate: number) => Promise<boolean>,
): Promise<number> {
  let [held, failed] = [0, most];
  for (let step = 0; step < steps; step++) {
    const rate = Math.round((held + failed) / 2);
    let isHeld = false;
    for (let attempt = 0; attempt < ATTEMPTS && !isHeld; attempt++) isHeld = await holds(rate);
    if (isHeld) held = rate;
    else failed = rate;
  }
  return held;
}

function findings(played: Played[], applications: Row[], rate: number): Findings {
  const rows = played.map(({ row }) => row);
  const of = (loop: string) => played.filter(({ row }) => row.group === loop);
  const [ofClosed, ofOpen] = [of(CLOSED).map(({ row }) => row), of(OPEN).map(({ row }) => row)];
  return {
    checks: checks(rows),
    figures: [
      ...loadFigures(ofClosed, "read"),
      ...figures(ofOpen, "p50_us", { unit: "µs", better: "less" }),
      ...figures(ofOpen, "p99_us", { unit: "µs", better: "less" }),
    ],
    tables: [
      loadTable(
        `closed loop; times in ms; the highest rate with p99 ≤ ${LIMIT_MS} ms and no bad response`,
        of(CLOSED),
        [
          ["highest rate", fact("highest_rate"), whole],
          ["/ hello", versus(rows, "hello", "per_second")],
          ["/ read", versus(rows, "read", "per_second")],
          ["/ peer", versus(rows, "peer", "per_second")],
        ],
      ),
      loadTable(`open loop, ${rate} requests/s, times from when each request was due, in ms`, of(OPEN)),
      table("applications", applications, APPLICATIONS),
    ],
    charts: {
      "http.svg": {
        title: "The Worker under load over HTTP, in workerd on one core",
        note: `medians over the rounds; hello, read and echo do not bid; the last two panels at ${rate} requests/s`,
        // The bar of `ceiling` is so long that the others would be too short to compare.
        rows: ofClosed.filter(({ name }) => name !== "ceiling"),
        panels: [
          ["requests a second", middle("per_second"), whole],
          [`highest with p99 ≤ ${LIMIT_MS} ms`, fact("highest_rate"), whole],
          ["p50", elsewhere(rows, OPEN, middle("p50_us", 1e-3)), ms],
          ["p99", elsewhere(rows, OPEN, middle("p99_us", 1e-3)), ms],
        ],
      },
    },
    rows,
  };
}

/** The checks, by the names of the goals; only for driven targets. */
function checks(rows: Row[]): Record<string, number> {
  const row = (name: string, loop: string) => rows.find((row) => row.name === name && row.group === loop);
  const compared = CHECKS.flatMap(([check, loop, target, what, base, isInverse]) => {
    const [over, under] = [row(target, loop), row(base, loop)];
    if (over === undefined || under === undefined) return [];
    return [[check, isInverse ? ratio(under, over, what) : ratio(over, under, what)]];
  });
  const numbers = NUMBERS.flatMap(([check, target, value]) => {
    const found = row(target, CLOSED);
    return found === undefined ? [] : [[check, value(found) ?? Number.NaN]];
  });
  return { "http.bad": badOf(rows), ...Object.fromEntries([...compared, ...numbers]) };
}

function applicationOf({ name, script, first_ms, pid, snapshot_bytes }: Server, idle_bytes: number | null): Row {
  const { startMs: start_ms, size } = script;
  const sizes = { snapshot_bytes, script_bytes: size.script, wasm_bytes: size.wasm };
  return newRow(name, "", { start_ms, first_ms, idle_bytes, after_bytes: workingSet(pid), ...sizes });
}

/** Waits for one event: without one, the target would not have measured the cost of events. */
async function firstEvent(received: () => number): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (received() === 0) {
    if (performance.now() > end) throw new Error("no event reached the collector");
    await sleep(100);
  }
}

function allRequests(documents: Document[], snapshots: Snapshot[], own: string[]): Requests {
  const peer = safely(peerBidder(structuredClone(documents[DEFAULT_CATALOG])));
  return requests(snapshots, module, DEFAULT_CATALOG, peer, own);
}

/** The answer of `echo`: as long as the mean response of the bidder. */
function answer({ bids }: Requests): string {
  const bytes = bids.reduce((sum, { expected }) => sum + (expected[DEFAULT_CATALOG]?.bytes ?? 0), 0);
  return `{${" ".repeat(Math.max(0, Math.round(bytes / Math.max(1, bids.length)) - 2))}}`;
}
