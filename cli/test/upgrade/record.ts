//! Records what this version of edgebid stores and answers, for `cli/test/upgrade.test.ts` of later versions:
//!
//!     node cli/test/upgrade/record.ts 0.1.0
//!
//! It takes two minutes, because the pacer counts requests before campaigns with a budget bid. The clock of a recording
//! always starts at the same time, but the ids of bids are random, so two recordings differ.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { SAVE_MS } from "../../../shared/limits.ts";
import { DAY_MS, dayAt } from "../../../shared/time/days.ts";
import { now } from "../../../worker/test/support/clock.ts";
import { runningIn, storedIn } from "./bidder.ts";
import { Catalogs, type Cid, requestFor } from "./campaigns.ts";
import { Exchange, tokenOf } from "./exchange.ts";
import { type Expected, type Recording, recorded, writeRecording } from "./recording.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");
/** The objects of this day hand over their totals before `NOW`. */
const PAST = NOW - 9 * DAY_MS;
/** The days of the report. */
const DAYS = { from: dayAt(PAST), to: dayAt(NOW) };
/** Seconds in which the pacer counts requests, twice as many as it needs. */
const COUNTING_S = 60;

const version = process.argv[2];
if (version === undefined || !/^[\w.-]+$/.test(version)) throw new Error("name the version, such as 0.1.0");
if (recorded().includes(version)) {
  throw new Error(`fixtures/upgrade/${version} exists; delete it only if this version was never released`);
}
const folder = mkdtempSync(join(tmpdir(), "edgebid-record-"));
try {
  console.info(writeRecording(version, await recording(folder)));
} finally {
  rmSync(folder, { recursive: true });
}

async function recording(folder: string): Promise<Recording> {
  const catalogs = new Catalogs();
  await catalogs.push({ name: "open" }, PAST);
  const exchange = new Exchange(await runningIn(folder, PAST - now(), catalogs.kv));
  await exchange.bill("total", 2);
  await exchange.bill("plain", 1);
  await exchange.bill("euro", 1);
  await exchange.report(DAYS);
  await exchange.running.stop();

  // The campaigns spend before they have budgets, because a budget that is nearly spent makes a campaign slow.
  const offset = NOW - now();
  exchange.running = await runningIn(folder, offset, catalogs.kv);
  await exchange.running.handOver(dayAt(PAST));
  await exchange.bill("daily", 3);
  await exchange.bill("total", 1);
  await exchange.bill("shared-a", 2);
  await exchange.bill("shared-b", 1);
  await exchange.bill("euro", 2);
  await exchange.bill("plain", 2, { ssp: "north" });
  await exchange.refuse("plain");
  await exchange.lose("plain");
  for (const ssp of ["demo", "north"]) await exchange.keep("plain", { ssp });
  await exchange.keep("euro");
  await exchange.bill("capped", 1, { person: "has-seen" });
  const reaching = await exchange.keep("capped", { person: "has-been-sent" });
  await exchange.buy(requestFor("counted", "counted", { person: "has-been-sent" }));
  await exchange.report(DAYS);
  await exchange.running.stop();

  const impressions = { daily: 3, total: 3, "shared-a": 3, going: 100_000 };
  const second = { mode: "split", share: 50 } as const;
  const catalog = {
    version: await catalogs.push({ name: "budgets", impressions }, NOW),
    second: await catalogs.push({ name: "split", impressions }, NOW, second),
  };
  exchange.running = await runningIn(folder, offset, catalogs.kv);
  const bids: Expected["bids"] = [];
  // So many that both versions bid for both campaigns.
  for (let n = 0; n < 40; n++) {
    const asked = requestFor(n % 2 ? "euro" : "plain", `split-${n}`, { ssp: n % 3 ? "demo" : "north" });
    const { impid, cid, crid, price } = await exchange.buy(asked);
    bids.push({ ...asked, offers: [{ impid, cid, crid, price }] });
  }
  await exchange.trade(["daily", "total", "shared-a", "shared-b", "going"], COUNTING_S);
  await exchange.bill("going", 3);
  await exchange.keep("going");
  const report = await exchange.report(DAYS);
  // The pacer has saved what it has learned by then.
  await sleep(2 * SAVE_MS);
  const { running, billed, refused, coming } = exchange;
  const paths = [...billed, ...refused, ...coming.map(({ path }) => path)];
  const known: Expected["known"] = {};
  for (const path of paths) known[tokenOf(path)] = await running.known(tokenOf(path));
  const asked = (cid: Cid, person?: string) => ({ cid, ...requestFor(cid, "after", person ? { person } : {}) });
  const expected: Expected = {
    ...{ until: new Date(running.now).toISOString(), ...DAYS, catalog, bids },
    spent: [asked("daily"), asked("total"), asked("shared-a"), asked("shared-b")],
    going: asked("going"),
    capped: [asked("capped", "has-seen"), asked("counted", "has-been-sent")],
    reaching: { ...asked("capped", "has-been-sent"), path: reaching },
    ...{ billed, refused, coming, known, report },
    budgets: (await running.budgets()).map(({ cid, order, members, cur, day, daily, total, spent, spent_total }) => {
      return { cid, order, members, cur, day, daily, total, spent, spent_total };
    }),
  };
  await running.stop();
  return { expected, ...(await storedIn(folder, offset)) };
}
