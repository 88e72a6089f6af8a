//! `npm run bench -- pacer`: what the pacer's object takes in workerd after 16 hours, JavaScript included. The catalog, the
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
import { megabytes, ms } from "../units.ts";

export const pacer: Suite = {
  name: "pacer",
  summary: "the pacer's object by campaigns and SSPs: memory, tick, restart, relays",
  isLong: true,

  async run({ quick }) {
    const rows: Row[] = [];
    for (const campaigns of quick ? [50] : [1000, 5000])
      for (const ssps of [1, 10])
        for (const total of [{}, { total: "5000" }]) rows.push(await measured(campaigns, ssps, total));
    const named = (name: string): Column => [name, fact(name), name.endsWith("ms") ? ms : megabytes];
    const columns = ["module_bytes", "process_bytes", "tick_ms", "relay_ms", "restart_ms"].map(named);
    return { checks: {}, figures: [], tables: [table("the pacer", rows, columns)], rows };
  },
};

async function measured(campaigns: number, ssps: number, total: object): Promise<Row> {
  const document = { ...generate(campaigns), ssps: Array.from({ length: ssps }, (_, n) => ({ id: `ssp-${n}` })) };
  const all = document.campaigns.map((one) => ({ ...one, cur: "USD", budget: { daily: "100", ...total } }));
  const kv = { CATALOG: await pushed(snapshotOf({ ...document, campaigns: all }), campaigns) };
  const persist = mkdtempSync(join(tmpdir(), "edgebid-pacer-"));
  const started = () =>
    startProcess(new URL("worker.ts", import.meta.url), kv, { durableObjects: { PACER: "Pacer" }, persist });
  let [ahead, module_bytes] = [0, 0];
  /** The mean processor time of so many ticks. */
  const ticks = async ({ script, pid }: Process, times: number, relays = 0, step = 5000) => {
    const before = cpuMs(pid) ?? Number.NaN;
    for (const end = ahead + times * step; ahead < end; ahead += step)
      module_bytes = await (await script.fetch(`/tick?ahead=${ahead}&relays=${relays}`, { method: "POST" })).json();
    return ((cpuMs(pid) ?? Number.NaN) - before) / times;
  };
  const first = await started();
  await ticks(first, 64, 1, 900_000);
  await ticks(first, 40, 1, 10_000);
  const tick_ms = await ticks(first, 3);
  const relay_ms = ((await ticks(first, 3, 10)) - tick_ms) / 10;
  await first.script.stop();
  const again = await started();
  const idle = workingSet(again.pid) ?? Number.NaN;
  const restart_ms = await ticks(again, 1);
  const process_bytes = (peakSet(again.pid) ?? Number.NaN) - idle;
  await again.script.stop();
  rmSync(persist, { recursive: true });
  const name = `${campaigns} × ${ssps}${"total" in total ? ", with total" : ""}`;
  return newRow(name, "", { module_bytes, process_bytes, tick_ms, relay_ms, restart_ms });
}
