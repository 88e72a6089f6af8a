//! `POST /explain/:ssp`: for the operator, the decision on a request and what each campaign failed
//! on. Nothing is counted, and nothing is bid.

import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { bearerToken } from "./bid.ts";
import { readBody } from "./body.ts";
import type { CatalogKeeper } from "./catalog.ts";
import { explanation } from "./explanation.ts";
import { EXPLAIN_BODY_MS } from "./limits.ts";

/** 404 where no operator token is set, 401 for another token than that, else the report as JSON. */
export async function explain(
  request: Request,
  sspId: string,
  env: Env,
  ctx: ExecutionContext,
  keeper: CatalogKeeper,
): Promise<Response> {
  if (!env.OPERATOR_TOKEN) return new Response(null, { status: 404 });
  if (!(await isOperator(bearerToken(request), env.OPERATOR_TOKEN))) return new Response(null, { status: 401 });
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  const ssp = bidder?.ssp(sspId);
  if (bidder === undefined || ssp === undefined) return new Response(null, { status: 404 });
  const body = await readBody(request, EXPLAIN_BODY_MS, ctx);
  // An empty 204 would be a riddle here.
  if (!(body instanceof Uint8Array)) return new Response(null, { status: body.status === 204 ? 408 : body.status });
  return new Response(explanation(bidder, body, ssp, Date.now(), compiler), {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}

/** Compares digests, so that the time taken tells nothing of the token. */
async function isOperator(sent: string | null, expected: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return crypto.subtle.timingSafeEqual(await digest(sent ?? ""), await digest(expected));
}
