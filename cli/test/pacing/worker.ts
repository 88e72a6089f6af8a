//! The Worker with a faster clock, and with parts that can be made to fail: `POST /faults` with a list of names. A part
//! that fails is killed at its next call, so that its memory is lost, and refuses every call.
//!
//! `GET /usage` tells what the platform would bill for the objects: calls of methods and rows written.

import worker, { type Frequency, Ledger, Pacer, Relay, Summary } from "../../../worker/src/index.ts";
import { keepAlarms } from "./clock.ts";

/** What fails now in this isolate. */
const failing = new Set<string>();

/** Calls of each method and rows that each class has written. */
const usage: Record<string, number> = {};

function use(what: string, count = 1): void {
  usage[what] = (usage[what] ?? 0) + count;
}

type Class = new (ctx: DurableObjectState, env: Env) => object;

/** A class whose objects fail with `part`. */
function failable<C extends Class>(of: C, part: string, methods: string[]): C {
  const Failable = class extends (of as Class) {
    constructor(ctx: DurableObjectState, env: Env) {
      const { storage } = ctx;
      keepAlarms(storage);
      const { sql } = storage;
      const exec = sql.exec.bind(sql);
      sql.exec = ((...given: Parameters<typeof exec>) => {
        const cursor = exec(...given);
        if (cursor.rowsWritten > 0) use(`rows of ${part}`, cursor.rowsWritten);
        return cursor;
      }) as typeof sql.exec;
      super(ctx, withFaults(env));
    }
  };
  for (const method of methods) {
    const whole = of.prototype[method] as (...given: unknown[]) => unknown;
    (Failable.prototype as Record<string, unknown>)[method] = function (
      this: { ctx: DurableObjectState },
      ...given: unknown[]
    ) {
      use(`${part}.${method}`);
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

const FailableLedger = failable(Ledger, "ledger", ["book", "count", "refuse", "why", "report", "spent", "alarm"]);
const FailablePacer = failable(Pacer, "pacer", ["exchange", "told", "alarm"]);
const FailableRelay = failable(Relay, "relay", ["exchange"]);

export { FailableLedger as Ledger, FailablePacer as Pacer, FailableRelay as Relay, type Frequency, Summary };

export default {
  async fetch(request, env, ctx): Promise<Response> {
    if (request.url.endsWith("/usage")) return Response.json(usage);
    if (!request.url.endsWith("/faults")) return worker.fetch(request, withFaults(env), ctx);
    failing.clear();
    for (const part of (await request.json()) as string[]) failing.add(part);
    return new Response(null, { status: 204 });
  },
  queue: worker.queue,
} satisfies ExportedHandler<Env, ArrayBuffer>;
