//! `GET /healthz`: for anybody, whether there is a catalog to bid with; for the operator, which one this isolate serves, how
//! old it is, and what it counted.

import { callerOf, type OperatorEnv } from "../http/operator.ts";
import type { Isolate } from "./isolate.ts";

/** 200 when there is a catalog to bid with, else 503, with a JSON body either way; 401 or 429 for a wrong token. */
export async function health(
  request: Request,
  env: OperatorEnv,
  ctx: ExecutionContext,
  { keeper, counters, attempts }: Pick<Isolate, "keeper" | "counters" | "attempts">,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const caller = await callerOf(request, env, attempts);
  if (caller instanceof Response) return caller;
  const ok = (keeper.use(env, ctx) ?? (await keeper.first())) !== undefined;
  return Response.json(caller === "operator" ? { ok, catalog: keeper.state(), counters } : { ok }, {
    status: ok ? 200 : 503,
    headers: { "cache-control": "no-store" },
  });
}
