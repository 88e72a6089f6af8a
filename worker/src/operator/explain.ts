//! `POST /explain/:ssp`: shows the operator the decision on a request, and the check that each campaign failed. Places
//! no bid and raises no counter of bids.
//!
//! `?version=` asks another version, by its name or `second`. `?now=` decides at another time. `?bid` adds the
//! response. `?imp=` and `?campaign=` limit the answer to one of them.

import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { decideUnseen } from "../../../shared/frequency/decide.ts";
import { EXPLAIN_BODY_MS, MAX_BODY_BYTES } from "../../../shared/limits.ts";
import { A_TIME, timeIn } from "../../../shared/time/days.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { explanation, type Only } from "../../../shared/wasm/explanation.ts";
import { type NoBody, readBody } from "../http/body.ts";
import { BODY_TYPES, bodyType } from "../http/headers.ts";
import { json } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { extraBidder, type Found, refusalOf, servingOf, setUp } from "./bidders.ts";

const JSON_HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/** The parameters of the question. */
interface Question {
  /** The name of a version, or `second`; null for the version that is served. */
  version: string | null;
  /** The time of the decision in milliseconds since the epoch; null for now. */
  at: number | null;
  /** Whether to add the response. */
  bid: boolean;
  only: Only;
}

/** The report as JSON; if there is none, `{"error", "status"}` with the status that the SSP gets. */
export async function explain(call: Call): Promise<Response> {
  const { request, rest: sspId, env, ctx, isolate } = call;
  const served = isolate.keeper.use(env, ctx) ?? (await isolate.keeper.first());
  if (served === undefined) return refused("there is no catalog yet", 204, 503);
  const question = questionOf(new URL(request.url).searchParams);
  if (question === null) return refused(`now: expected ${A_TIME}`, 400);
  const contentType = request.headers.get("content-type");
  const type = bodyType(contentType);
  if (type === null) return refused(`the Content-Type is ${contentType}; expected application/json`, 415);
  const body = await readBody(request, EXPLAIN_BODY_MS, ctx, "/explain");
  if (!(body instanceof Uint8Array))
    return refused(WHY_NO_BODY[body.status], body.status, body.status === 204 ? 408 : body.status);
  try {
    const { noResponse, ...found } = await bidderFor(question, served, call);
    const { bidder } = found;
    const ssp = bidder.ssp(sspId);
    if (ssp === undefined) return refused(`the catalog has no SSP ${sspId}; it has ${bidder.ssps.join(", ")}`, 404);
    if (env.NOTICE_KEYS) {
      isolate.pacing.use(served, true, request, env, ctx);
      await isolate.pacing.caughtUp();
    }
    await isolate.seams.fetch(bidder, undefined, call);
    // Nothing is awaited from here to the decision, so no other question can change these settings.
    const unknown = prepare(found, served, question, call);
    const isWanted = question.bid && found.isExtra;
    const format = BODY_TYPES.get(type);
    const now = question.at ?? Date.now();
    const { json, status } = explanation(bidder, body, ssp, now, compiler, format, question.only);
    const report = new TextDecoder().decode(json);
    if (status !== null) return refused(JSON.parse(report).error, status, status === 204 ? 500 : status);
    const response = isWanted ? decideUnseen(bidder, { body, ssp, now, ...(format && { format }) }).body : undefined;
    const more = [
      ...(unknown > 0 ? [`"assumed":${JSON.stringify([assumption(unknown)])}`] : []),
      ...(noResponse === undefined ? [] : [`"no_response":${JSON.stringify(noResponse)}`]),
      ...(response === undefined ? [] : [`"response":${response && new TextDecoder().decode(response)}`]),
    ];
    return new Response(`${[report.slice(0, -1), ...more].join(",")}}`, { headers: JSON_HEADERS });
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refused(message, status);
  }
}

/** Null if a parameter cannot be read. */
function questionOf(parameters: URLSearchParams): Question | null {
  const now = parameters.get("now");
  const at = now === null ? null : timeIn(now);
  if (at === undefined) return null;
  const only = { imp: parameters.get("imp") ?? "", campaign: parameters.get("campaign") ?? "" };
  return { version: parameters.get("version"), at, bid: parameters.has("bid"), only };
}

/**
 * The bidder that serves the version, if its explanation is enough; otherwise an extra one. `noResponse`: why there is
 * no response, although the question asked for it. Throws {@link refusalOf}.
 */
async function bidderFor(
  { version, at, bid }: Question,
  served: Bidder,
  call: Call,
): Promise<Found & { noResponse?: string }> {
  const serving = servingOf(version, served, call.isolate);
  if (serving !== null && !bid && at === null) return serving;
  try {
    return await extraBidder(serving?.bidder.version ?? version ?? "", serving, call);
  } catch (error) {
    const { message, status } = refusalOf(error);
    // The serving bidder can still explain, but not give the response.
    if (status !== 413 || serving === null || at !== null) throw error;
    return { ...serving, noResponse: message };
  }
}

/** Gives the bidder the newest settings. Returns the number of budgets that the pacer does not know. */
function prepare(
  { bidder, isSent, isExtra }: Found,
  served: Bidder,
  { at }: Question,
  { request, env, ctx, isolate }: Call,
): number {
  const hasNotices = Boolean(env.NOTICE_KEYS);
  isolate.seams.prepare(bidder);
  if (hasNotices) isolate.pacing.use(served, true, request, env, ctx);
  if (isExtra) return setUp(bidder, { served, isServing: isSent !== null, hasNotices, at });
  if (hasNotices && isSent !== null) isolate.pacing.use(bidder, isSent, request, env, ctx);
  return 0;
}

function assumption(unknown: number): string {
  return `${unknown} of the budgets may be spent on every request: the pacer knows only the budgets of versions that serve`;
}

const WHY_NO_BODY: Record<NoBody["status"], string> = {
  204: "the body did not arrive in time",
  400: "the body is not gzip, but its Content-Encoding says so",
  413: `the body has more than ${MAX_BODY_BYTES} bytes, before or after inflating`,
  415: "the Content-Encoding is unknown; expected gzip or none",
};

/**
 * An error for the operator. `status` is the status that the SSP would get. The operator gets `answered`, because a 204
 * would look like a no-bid.
 */
function refused(error: string, status: number, answered = status): Response {
  return json({ error, status }, { status: answered });
}
