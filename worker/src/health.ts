//! `GET /healthz`: which catalog this isolate serves, how old it is, and what it counted.

import type { CatalogKeeper } from "./catalog.ts";
import type { Counters } from "./counters.ts";

/** 200 when there is a catalog to bid with, else 503; a JSON body either way. */
export async function health(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  keeper: CatalogKeeper,
  counters: Counters,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  return Response.json(
    { ok: bidder !== undefined, catalog: keeper.state(), counters },
    { status: bidder ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
