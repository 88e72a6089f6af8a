//! `npm run bench -- overload`: an exchange sends three times the requests that the bidder holds, beside a quiet exchange,
//! idle connections, slow senders and slow readers.

import { setTimeout as sleep } from "node:timers/promises";
import { module } from "../../cli/module.ts";
import { json } from "../../cli/workerd.ts";
import { snapshotOf } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { peerBidder } from "../decide/peer.ts";
import { badOf, playTurn, type Target } from "../http/load.ts";
import { requests } from "../http/requests.ts";
import { startBidder } from "../http/servers.ts";
import { peakSet, resetPeak } from "../processes.ts";
import { figures, ratio } from "../ratios.ts";
import { at, type Column, find, middle, push, type Row, table, total, turnsOf } from "../rows.ts";
import { median } from "../statistics.ts";
import type { Findings, Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { megabytes, percent, usAsMs, whole } from "../units.ts";
import { type Crowd, gather } from "./crowd.ts";
import { exchange, heldRate } from "./exchange.ts";

/** An exchange has 64 connections. A turn takes `duration` seconds. */
const USUAL = { connections: 64, duration: 2, delay: 0, rounds: 7, step: 1.1, idle: 5000 };
const QUICK = { ...USUAL, duration: 0.2, rounds: 1, step: 2, idle: 200 };
/** More senders than one SSP may have, so the last ones get an early answer. */
const SLOW = { senders: 520, readers: 100 };
/** The Worker waits longer for its bodies than a turn takes. */
const SLOW_SSP = { id: "slow", tmax: 10_000 };
const NOBODY: Crowd = { idle: 0, senders: 0, readers: 0 };
const TIMES = 3;
/** The quiet exchange sends this part of the highest rate. */
const QUIET = 0.02;
/** Until the Worker has received what the crowd sends. */
const GATHER_MS = 1000;

const NORMAL = "bidder, highest rate";
const OVERLOAD = `bidder, ${TIMES} × the rate`;
const CROWDED = `${OVERLOAD}, crowd`;
const BUSY = "busy exchange";
const CALM = "quiet exchange";

const COLUMNS: Column[] = [
  ["good/s", middle("per_second"), whole],
  ["in time", inTime, percent],
  ["early", total("early"), whole],
  ["late", total("late"), whole],
  ["unsent", total("unsent"), whole],
  ["bad", total("bad"), whole],
  ["p50", middle("p50_us"), usAsMs],
  ["p99", middle("p99_us"), usAsMs],
  ["max", at(1, "max_us"), usAsMs],
  ["peak memory", at(1, "peak_bytes"), megabytes],
];

export const overload: Suite = {
  name: "overload",
  summary: "three times the requests that the bidder holds, beside a quiet exchange, slow and idle clients",
  crates: ["hdrhistogram"],

  async run({ quick, load: asked }) {
    const settings = { ...(quick ? QUICK : USUAL), ...asked };
    const usual = generate(1000);
    const document = { ...usual, ssps: [...usual.ssps, { id: "quiet" }, SLOW_SSP] };
    const { bids } = requests([snapshotOf(document)], module, 0, peerBidder(structuredClone(document)));
    const bidder = await startBidder("bidder", document, { vars: { EVENTS_ONE_IN: "off", OPERATOR: "anybody" } });
    try {
      const rate = await heldRate(exchange("search", bidder, "demo", bids), settings, settings.step);
      const phases = [
        { name: NORMAL, times: 1, crowd: NOBODY },
        { name: OVERLOAD, times: TIMES, crowd: NOBODY },
        { name: CROWDED, times: TIMES, crowd: { ...SLOW, idle: settings.idle } },
      ].map(({ name, times, crowd }) => ({
        crowd,
        busy: grouped(BUSY, exchange(name, bidder, "demo", bids, Math.round(times * rate))),
        calm: grouped(CALM, exchange(name, bidder, "quiet", bids, Math.ceil(QUIET * rate))),
      }));
      await takeTurns("overload", settings.rounds, phases, async ({ crowd, busy, calm }) => {
        const leave = await gather(bidder.script.origin, crowd, SLOW_SSP.id, bids);
        if (crowd !== NOBODY) await sleep(GATHER_MS);
        resetPeak(bidder.pid);
        await Promise.all([playTurn(busy, settings), playTurn(calm, settings)]);
        push(busy.row, "peak_bytes", peakSet(bidder.pid));
        leave();
      });
      const { counters } = await json<{ counters: Record<string, number> }>(bidder.script, "/healthz");
      const targets = phases.flatMap(({ busy, calm }) => [busy, calm]);
      return findings(targets, rate, counters["bodies-full"] ?? 0);
    } finally {
      await bidder.script.stop();
    }
  },
};

function grouped(group: string, target: Target): Target {
  return { ...target, row: { ...target.row, group } };
}

/** The part of the requests that were due, and got a right answer in time. */
function inTime(row: Row): number {
  const all = Number(total("sent")(row)) + Number(total("unsent")(row));
  return 1 - ["bad", "early", "late", "unsent"].reduce((sum, what) => sum + Number(total(what)(row)), 0) / all;
}

function findings(targets: Target[], rate: number, refused: number): Findings {
  const rows = targets.map(({ row }) => row).sort((a, b) => (a.group < b.group ? -1 : 1));
  const [normal, busy, crowded] = [NORMAL, OVERLOAD, CROWDED].map((name) => find(rows, name, BUSY)) as [Row, Row, Row];
  const goodput = (row: Row) => median(turnsOf(row, "per_second")) / rate;
  const complaint = targets.find(({ complaint }) => complaint !== null)?.complaint;
  const title = `the highest rate that was held is ${whole(rate)} requests/s; times in ms`;
  return {
    checks: {
      "overload.bad": badOf(rows),
      "overload.highest_rate": rate,
      "overload.normal_in_time": inTime(normal),
      "overload.goodput": goodput(busy),
      "overload.p99_vs_normal": ratio(busy, normal, "p99_us"),
      "overload.goodput_crowd": goodput(crowded),
      "overload.p99_crowd_vs_normal": ratio(crowded, normal, "p99_us"),
      "overload.bodies_refused": refused,
      "overload.quiet_in_time": inTime(find(rows, OVERLOAD, CALM)),
    },
    figures: [
      ...figures(rows, "per_second", { unit: "requests/s", better: "more" }),
      ...figures(rows, "p99_us", { unit: "µs", better: "less" }),
    ],
    tables: [table(complaint ? `${title}; ${complaint}` : title, rows, COLUMNS)],
    rows,
  };
}
