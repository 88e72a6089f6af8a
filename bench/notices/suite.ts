//! `npm run bench -- notices`: the cost of notices. Measures the booking of bills in one object of the ledger, in
//! workerd with SQLite on disk, and the cost of a decision with notice URLs and without.
//!
//! Bookings: 50 callers at once, each with one bill at a time; each turn uses the object of its way, which grows. Every
//! bill is new, so an answer that says otherwise ends the run. A commit waits for the disk, whose speed may change a
//! lot from second to second on a shared machine; the processor time of a bill depends on it less.
//!
//! Decisions: two bidders of one isolate take turns with the same requests of the mix. The suite first checks that both
//! make the same bids and that every notice is read.

import { snapshotOf } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { noticeCounts } from "../instructions/features.ts";
import { cpuMs } from "../processes.ts";
import { figures, ratio, timeColumns, timeFigures, versus } from "../ratios.ts";
import { mix } from "../requests/mix.ts";
import { type Rig, withRig } from "../rig.ts";
import { fact, find, middle, newRow, push, type Row, table, total, turnsOf } from "../rows.ts";
import { median } from "../statistics.ts";
import type { Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { whole } from "../units.ts";
import { BOOKINGS, type Booked } from "./ways.ts";

const CALLERS = 50;
const ROUNDS = 11;
const QUICK_ROUNDS = 2;
/** Duration of one turn of bookings. */
const TURN_MS = 1000;
const WARM_MS = 500;

/** The calls of a bidder, by the ways of the Worker. */
const CALLS = { on: "edgebid, notices", off: "edgebid, no notices", notice: "edgebid, reading a notice" };

export const notices: Suite = {
  name: "notices",
  summary: "booking bills in one object of the ledger; decisions with notice URLs and without",

  run({ quick }) {
    const { mix: instructions, production, notice } = noticeCounts();
    const counts: Record<string, number> = { ...instructions, notice };
    const durableObjects = { LEDGER: "Ledger", SINGLE: "Single", SUMMARY: "Summary" };
    const worker = new URL("worker.ts", import.meta.url);
    return withRig({ worker, bindings: { durableObjects } }, async (rig) => {
      const booked = await bookings(rig, quick ? QUICK_ROUNDS : ROUNDS);
      const jobs = Object.entries(CALLS).map(([way, name]) => {
        return { row: newRow(name, "", { instructions: counts[way] ?? null }), way, input: "" };
      });
      const requests = mix();
      await rig.ask("mix", {}, requests.join("\n"));
      const bids = await rig.ask<number>("catalog", {}, snapshotOf(generate(1000)));
      const rows = await rig.measure(jobs, quick ? 1 : ROUNDS);
      const bidsARequest = bids / requests.length;
      return {
        checks: {
          ...checks(booked, rows, bidsARequest),
          "decide.notices_on_vs_off": instructions.on / instructions.off,
          "decide.notices_on_vs_off_production": production.on / production.off,
        },
        figures: [
          ...figures(booked, "per_second", { unit: "bills/s", better: "more", base: BOOKINGS.single }),
          ...figures(booked, "cpu_us", { unit: "µs", better: "less", base: BOOKINGS.single }),
          ...timeFigures(rows, CALLS.off),
        ],
        tables: [
          table(`bills into one object of the ledger, ${CALLERS} callers`, booked, [
            ["a second", middle("per_second"), whole],
            ["/ a transaction each", versus(booked, BOOKINGS.single, "per_second")],
            ["CPU µs of a bill", middle("cpu_us")],
            ["rows per bill", rowsPerBill],
            ["bills", total("bills"), whole],
          ]),
          table("a request of the mix with 1,000 campaigns, mean; a notice", rows, [
            ...timeColumns(rows, CALLS.off, "without"),
            ["instructions", fact("instructions"), whole],
          ]),
        ],
        rows: [...booked, ...rows],
        bids_a_request: bidsARequest,
      };
    });
  },
};

function checks(booked: Row[], rows: Row[], bidsARequest: number): Record<string, number> {
  const [on, off] = [find(rows, CALLS.on), find(rows, CALLS.off)];
  const [group, single] = [find(booked, BOOKINGS.group), find(booked, BOOKINGS.single)];
  const token = turnsOf(on, "us").map((us, turn) => (us - (turnsOf(off, "us")[turn] ?? 0)) / bidsARequest);
  return {
    "notices.per_second_vs_rpc": ratio(group, single, "per_second"),
    "notices.cpu_vs_rpc": ratio(single, group, "cpu_us"),
    "notices.rows_per_bill": rowsPerBill(group),
    "notices.token_us": median(token),
    "notices.read_us": median(turnsOf(find(rows, CALLS.notice), "us")),
    "decide.notices_time_on_vs_off": ratio(on, off, "us"),
  };
}

async function bookings({ ask, pid }: Rig, rounds: number): Promise<Row[]> {
  const rows = Object.values(BOOKINGS).map((name) => newRow(name));
  let first = 0;
  const book = async (way: string, ms: number): Promise<Booked> => {
    const booked = await ask<Booked>("book", { way, first: `${first}`, ms: `${ms}`, callers: `${CALLERS}` });
    if (booked.wrong > 0) throw new Error(`${way}: ${booked.wrong} new bills were taken for duplicates`);
    first += booked.bills;
    return booked;
  };
  const cpu = () => cpuMs(pid) ?? Number.NaN;
  for (const { name } of rows) await book(name, WARM_MS);
  await takeTurns("booking", rounds, rows, async (row) => {
    const before = cpu();
    const { bills, seconds, rows } = await book(row.name, TURN_MS);
    push(row, "per_second", bills / seconds);
    push(row, "cpu_us", (1000 * (cpu() - before)) / bills);
    push(row, "bills", bills);
    push(row, "rows", rows);
  });
  return rows;
}

function rowsPerBill(row: Row): number {
  return (total("rows")(row) ?? 0) / (total("bills")(row) ?? 0);
}
