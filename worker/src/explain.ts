//! `POST /explain/:ssp`: for the operator, the decision on a request and what each campaign failed
//! on. Nothing is counted, and nothing is bid.

import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { type Attempts, REFUSAL_HEADERS } from "./attempts.ts";
import { readBody } from "./body.ts";
import type { CatalogKeeper } from "./catalog.ts";
import { explanation } from "./explanation.ts";
import { EXPLAIN_BODY_MS } from "./limits.ts";
import { callerOf, type OperatorEnv } from "./operator.ts";

/** 404 where there is no operator, 401 or 429 for anybody but the operator, else the report as JSON. */
export async function explain(
  request: Request,
  sspId: string,
  env: OperatorEnv,
  ctx: ExecutionContext,
  keeper: CatalogKeeper,
  attempts: Attempts,
): Promise<Response> {
  const caller = await callerOf(request, env, attempts);
  if (caller instanceof Response) return caller;
  if (caller === "anybody") {
    return env.OPERATOR_TOKEN
      ? new Response(null, { status: 401, headers: REFUSAL_HEADERS[401] })
      : new Response(null, { status: 404 });
  }
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  const ssp = bidder?.ssp(sspId);
  if (bidder === undefined || ssp === undefined) return new Response(null, { status: 404 });
  const body = await readBody(request, EXPLAIN_BODY_MS, ctx);
  // An operator would take a 204 for an explanation.
  if (!(body instanceof Uint8Array)) return new Response(null, { status: body.status === 204 ? 408 : body.status });
  return new Response(explanation(bidder, body, ssp, Date.now(), compiler), {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}
