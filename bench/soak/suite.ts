//! `npm run bench -- soak`: a bidder under load for long. It gets 70 % of the highest rate that it holds, while catalogs
//! are pushed, parts fail, and an exchange bills impressions. Afterwards, all counts must agree, or the command fails.

import { setTimeout as sleep } from "node:timers/promises";
import { badOf, playTurn } from "../http/load.ts";
import { heldRate } from "../overload/exchange.ts";
import { at, type Column, fact, middle, newRow, type Row, table, total } from "../rows.ts";
import { median } from "../statistics.ts";
import type { Findings, Suite } from "../suite.ts";
import { show } from "../turns.ts";
import { megabytes, ms, usAsMs, whole } from "../units.ts";
import { agrees } from "./books.ts";
import { PARTS } from "./memory.ts";
import { COLLECTOR, type Stage, startStage } from "./stage.ts";

/** Connections, and seconds of a try of a rate. */
const USUAL = { minutes: 30, minuteMs: 60_000, speed: 1, connections: 32, duration: 1, delay: 0, step: 1.1 };
/** Short minutes and a fast clock: each fault happens once, but nothing has the time to grow. */
const QUICK = { ...USUAL, minutes: 5, minuteMs: 2000, speed: 10, duration: 0.2, step: 2 };
const LOAD = 0.7;
/** What fails, a minute each, in turns. */
const FAULTS = ["ledger", "pacer", "relay", "kv", COLLECTOR];
/** Memory should be flat after this many minutes. */
const WARM_MINUTES = 5;
const MINUTES: Column[] = [
  ["requests/s", middle("per_second"), whole],
  ["bad", total("bad"), whole],
  ["early", total("early"), whole],
  ["late", total("late"), whole],
  ["unsent", total("unsent"), whole],
  ["p50", middle("p50_us"), usAsMs],
  ["p99", middle("p99_us"), usAsMs],
  ["max", at(1, "max_us"), usAsMs],
  ["CPU µs", middle("cpu_us")],
  ...PARTS.map((part): Column => [part, fact(part), megabytes]),
];

export const soak: Suite = {
  name: "soak",
  summary: "30 minutes of load, pushes, notices, budgets and faults, after which all counts must agree",
  crates: ["hdrhistogram"],
  isLong: true,

  async run({ quick, load: asked }) {
    const settings = { ...(quick ? QUICK : USUAL), ...asked };
    const stage = await startStage(settings.speed);
    try {
      const { target } = stage;
      const search = { ...target, row: newRow("search") };
      const rate = Math.round(LOAD * (await heldRate(search, settings, settings.step)));
      const rows: Row[] = [];
      for (let minute = 1; minute <= settings.minutes; minute++) {
        const fault = FAULTS[(minute - 1) % FAULTS.length] ?? "";
        show(`soak: minute ${minute} of ${settings.minutes}, ${fault} fails`);
        const played = { ...target, rate, row: newRow(`bidder, ${minute}: ${fault}`) };
        await Promise.all([
          playTurn(played, { ...settings, duration: settings.minuteMs / 1000 }),
          stage.trade(settings.minuteMs),
          disturb(stage, minute, fault, settings.minuteMs / 4),
        ]);
        target.complaint ??= played.complaint;
        Object.assign(played.row.facts, await stage.memory());
        rows.push(played.row);
      }
      const counts = await stage.settled([search.row, ...rows]);
      return findings(rows, counts, rate, target.complaint);
    } finally {
      show("");
      await stage.stop();
    }
  },
};

/** Lets a part fail in the second quarter of a minute, and pushes a catalog after the third. */
async function disturb(stage: Stage, minute: number, fault: string, quarterMs: number): Promise<void> {
  await sleep(quarterMs);
  await stage.fail(fault);
  await sleep(quarterMs);
  await stage.fail(null);
  await sleep(quarterMs);
  await stage.push(minute);
}

function findings(rows: Row[], counts: Row[], rate: number, complaint: string | null): Findings {
  const unequal = counts.filter((row) => !agrees(row)).map(({ name }) => name);
  const bad = badOf(rows);
  if (unequal.length + bad > 0) process.exitCode = 1;
  const title = `${rate} requests/s, ${100 * LOAD} % of the highest rate that was held; times in ms`;
  return {
    checks: {
      "soak.unequal": unequal.length,
      "soak.bad": bad,
      "soak.requests_per_second": rate,
      ...(rows.length > WARM_MINUTES + 1 &&
        Object.fromEntries(PARTS.map((part) => [`soak.${part}_growth`, growth(rows, part)]))),
    },
    figures: [],
    tables: [
      table(complaint === null ? title : `${title}; ${complaint}`, rows, MINUTES),
      table(unequal.length === 0 ? "all counts agree" : `NOT EQUAL: ${unequal.join("; ")}`, counts, [
        ["counted", fact("counted"), whole],
        ["at least", fact("least"), whole],
        ["at most", fact("most"), whole],
      ]),
    ],
    charts: {
      "soak.svg": {
        title: `A bidder under load for ${rows.length} minutes, in workerd on one core`,
        note: `${title}; each row is a minute, with what fails in it`,
        rows,
        panels: [
          ["requests a second", middle("per_second"), whole],
          ["p99", middle("p99_us", 1e-3), ms],
          ["heap of the bidder", fact("heap"), megabytes],
          ["memory of workerd", fact("memory"), megabytes],
        ],
      },
    },
    rows: [...rows, ...counts],
  };
}

/** How much more memory a part needs in the last minutes than after the first ones, in bytes: medians of all faults. */
function growth(rows: Row[], part: string): number {
  const bytes = rows.slice(WARM_MINUTES).map(({ facts }) => facts[part] ?? Number.NaN);
  const some = Math.min(FAULTS.length, Math.ceil(bytes.length / 2));
  return median(bytes.slice(-some)) - median(bytes.slice(0, some));
}
