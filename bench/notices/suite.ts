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
import { compile } from "../../worker/src/catalog/compile.ts";
import { generate } from "../catalogs/generate.ts";
import { cpuMs } from "../http/workerd-process.ts";
import { noticeCounts } from "../instructions/notices.ts";
import { mix } from "../requests/mix.ts";
import { Isolate, measure, TURNS_A_ROUND } from "../rig.ts";
import {
  fact,
  figures,
  find,
  middle,
  newRow,
  push,
  type Row,
  ratio,
  table,
  total,
  turnsOf,
  us,
  versus,
  whole,
} from "../rows.ts";
import { median } from "../statistics.ts";
import type { Suite } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { BOOKINGS, type Booked, CALLS } from "./ways.ts";

const WORKER = new URL("worker.ts", import.meta.url);
const CALLERS = 50;
const ROUNDS = 11;
const QUICK_ROUNDS = 2;
/** Duration of one turn of bookings. */
const TURN_MS = 1000;
const WARM_MS = 500;

export const notices: Suite = {
  name: "notices",
  summary: "booking bills in one object of the ledger; decisions with notice URLs and without",

  async run({ quick }) {
    const counts = noticeCounts();
    const durableObjects = { LEDGER: "Ledger", SINGLE: "Single", SUMMARY: "Summary" };
    const isolate = await Isolate.start(WORKER, { durableObjects });
    try {
      const booked = await bookings(isolate, quick ? QUICK_ROUNDS : ROUNDS);
      const instructions = { on: counts.mix.on, off: counts.mix.off, notice: counts.notice };
      const jobs = CALLS.map(([way, name]) => ({
        row: newRow(name, "", { instructions: instructions[way] }),
        way,
        input: "",
      }));
      const bids = await load(isolate);
      await measure(jobs, isolate, null, quick ? 1 : ROUNDS);
      const rows = jobs.map(({ row }) => row);
      const [on, off, notice] = CALLS.map(([, name]) => find(rows, name)) as [Row, Row, Row];
      const [group, single] = [find(booked, BOOKINGS.group), find(booked, BOOKINGS.single)];
      const bidsARequest = bids / mix().length;
      const token = turnsOf(on, "us").map((us, turn) => (us - (turnsOf(off, "us")[turn] ?? 0)) / bidsARequest);
      return {
        checks: {
          "notices.per_second_vs_rpc": ratio(group, single, "per_second"),
          "notices.cpu_vs_rpc": ratio(single, group, "cpu_us"),
          "notices.rows_per_bill": rowsPerBill(group),
          "notices.token_us": median(token),
          "notices.read_us": median(turnsOf(notice, "us")),
          "decide.notices_on_vs_off": counts.mix.on / counts.mix.off,
          "decide.notices_on_vs_off_production": counts.production.on / counts.production.off,
          "decide.notices_time_on_vs_off": ratio(on, off, "us"),
        },
        figures: [
          ...figures(booked, "per_second", { unit: "bills/s", better: "more", base: BOOKINGS.single }),
          ...figures(booked, "cpu_us", { unit: "µs", better: "less", base: BOOKINGS.single }),
          ...figures(rows, "us", { unit: "µs", better: "less", base: off.name, turnsARound: TURNS_A_ROUND }),
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
            ["median", middle("us"), us],
            ["/ without", versus(rows, off.name, "us")],
            ["instructions", fact("instructions"), whole],
          ]),
        ],
        rows: [...booked, ...rows],
        bids_a_request: bidsARequest,
      };
    } finally {
      await isolate.stop();
    }
  },
};

async function bookings(isolate: Isolate, rounds: number): Promise<Row[]> {
  const rows = Object.values(BOOKINGS).map((name) => newRow(name));
  let first = 0;
  const book = async (way: string, ms: number): Promise<Booked> => {
    const query = { way, first: `${first}`, ms: `${ms}`, callers: `${CALLERS}` };
    const booked = await isolate.ask<Booked>("book", query);
    if (booked.wrong > 0) throw new Error(`${way}: ${booked.wrong} new bills were taken for duplicates`);
    first += booked.bills;
    return booked;
  };
  for (const { name } of rows) await book(name, WARM_MS);
  await takeTurns("booking", rounds, rows, async (row) => {
    const before = cpuMs(isolate.pid) ?? Number.NaN;
    const { bills, seconds, rows } = await book(row.name, TURN_MS);
    push(row, "per_second", bills / seconds);
    push(row, "cpu_us", (1000 * ((cpuMs(isolate.pid) ?? Number.NaN) - before)) / bills);
    push(row, "bills", bills);
    push(row, "rows", rows);
  });
  return rows;
}

function rowsPerBill(row: Row): number {
  return (total("rows")(row) ?? 0) / (total("bills")(row) ?? 0);
}

/** Loads requests and catalog; returns the bids on the mix. */
async function load(isolate: Isolate): Promise<number> {
  const { snapshot } = compile(new TextEncoder().encode(JSON.stringify(generate(1000))), compiler);
  await isolate.ask("mix", {}, mix().join("\n"));
  return isolate.ask<number>("catalog", {}, snapshot);
}
