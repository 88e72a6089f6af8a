//! The Worker of the suite `pacer`: the real object, with a ledger in memory. In each object of the last eight days, each
//! campaign has spent at each SSP; after that, each tells some new bills. `POST /tick?ahead=MS&relays=N` sets the clock,
//! sends counts as relays do, ticks, and tells the bytes of the module's memory and how many pacers there are.

import { Instance } from "../../shared/wasm/instance.ts";
import { PacingModule } from "../../worker/src/pacing/module.ts";
import { Pacer as Real } from "../../worker/src/pacing/pacer.ts";
import { routed } from "../isolate.ts";

let [ahead, number, pacers] = [0, 0, 1];
let memory = () => 0;
/** The hashes of SSPs, and of each campaign with each of them. */
let [ssps, pairs]: [string[], string[]] = [[], []];

const [{ now }, { put }, { part, plan }] = [Date, Instance.prototype, PacingModule.prototype];
Date.now = () => now() + ahead;
Instance.prototype.put = function (bytes) {
  if ("tick" in this.exports) memory = () => this.size;
  return put.call(this, bytes);
};
PacingModule.prototype.part = function (pacer, of) {
  pacers = of;
  part.call(this, pacer, of);
};
PacingModule.prototype.plan = function (list, now) {
  const known: Record<"budgets" | "ssps", { key: string; cid?: string }[]> = JSON.parse(new TextDecoder().decode(list));
  ssps = known.ssps.map(({ key }) => key);
  // Budgets of other pacers are there by their key only.
  const own = known.budgets.filter(({ cid }) => cid !== undefined);
  pairs = own.flatMap(({ key }) => ssps.map((ssp) => `${key} ${ssp}`));
  return plan.call(this, list, now);
};

/** An object of the ledger. A call copies its answer. */
const ledger = (shard: string) => ({
  async spent(ack: { batch: number } | null, [midnight = 0]: number[], reader?: { only: string[] | null }) {
    const [whole, batch] = [ack === null, (ack?.batch ?? 0) + 1];
    const issued = whole ? midnight : Math.floor(Date.now() / 1000) - 60;
    // New ones are those of 10,000 requests a second, 10 % bids and 10 % wins.
    const some = Array.from({ length: 16 }, (_, n) => pairs[(batch * 7919 + n * 104_729) % pairs.length]);
    const only = reader?.only && new Set(reader.only);
    const wanted = only ? pairs.filter((pair) => only.has(pair.slice(0, 16))) : pairs;
    const rows = (whole ? wanted : some).map((pair) => `${pair} ${issued} 9 8765432 9876543 0 USD\n`);
    const isOpen = Date.now() - Date.parse(shard.slice(0, 10)) < 8 * 86_400_000;
    return structuredClone({ instance: "one", batch, whole, rows: isOpen ? rows.join("") : "" });
  },
});
const summary = {
  async spent(asked: object[]) {
    const sum = { cur: "USD", nanos: "8765432", bid: "9876543", held: "0" };
    return structuredClone({ sums: asked.flatMap((_, at) => ssps.map((ssp) => ({ at, ssp, ...sum }))), places: [] });
  },
};

export class Pacer extends Real {
  constructor(ctx: DurableObjectState, env: Env) {
    const objects = { LEDGER: { getByName: ledger }, SUMMARY: { getByName: () => summary } };
    const others = { exchange: async () => "", told: async () => [], alarms: async () => [] };
    const idFromName = (name: string) => env.PACER.idFromName(name);
    super(ctx, { ...env, ...objects, PACER: { getByName: () => others, idFromName } } as unknown as Env);
  }

  async tick(relays: number): Promise<number[]> {
    const rows = [`${Date.now() - 5000} 0`, ...pairs.map((pair) => `${pair} 50 5 0 9000000`), ""];
    const counts = rows.join("\n");
    for (let n = 0; n < relays; n++)
      structuredClone(await this.exchange(structuredClone({ relay: String(n), number: number++, counts })));
    await this.alarm();
    if ((await this.told("none")) === null) throw new Error("the pacer has no shares");
    return [memory(), pacers];
  }
}

export default routed<Env>({
  tick(_, query, { PACER }) {
    ahead = Number(query("ahead"));
    return (PACER.getByName("pacer") as unknown as DurableObjectStub<Pacer>).tick(Number(query("relays")));
  },
});
