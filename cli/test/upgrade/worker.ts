//! The Worker at the time of a recording. Two routes more: `POST /ring/DAY` calls the alarms of the objects of a day of the
//! ledger, and `GET /logged` tells the warnings and errors since the start.

import worker, { Frequency, Ledger, Pacer, Relay, Summary } from "../../../worker/src/index.ts";
import { placesOf } from "../../../worker/src/ledger/places.ts";
import { keepAlarms } from "../pacing/clock.ts";

const logged: string[] = [];
for (const level of ["warn", "error"] as const) console[level] = (line: unknown) => logged.push(String(line));

type Class = new (ctx: DurableObjectState, env: Env) => object;

/** A class whose alarms follow the clock. */
function timed<C extends Class>(of: C): C {
  const Timed = class extends (of as Class) {
    constructor(ctx: DurableObjectState, env: Env) {
      keepAlarms(ctx.storage);
      super(ctx, env);
    }
  };
  return Timed as unknown as C;
}

class RingingLedger extends timed(Ledger) {
  ring(): Promise<void> {
    return this.alarm();
  }
}

const [TimedFrequency, TimedPacer, TimedSummary] = [timed(Frequency), timed(Pacer), timed(Summary)];

export { Relay, RingingLedger as Ledger, TimedFrequency as Frequency, TimedPacer as Pacer, TimedSummary as Summary };

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/logged") return Response.json(logged);
    if (!pathname.startsWith("/ring/")) return worker.fetch(request, env, ctx);
    const ledger = env.LEDGER as unknown as DurableObjectNamespace<RingingLedger>;
    for (const place of placesOf(pathname.slice("/ring/".length))) await ledger.getByName(place).ring();
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
