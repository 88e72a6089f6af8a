//! `POST /explain/:ssp`: shows the operator the decision on a request, and the check that each campaign failed. Places
//! no bid and raises no counter of bids.

import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { type NoBody, readBody } from "../http/body.ts";
import { isJson } from "../http/headers.ts";
import { type OperatorEnv, operatorOnly } from "../http/operator.ts";
import { EXPLAIN_BODY_MS, MAX_BODY_BYTES } from "../limits.ts";
import { explanation } from "../wasm/explanation.ts";
import type { Isolate } from "./isolate.ts";

const JSON_HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/**
 * The report as JSON; if there is none, `{"error", "status"}` with the status that the SSP gets. 404 if no operator is
 * configured, and 401 or 429 for everybody else.
 */
export async function explain(
  request: Request,
  sspId: string,
  env: OperatorEnv,
  ctx: ExecutionContext,
  { keeper, attempts, pacing, skadn }: Pick<Isolate, "keeper" | "attempts" | "pacing" | "skadn">,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, attempts);
  if (refusal) return refusal;
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  const ssp = bidder?.ssp(sspId);
  if (bidder === undefined) return refused("there is no catalog yet", 204, 503);
  if (ssp === undefined) return refused(`the catalog has no SSP ${sspId}; it has ${bidder.ssps.join(", ")}`, 404);
  const contentType = request.headers.get("content-type");
  if (!isJson(contentType)) return refused(`the Content-Type is ${contentType}; expected application/json`, 415);
  const body = await readBody(request, EXPLAIN_BODY_MS, ctx);
  if (!(body instanceof Uint8Array))
    return refused(WHY_NO_BODY[body.status], body.status, body.status === 204 ? 408 : body.status);
  if (env.NOTICE_KEYS) pacing.use(bidder, true, request, env, ctx);
  if (bidder.hasSkadn) bidder.useSkadn((await skadn.of(env)) !== null);
  const { json, status } = explanation(bidder, body, ssp, Date.now(), compiler);
  if (status === null) return new Response(json, { headers: JSON_HEADERS });
  const { error } = JSON.parse(new TextDecoder().decode(json)) as { error: string };
  return refused(error, status, status === 204 ? 500 : status);
}

const WHY_NO_BODY: Record<NoBody["status"], string> = {
  204: "the body did not arrive in time",
  400: "the body is not gzip, but its Content-Encoding says so",
  413: `the body has more than ${MAX_BODY_BYTES} bytes, before or after inflating`,
  415: "the Content-Encoding is unknown; expected gzip or none",
};

/**
 * An error for the operator. `status` is the SSP's status. The operator gets `answered` instead of a 204, which would
 * look like a no-bid.
 */
function refused(error: string, status: number, answered = status): Response {
  return new Response(JSON.stringify({ error, status }), { status: answered, headers: JSON_HEADERS });
}
