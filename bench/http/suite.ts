//! `npm run bench -- http`: the deployed Worker in workerd under load from another process, beside Workers that do less
//! and beside a first day's bidder.
//!
//! Every response is checked against the answer of the same code in this process: the status and, with a bid, the
//! beginning of the body. In each round every target has one turn in each loop. The search for the highest rate takes the
//! interval from 0 to the target's best closed-loop rate, and halves it five times. A rate passes if p99 is at most 10 ms
//! plus the delay, and no request is bad or unsent.

import { compiler, module } from "../../cli/module.ts";
import { Failure } from "../../cli/process.mjs";
import { Collector } from "../../cli/test/collector.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import { buildProgram, save } from "../build.ts";
import { type Document, generate } from "../catalogs/generate.ts";
import { peerBidder } from "../decide/peer.ts";
import { textsIn } from "../readers/bodies.ts";
import {
  type Column,
  fact,
  figures,
  find,
  kilobytes,
  megabytes,
  middle,
  ms,
  newRow,
  type Row,
  ratio,
  table,
  total,
  turnsOf,
  versus,
  whole,
} from "../rows.ts";
import type { LoadOptions, Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { highestRate } from "./highest.ts";
import { ceiling, loadTable, type Target as Played, playTurn, type Settings, warmUp } from "./load.ts";
import { type Requests, requests } from "./requests.ts";
import { type Server, startBaseline, startBidder, startPeer, withEvents } from "./servers.ts";
import {
  CATALOGS,
  casesOf,
  DEFAULT_CATALOG,
  EVENTS,
  fileOf,
  GZIP_OUT,
  KINDS,
  type Kind,
  TARGETS,
  type Target,
} from "./targets.ts";
import { workingSet } from "./workerd-process.ts";

/** Short turns and many rounds: `compare` needs rounds. */
const USUAL = { connections: 10, rate: 1000, seconds: 0.8, rounds: 11, warmMs: 1000, steps: 5, delay: 0 };
const QUICK = { ...USUAL, seconds: 0.4, rounds: 1, warmMs: 100, steps: 2 };
/** Limit of p99 at the highest rate, in milliseconds. */
const LIMIT_MS = 10;
/** Time limit for the first event. */
const PATIENCE_MS = 30_000;
const CLOSED = "closed loop";
const OPEN = "open loop";

/** The checks: loop, target, what, and the target to which the ratio is; for times of a request, the other way round. */
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

/** What `edgebid costs` needs: processor time of a request in microseconds. */
const COSTS: [check: string, target: string][] = [
  ["http.cpu_us", "bidder"],
  ["http.cpu_us_events", "bidder, events"],
  ["http.cpu_us_no_bids", "bidder, no-bids"],
  ["http.cpu_us_bids", "bidder, bids"],
];

export const http: Suite = {
  name: "http",
  summary: "the Worker under load over HTTP, beside Workers that do less and a first day's bidder",
  crates: ["hdrhistogram"],

  async run({ quick, bodies, load: asked }) {
    const load = settings(quick, asked);
    const program = await buildProgram("bench-load", "bench-load");
    const documents = CATALOGS.map((count) => generate(count));
    const all = allRequests(documents, textsIn(bodies));
    const targets = selected(asked.targets).filter((target) => casesOf(target, all).length > 0);
    const own = await ceiling(program);
    let events = 0;
    const collector = new Collector({ line: () => events++ });
    const servers: Server[] = [];
    try {
      await collector.start();
      for (const start of starts(documents, answer(all), collector.url)) {
        if (targets.some(({ server }) => server === start.name)) servers.push(await start.run());
      }
      const idle = servers.map(({ pid }) => workingSet(pid));
      const played = targets.flatMap((target) => {
        const file = save(`${target.name.replaceAll(/\W+/g, "-")}.requests`, fileOf(target, all));
        const server = servers.find(({ name }) => name === target.server);
        const { origin, pid } = server ? { origin: server.script.origin, pid: server.pid } : own;
        return [CLOSED, OPEN].map((loop) => ({ row: newRow(target.name, loop), file, origin, pid, complaint: null }));
      });
      await playAll(program, played, load);
      if (targets.some(({ server }) => server === EVENTS)) await firstEvent(() => events);
      return { load, ...findings(played, servers, idle, load) };
    } finally {
      own.stop();
      await Promise.all(servers.map(({ script }) => script.stop()));
      await collector.stop();
    }
  },
};

type LoadSettings = typeof USUAL;

function settings(quick: boolean, { connections, rate, duration, delay }: LoadOptions): LoadSettings {
  const usual = quick ? QUICK : USUAL;
  return {
    ...usual,
    connections: connections ?? usual.connections,
    rate: rate ?? usual.rate,
    seconds: duration ?? usual.seconds,
    delay: delay ?? usual.delay,
  };
}

/** The servers by name, each with how to start it. */
function starts(documents: Document[], echo: Uint8Array<ArrayBuffer>, collector: string) {
  const usual = documents[DEFAULT_CATALOG] ?? generate(0);
  const bidder = (name: string, document: Document, bindings?: Parameters<typeof startBidder>[3]) => ({
    name,
    run: () => startBidder(name, compiled(document), document.campaigns.length, bindings),
  });
  return [
    { name: "baseline", run: () => startBaseline(echo) },
    { name: "peer", run: () => startPeer(JSON.stringify(usual)) },
    ...documents.map((document, at) => bidder(`bidder ${CATALOGS[at]?.toLocaleString("en")}`, document)),
    // Its SSP accepts compressed responses.
    bidder(GZIP_OUT, { ...usual, ssps: usual.ssps.map((ssp) => ({ ...ssp, gzip: true })) }),
    bidder(EVENTS, usual, withEvents(collector)),
  ];
}

async function playAll(program: string, targets: Played[], load: LoadSettings): Promise<void> {
  const { connections, delay, warmMs } = load;
  const of = (rate: number | null): Settings => ({ connections, delay, rate, ms: 1000 * load.seconds });
  const closed = targets.filter(({ row }) => row.group === CLOSED);
  for (const target of closed) await warmUp(program, target, { ...of(null), ms: warmMs });
  await takeTurns("load", load.rounds, targets, (target) =>
    playTurn(program, target, of(target.row.group === OPEN ? load.rate : null)),
  );
  const searched = closed.filter(({ row }) => row.name !== "ceiling");
  await takeTurns("searching the highest rate", 1, searched, async (target) => {
    const tried = { ...target, row: newRow(target.row.name) };
    const most = Math.max(...turnsOf(target.row, "per_second"));
    target.row.facts["highest_rate"] = await highestRate(most, load.steps, async (rate) => {
      const { bad, unsent, p99_us } = await playTurn(program, tried, of(rate));
      return bad + unsent === 0 && p99_us <= 1000 * (LIMIT_MS + delay);
    });
    // A bad response counts at any rate.
    target.row.facts["bad"] = total("bad")(tried.row) ?? 0;
    target.complaint ??= tried.complaint;
  });
}

function findings(played: Played[], servers: Server[], idle: (number | null)[], { rate }: LoadSettings) {
  const rows = played.map(({ row }) => row);
  const of = (loop: string) => played.filter(({ row }) => row.group === loop);
  const [closed, open] = [of(CLOSED), of(OPEN)];
  return {
    checks: checks(rows),
    figures: [
      ...figures(
        closed.map(({ row }) => row),
        "per_second",
        { unit: "requests/s", better: "more", base: "read" },
      ),
      ...figures(
        closed.map(({ row }) => row),
        "cpu_us",
        { unit: "µs", better: "less", base: "read" },
      ),
      ...figures(
        open.map(({ row }) => row),
        "p50_us",
        { unit: "µs", better: "less" },
      ),
      ...figures(
        open.map(({ row }) => row),
        "p99_us",
        { unit: "µs", better: "less" },
      ),
    ],
    tables: [
      loadTable(`closed loop; times in ms; the highest rate with p99 ≤ ${LIMIT_MS} ms and no bad response`, closed, [
        ["highest rate", fact("highest_rate"), whole],
        ["/ hello", versus(rows, "hello", "per_second")],
        ["/ read", versus(rows, "read", "per_second")],
        ["/ peer", versus(rows, "peer", "per_second")],
      ]),
      loadTable(`open loop, ${rate} requests/s, times from when each request was due, in ms`, open, []),
      table(
        "applications",
        servers.map((server, at) => applicationOf(server, idle[at] ?? null)),
        [
          ["start", fact("start_ms"), ms],
          ["first request", fact("first_ms"), ms],
          ["memory", fact("idle_bytes"), megabytes],
          ["after load", fact("after_bytes"), megabytes],
          ["snapshot", fact("snapshot_bytes"), megabytes],
          ["bundle", fact("script_bytes"), kilobytes],
          [".wasm", fact("wasm_bytes"), kilobytes],
        ],
      ),
    ],
    charts: {
      "http.svg": {
        title: "The Worker under load over HTTP, in workerd on one core",
        note: `medians over the rounds; hello, read and echo do not bid; the last two panels at ${rate} requests/s`,
        // The bar of `ceiling` is so long that the others would be too short to compare.
        rows: closed.map(({ row }) => row).filter(({ name }) => name !== "ceiling"),
        panels: [
          ["requests a second", middle("per_second"), whole],
          [`highest with p99 ≤ ${LIMIT_MS} ms`, fact("highest_rate"), whole],
          ["p50", ({ name }: Row) => middle("p50_us", 1e-3)(find(rows, name, OPEN)), ms],
          ["p99", ({ name }: Row) => middle("p99_us", 1e-3)(find(rows, name, OPEN)), ms],
        ] satisfies Column[],
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
    return [[check, isInverse ? 1 / ratio(over, under, what) : ratio(over, under, what)] as const];
  });
  const costs = COSTS.flatMap(([check, target]) => {
    const found = row(target, CLOSED);
    return found === undefined ? [] : [[check, middle("cpu_us")(found) ?? Number.NaN] as const];
  });
  const bad = rows.reduce((sum, row) => sum + (total("bad")(row) ?? 0) + (row.facts["bad"] ?? 0), 0);
  const highest = row("bidder", CLOSED)?.facts["highest_rate"];
  return {
    "http.bad": bad,
    ...(typeof highest === "number" && { "http.highest_rate": highest }),
    ...Object.fromEntries([...compared, ...costs]),
  };
}

function applicationOf({ name, script, first_ms, pid, snapshot }: Server, idle_bytes: number | null): Row {
  const { startMs: start_ms, size } = script;
  const sizes = { snapshot_bytes: snapshot?.byteLength ?? null, script_bytes: size.script, wasm_bytes: size.wasm };
  return newRow(name, "", { start_ms, first_ms, idle_bytes, after_bytes: workingSet(pid), ...sizes });
}

/** Waits for one event: without it, the target would not have measured what events cost. */
async function firstEvent(received: () => number): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (received() === 0) {
    if (performance.now() > end) throw new Error("no event reached the collector");
    await new Promise((done) => setTimeout(done, 100));
  }
}

function selected(kinds: string[]): Target[] {
  const unknown = kinds.find((kind) => !KINDS.includes(kind as Kind));
  if (unknown !== undefined) throw new Failure(`no target ${unknown}; there are: ${KINDS.join(", ")}`);
  return TARGETS.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
}

function allRequests(documents: Document[], own: string[]): Requests {
  const peer = peerBidder(structuredClone(documents[DEFAULT_CATALOG]) as never);
  return requests(documents.map(compiled), module, DEFAULT_CATALOG, peer, own);
}

function compiled(document: Document): Uint8Array<ArrayBuffer> {
  return compile(new TextEncoder().encode(JSON.stringify(document)), compiler).snapshot;
}

/** The answer of `echo`: as long as the mean response of the bidder. */
function answer({ bids }: Requests): Uint8Array<ArrayBuffer> {
  const bytes = bids.reduce((sum, { expected }) => sum + (expected[DEFAULT_CATALOG]?.bytes ?? 0), 0);
  return new Uint8Array(Buffer.from("{".padEnd(Math.round(bytes / Math.max(1, bids.length)) - 1, " ").concat("}")));
}
