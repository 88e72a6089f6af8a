//! The Worker's entry: routes requests, and holds the state of the isolate. The routes do everything else.

import { CatalogKeeper } from "./catalog/keeper.ts";
import { forget } from "./frequency/forget.ts";
import { Attempts } from "./http/attempts.ts";
import { inspectApi } from "./inspect/api.ts";
import { Asked } from "./inspect/asked.ts";
import { explain } from "./inspect/explain.ts";
import { totals } from "./ledger/report.ts";
import { Repeats } from "./notices/repeats.ts";
import { NoticeSettings } from "./notices/settings.ts";
import { Tally } from "./notices/tally.ts";
import { PacingExchange } from "./pacing/exchange.ts";
import { deliver } from "./queue/deliver.ts";
import { Events } from "./queue/events.ts";
import { bid } from "./routes/bid.ts";
import { budget } from "./routes/budget.ts";
import { health } from "./routes/health.ts";
import type { Isolate } from "./routes/isolate.ts";
import { notice } from "./routes/notice.ts";
import { optOut } from "./routes/optout.ts";
import { INSPECT, inspect, root } from "./routes/page.ts";
import { report } from "./routes/report.ts";
import { sync } from "./routes/sync.ts";
import { SkadnKey } from "./skadn/signer.ts";
import { tail } from "./tail/tail.ts";
import { Tap } from "./tail/tap.ts";
import { Counters } from "./telemetry/counters.ts";
import { Metrics } from "./telemetry/metrics.ts";

export { Frequency } from "./frequency/frequency.ts";
export { Ledger } from "./ledger/ledger.ts";
export { Summary } from "./ledger/summary.ts";
export { Pacer } from "./pacing/pacer.ts";
export { Relay } from "./pacing/relay.ts";

const counters = new Counters();
const isolate: Isolate = {
  keeper: new CatalogKeeper(counters),
  counters,
  events: new Events(counters),
  metrics: new Metrics(counters),
  attempts: new Attempts(counters),
  notices: new NoticeSettings(),
  tally: new Tally(counters),
  repeats: new Repeats(),
  pacing: new PacingExchange(counters),
  skadn: new SkadnKey(),
  asked: new Asked(),
  tap: new Tap(),
};

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const path = pathOf(request.url);
    if (path.startsWith("/bid/")) return bid(request, path.slice("/bid/".length), env, ctx, isolate);
    if (path.startsWith("/n/")) return notice(request, path.slice("/n/".length), env, ctx, isolate);
    if (path.startsWith("/explain/")) return explain(request, path.slice("/explain/".length), env, ctx, isolate);
    if (path.startsWith("/sync/")) return sync(request, path.slice("/sync/".length), env, ctx, isolate);
    if (path.startsWith("/inspect/api/"))
      return inspectApi(request, path.slice("/inspect/api/".length), env, ctx, isolate);
    if (path === "/report") return report(request, env, isolate, totals);
    if (path === "/tail") return tail(request, env, ctx, isolate);
    if (path === "/budget") return budget(request, env, isolate);
    if (path === "/forget") return forget(request, env, ctx, isolate);
    if (path === "/optout") return optOut(request, counters);
    if (path === "/healthz") return health(request, env, ctx, isolate);
    if (path === "/") return root(env);
    if (path === INSPECT || path.startsWith(`${INSPECT}/`)) return inspect(request, path, env);
    return new Response(null, { status: 404 });
  },

  async queue(batch, env, ctx): Promise<void> {
    await deliver(batch, env);
    isolate.events.due(env, ctx);
  },
} satisfies ExportedHandler<Env, ArrayBuffer>;

/** The path of an absolute URL. Parsing the whole URL would cost enough to show in profiles. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?", start);
  return query < 0 ? url.slice(start) : url.slice(start, query);
}
