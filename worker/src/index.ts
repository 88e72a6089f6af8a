//! The Worker's entry: holds the state of the isolate. The router finds the route of a request.

import { Isolate } from "./isolate.ts";
import { deliver } from "./queue/deliver.ts";
import { answer } from "./router.ts";

export { Deals } from "./deals/deals.ts";
export { Frequency } from "./frequency/frequency.ts";
export { Ledger } from "./ledger/ledger.ts";
export { Summary } from "./ledger/summary.ts";
export { Pacer } from "./pacing/pacer.ts";
export { Relay } from "./pacing/relay.ts";

const isolate = new Isolate();

export default {
  async fetch(request, env, ctx): Promise<Response> {
    return answer(request, env, ctx, isolate);
  },

  async queue(batch, env, ctx): Promise<void> {
    await deliver(batch, env);
    isolate.events.due(env, ctx);
  },
} satisfies ExportedHandler<Env, ArrayBuffer>;
