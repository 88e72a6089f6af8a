//! `npm run bench -- pacer`: what the first pacer's object takes in workerd after 16 hours, JavaScript included. The catalog, the
//! module and the saved state are real, the ledger is in memory. The module's memory is exact. That of the process is over
//! an idle one, at the peak of a restart, with garbage that a full isolate would have collected.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { snapshotOf } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { pushed } from "../http/servers.ts";
import { cpuMs, type Process, peakSet, startProcess, workingSet } from "../processes.ts";
import { type Column, fact, newRow, type Row, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { megabytes, ms, whole } from "../units.ts";

export const pacer: Suite = {
  name: "pacer",
  summary: "the pacer's object by campaigns and SSPs: memory, tick, restart, relays",
  isLong: true,

  async run({ quick }) {
    const rows: Row[] = [];
    for (const [campaigns, ssps] of quick ? [[50, 1] as const] : SIZES)
      for (const totals of [0, 0.1, 1]) rows.push(await measured(campaigns, ssps, totals));
    const named = (name: string): Column => [
      name,
      fact(name),
      name.endsWith("ms") ? ms : name.endsWith("bytes") ? megabytes : whole,
    ];
    const columns = ["pacers", "module_bytes", "process_bytes", "tick_ms", "relays_ms", "restart_ms"].map(named);
    return { checks: {}, figures: [], tables: [table("the pacer", rows, columns)], rows };
  },
};

/** Relays that each report all pairs of a budget and an SSP in the time between two ticks. */
const RELAYS = 500;

/** Campaigns and SSPs. */
const SIZES = [
  [1000, 1],
  [1000, 10],
  [5000, 1],
  [5000, 10],
  [20_000, 10],
  [100_000, 1],
] as const;

/** `totals`: the part of the campaigns with a total budget. */
async function measured(campaigns: number, ssps: number, totals: number): Promise<Row> {
  const document = { ...generate(campaigns), ssps: Array.from({ length: ssps }, (_, n) => ({ id: `ssp-${n}` })) };
  const budgetOf = (n: number) => ({ daily: "100", ...(n < totals * campaigns && { total: "5000" }) });
  const all = document.campaigns.map((one, n) => ({ ...one, cur: "USD", budget: budgetOf(n) }));
  const kv = { CATALOG: await pushed(snapshotOf({ ...document, campaigns: all }), campaigns) };
  const persist = mkdtempSync(join(tmpdir(), "edgebid-pacer-"));
  const started = () =>
    startProcess(new URL("worker.ts", import.meta.url), kv, { durableObjects: { PACER: "Pacer" }, persist });
  let [ahead, module_bytes, pacers] = [0, 0, 0];
  /** The mean processor time of so many ticks. */
  const ticks = async ({ script, pid }: Process, times: number, relays = 0, step = 5000) => {
    const before = cpuMs(pid) ?? Number.NaN;
    for (const end = ahead + times * step; ahead < end; ahead += step)
      [module_bytes, pacers] = await (
        await script.fetch(`/tick?ahead=${ahead}&relays=${relays}`, { method: "POST" })
      ).json();
    return ((cpuMs(pid) ?? Number.NaN) - before) / times;
  };
  const first = await started();
  await ticks(first, 64, 1, 900_000);
  await ticks(first, 40, 1, 10_000);
  const tick_ms = await ticks(first, 3);
  const relays_ms = (await ticks(first, 3, RELAYS)) - tick_ms;
  await first.script.stop();
  const again = await started();
  const idle = workingSet(again.pid) ?? Number.NaN;
  const restart_ms = await ticks(again, 1);
  const process_bytes = (peakSet(again.pid) ?? Number.NaN) - idle;
  await again.script.stop();
  rmSync(persist, { recursive: true });
  const name = `${campaigns} × ${ssps}, ${totals * 100} % with total`;
  return newRow(name, "", { pacers, module_bytes, process_bytes, tick_ms, relays_ms, restart_ms });
}
