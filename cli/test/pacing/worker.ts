//! The Worker with a clock of its own, and with parts that can be made to fail: `POST /faults` with a list of names. A part
//! that fails is killed at its next call, so that its memory is lost, and refuses every call.
//!
//! `POST /ring/DAY` calls the alarms of the objects of a day of the ledger, `GET /logged` tells the warnings and errors
//! since the start, and `GET /wasm` the bytes of all Wasm memories that are not collected yet.

import worker, { Deals, Frequency, Ledger, Pacer, Relay, Summary } from "../../../worker/src/index.ts";
import { placesOf } from "../../../worker/src/ledger/places.ts";
import { keepAlarms } from "./clock.ts";

/** What fails now in this isolate. */
const failing = new Set<string>();

const logged: string[] = [];
for (const level of ["warn", "error"] as const) console[level] = (line: unknown) => logged.push(String(line));

const memories: WeakRef<WebAssembly.Memory>[] = [];
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(of, given) {
    const instance: WebAssembly.Instance = Reflect.construct(of, given);
    memories.push(new WeakRef(instance.exports["memory"] as WebAssembly.Memory));
    return instance;
  },
});

type Class = new (ctx: DurableObjectState, env: Env) => object;

/** A class whose alarms follow the clock, and whose objects fail with `part` when one of `methods` is called. */
function failable<C extends Class>(of: C, part: string, methods: string[] = []): C {
  const Failable = class extends (of as Class) {
    constructor(ctx: DurableObjectState, env: Env) {
      keepAlarms(ctx.storage);
      super(ctx, withFaults(env));
    }
  };
  for (const method of methods) {
    const whole = of.prototype[method] as (...given: unknown[]) => unknown;
    (Failable.prototype as Record<string, unknown>)[method] = function (
      this: { ctx: DurableObjectState },
      ...given: unknown[]
    ) {
      if (!failing.has(part)) return whole.apply(this, given);
      this.ctx.abort(`${part} is killed`);
      throw new Error(`${part} is down`);
    };
  }
  return Failable as unknown as C;
}

function withFaults(env: Env): Env {
  const kv = env.CATALOG;
  const down = async () => {
    throw new Error("KV is down");
  };
  const CATALOG = new Proxy(kv, {
    get: (_, name) => (failing.has("kv") ? down : Reflect.get(kv, name).bind(kv)),
  });
  return { ...env, CATALOG };
}

class RingingLedger extends failable(Ledger, "ledger", [
  ...["book", "count", "refuse", "why", "report", "spent", "alarm"],
]) {
  ring(): Promise<void> {
    return this.alarm();
  }
}

const [FailablePacer, FailableRelay] = [
  failable(Pacer, "pacer", ["exchange", "told", "alarm"]),
  failable(Relay, "relay", ["exchange"]),
];
const [TimedFrequency, TimedSummary] = [failable(Frequency, "frequency"), failable(Summary, "summary")];

export {
  Deals,
  FailablePacer as Pacer,
  FailableRelay as Relay,
  RingingLedger as Ledger,
  TimedFrequency as Frequency,
  TimedSummary as Summary,
};

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const [, route, day = ""] = new URL(request.url).pathname.split("/");
    if (route === "logged") return Response.json(logged);
    if (route === "wasm") {
      return Response.json(memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0));
    }
    if (route === "ring") {
      const ledger = env.LEDGER as unknown as DurableObjectNamespace<RingingLedger>;
      for (const place of placesOf(day)) await ledger.getByName(place).ring();
    } else if (route === "faults") {
      failing.clear();
      for (const part of (await request.json()) as string[]) failing.add(part);
    } else return worker.fetch(request, withFaults(env), ctx);
    return new Response(null, { status: 204 });
  },
  queue: worker.queue,
} satisfies ExportedHandler<Env, ArrayBuffer>;
