//! `npm run bench -- notices`: what notices cost. Booking bills in one object of the ledger, in workerd with SQLite on
//! disk, and what a decision costs with notice URLs and without.
//!
//! Bookings: 50 callers at once, each with one bill at a time; each turn uses the object of its way, which grows. Every
//! bill is new, so an answer that says otherwise ends the run. A commit waits for the disk, whose speed may change a lot
//! from second to second on a shared machine; the processor time of a bill depends on it less.
//!
//! Decisions: two bidders of one isolate take turns with the same requests of the mix. The suite first checks that both
//! make the same bids and that every notice is read.

import { compiler } from "../../cli/module.ts";
import { json, type RunningScript, startScript } from "../../cli/workerd.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import { generate } from "../catalogs/generate.ts";
import { cpuMs, workerds } from "../http/workerd-process.ts";
import { noticeCounts } from "../instructions/notices.ts";
import { Progress } from "../progress.ts";
import { mix } from "../requests/mix.ts";
import type { Suite } from "../suite.ts";
import { CAMPAIGNS } from "./bills.ts";
import { chart } from "./chart.ts";
import { analysis, bookingTable, checks, costTable, type Found, figures } from "./rows.ts";
import { BOOKINGS, type Booked, type Booking, CALLS } from "./ways.ts";

const WORKER = new URL("worker.ts", import.meta.url);
const CALLERS = 50;
const ROUNDS = 11;
const QUICK_ROUNDS = 2;
/** Duration of one turn of bookings. */
const TURN_MS = 1000;
const WARM_MS = 500;
/** Turns of the decisions. */
const TURNS = 55;
const QUICK_TURNS = 5;

export const notices: Suite = {
  name: "notices",
  summary: "booking bills in one object of the ledger; decisions with notice URLs and without",

  async run({ quick }) {
    const progress = new Progress();
    progress.show(0, 1, "counting instructions");
    const counts = noticeCounts();
    const durableObjects = { LEDGER: "Ledger", SINGLE: "Single", SUMMARY: "Summary" };
    const others = new Set(workerds());
    const script = await startScript(WORKER, {}, { durableObjects });
    const pid = workerds().find((pid) => !others.has(pid));
    try {
      const booked = await bookings(script, pid, quick ? QUICK_ROUNDS : ROUNDS, progress);
      const { bids, turns } = await decisions(script, quick ? QUICK_TURNS : TURNS, progress);
      progress.end();
      const found: Found = { booked, turns, counts, bids_a_request: bids / mix().length };
      return {
        checks: checks(found),
        analysis: analysis(found),
        figures: figures(found),
        tables: [bookingTable(found, CALLERS, CAMPAIGNS), costTable(found)],
        rows: [found],
      };
    } finally {
      await script.stop();
    }
  },

  pictures: (result) => ({ "notices.svg": chart(result.rows[0] as Found, result) }),
};

/** The turns of each way of booking. */
async function bookings(
  script: RunningScript,
  pid: number | undefined,
  rounds: number,
  progress: Progress,
): Promise<Found["booked"]> {
  const ways = Object.values(BOOKINGS);
  const booked = Object.fromEntries(ways.map((way) => [way, []])) as unknown as Found["booked"];
  let first = 0;
  const turn = async (way: Booking, ms: number) => {
    const query = new URLSearchParams({ way, first: `${first}`, ms: `${ms}`, callers: `${CALLERS}` });
    const before = cpuMs(pid);
    const found = await json<Booked>(script, `/book?${query}`, { method: "POST" });
    const after = cpuMs(pid);
    if (found.wrong > 0) throw new Error(`${way}: ${found.wrong} new bills were taken for duplicates`);
    first += found.bills;
    return { ...found, cpu_ms: before === null || after === null ? null : after - before };
  };
  for (const way of ways) await turn(way, WARM_MS);
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < ways.length; at++) {
      progress.show(round * ways.length + at, rounds * ways.length, `booking, round ${round + 1} of ${rounds}`);
      // Each round begins with a different way.
      const way = ways[(at + round) % ways.length] ?? BOOKINGS.group;
      booked[way].push(await turn(way, TURN_MS));
    }
  }
  return booked;
}

/** The turns of each call, in microseconds, and the bids on the mix. */
async function decisions(
  script: RunningScript,
  count: number,
  progress: Progress,
): Promise<Pick<Found, "turns"> & { bids: number }> {
  const { snapshot } = compile(new TextEncoder().encode(JSON.stringify(generate(1000))), compiler);
  await script.fetch("/mix", { method: "POST", body: mix().join("\n") });
  const bids = await json<number>(script, "/catalog", { method: "POST", body: snapshot });
  for (const way of CALLS) await script.fetch(`/warm?way=${way}`);
  const turns: Found["turns"] = { on: [], off: [], notice: [] };
  for (let turn = 0; turn < count; turn++) {
    progress.show(turn, count, `deciding, turn ${turn + 1} of ${count}`);
    for (let at = 0; at < CALLS.length; at++) {
      const way = CALLS[(at + turn) % CALLS.length] ?? "on";
      turns[way].push(await json<number>(script, `/measure?way=${way}`));
    }
  }
  return { bids, turns };
}
