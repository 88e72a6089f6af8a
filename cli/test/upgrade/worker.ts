//! The Worker with a clock of its own. `POST /ring/DAY` calls the alarms of the objects of a day of the ledger, and
//! `GET /logged` tells the warnings and errors since the start.

import worker, { Deals, Frequency, Ledger, Pacer, Relay, Summary } from "../../../worker/src/index.ts";
import { shardsOf } from "../../../worker/src/ledger/shards.ts";
import { timed } from "./clock.ts";

const logged: string[] = [];
for (const level of ["warn", "error"] as const) console[level] = (line: unknown) => logged.push(String(line));

class RingingLedger extends timed(Ledger) {
  ring(): Promise<void> {
    return this.alarm();
  }
}

const [TimedSummary, TimedPacer, TimedRelay, TimedFrequency] = [
  ...([timed(Summary), timed(Pacer), timed(Relay), timed(Frequency)] as const),
];

export {
  Deals,
  RingingLedger as Ledger,
  TimedFrequency as Frequency,
  TimedPacer as Pacer,
  TimedRelay as Relay,
  TimedSummary as Summary,
};

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const [, route, day = ""] = new URL(request.url).pathname.split("/");
    if (route === "logged") return Response.json(logged);
    if (route !== "ring") return worker.fetch(request, env, ctx);
    const ledger = env.LEDGER as unknown as DurableObjectNamespace<RingingLedger>;
    for (const shard of shardsOf(day)) await ledger.getByName(shard).ring();
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
