//! `GET /healthz`: tells everybody whether this isolate has a catalog. The operator also gets the catalog's version and
//! age, the state of notices and pacing, and the counters.

import { callerOf, type OperatorEnv } from "../http/operator.ts";
import type { Isolate } from "./isolate.ts";

/** 200 with a catalog and 503 without, both with a JSON body. 401 or 429 for a wrong token. */
export async function health(
  request: Request,
  env: OperatorEnv,
  ctx: ExecutionContext,
  {
    keeper,
    counters,
    attempts,
    notices,
    pacing,
    skadn,
  }: Pick<Isolate, "keeper" | "counters" | "attempts" | "notices" | "pacing" | "skadn">,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const caller = await callerOf(request, env, attempts);
  if (caller instanceof Response) return caller;
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  const ok = bidder !== undefined;
  // Before its first bid or notice, a bidder has not checked the secrets.
  if (caller === "operator" && bidder && bidder.notices === undefined) {
    notices.use(bidder, notices.of(request, env));
  }
  const all = {
    ok,
    catalog: keeper.state(),
    notices: notices.state(env, bidder),
    pacing: pacing.state(bidder),
    skadn: bidder?.hasSkadn ? skadn.state() : null,
    counters,
  };
  return Response.json(caller === "operator" ? all : { ok }, {
    status: ok ? 200 : 503,
    headers: { "cache-control": "no-store" },
  });
}
