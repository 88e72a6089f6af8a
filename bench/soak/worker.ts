//! The Worker with a clock of its own, and with parts that can be made to fail: `POST /faults` with a list of names. A part
//! that fails is killed at its next call, so that its memory is lost, and refuses every call.
//!
//! `GET /wasm` tells the bytes of all Wasm memories that are not collected yet.

import { type Class, timed } from "../../cli/test/upgrade/clock.ts";
import worker, { Deals, Frequency, Ledger, Pacer, Relay, Summary } from "../../worker/src/index.ts";

/** What fails now in this isolate. */
const failing = new Set<string>();

const memories: WeakRef<WebAssembly.Memory>[] = [];
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(of, given) {
    const instance: WebAssembly.Instance = Reflect.construct(of, given);
    memories.push(new WeakRef(instance.exports["memory"] as WebAssembly.Memory));
    return instance;
  },
});

/** A class whose objects fail with `part` when one of `methods` is called. */
function failable<C extends Class>(of: C, part: string, methods: string[]): C {
  const Failable = class extends (timed(of) as Class) {
    constructor(ctx: DurableObjectState, env: Env) {
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

const CALLS = ["book", "count", "refuse", "why", "report", "spent", "alarm"];
const FailableLedger = failable(Ledger, "ledger", CALLS);
const FailablePacer = failable(Pacer, "pacer", ["exchange", "told", "alarm"]);
const FailableRelay = failable(Relay, "relay", ["exchange"]);
const [TimedFrequency, TimedSummary] = [timed(Frequency), timed(Summary)];

export {
  Deals,
  FailableLedger as Ledger,
  FailablePacer as Pacer,
  FailableRelay as Relay,
  TimedFrequency as Frequency,
  TimedSummary as Summary,
};

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/wasm") {
      return Response.json(memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0));
    }
    if (pathname !== "/faults") return worker.fetch(request, withFaults(env), ctx);
    failing.clear();
    for (const part of (await request.json()) as string[]) failing.add(part);
    return new Response(null, { status: 204 });
  },
  queue: worker.queue,
} satisfies ExportedHandler<Env, ArrayBuffer>;
