//! `GET /tail?seconds=N&one_in=M`: shows the operator what this isolate does, as NDJSON: each second a line with the changes
//! of its counters, and one in M requests without what identifies a person.
//!
//! On this platform, a request cannot use the streams and timers of another request. So the bid route leaves bodies in a
//! list, and the tail looks into it.

import type { CatalogKeeper } from "../catalog/keeper.ts";
import type { Attempts } from "../http/attempts.ts";
import { type OperatorEnv, operatorOnly, refused } from "../http/operator.ts";
import { MAX_TAIL_SECONDS, TAIL_DRAIN_MS, TAIL_LINE_MS, TAIL_SECONDS } from "../limits.ts";
import type { Counters } from "../telemetry/counters.ts";
import { Seconds } from "./seconds.ts";
import type { Listener, Tap } from "./tap.ts";

const NO_STORE = { "cache-control": "no-store" };

interface Isolate {
  keeper: CatalogKeeper;
  counters: Counters;
  attempts: Attempts;
  tap: Tap;
}

interface Query {
  seconds: number;
  /** 0: no requests. */
  oneIn: number;
}

/**
 * The stream of lines, each a `Second` or `{"ssp","at","outcome","request"}`. 400 or 503 with `{"error"}`. 404 if no
 * operator is configured, and 401 or 429 for everybody else.
 */
export async function tail(
  request: Request,
  env: Env & OperatorEnv,
  ctx: ExecutionContext,
  isolate: Isolate,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, isolate.attempts, "GET");
  if (refusal) return refusal;
  const query = queryOf(new URL(request.url).searchParams);
  if (typeof query === "string") return refused(query, 400);
  const listener = query.oneIn > 0 ? isolate.tap.listen(query.oneIn, Date.now()) : undefined;
  if (listener === null) return refused("this isolate is watched often enough already; try again later", 503);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  ctx.waitUntil(write(writable.getWriter(), query, listener, env, ctx, isolate));
  return new Response(readable, { headers: { ...NO_STORE, "content-type": "application/x-ndjson" } });
}

/** Writes lines until the time is over or the caller has gone. */
async function write(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  query: Query,
  listener: Listener | undefined,
  env: Env,
  ctx: ExecutionContext,
  { keeper, counters, tap }: Isolate,
): Promise<void> {
  const utf8 = new TextEncoder();
  const began = Date.now();
  const seconds = new Seconds(counters.toJSON(), began);
  let lost = 0;
  try {
    for (let now = began; now - began < query.seconds * 1000; ) {
      await scheduler.wait(listener ? TAIL_DRAIN_MS : TAIL_LINE_MS);
      now = Date.now();
      const drained = listener ? tap.drain(listener, now) : { lines: [], lost: 0 };
      lost += drained.lost;
      const { lines } = drained;
      if (seconds.since(now) >= TAIL_LINE_MS) {
        const { reasons = [] } = keeper.use(env, ctx) ?? {};
        lines.push(JSON.stringify(seconds.next(counters.toJSON(), reasons, lost, now)));
        lost = 0;
      }
      if (lines.length > 0) await writer.write(utf8.encode(`${lines.join("\n")}\n`));
    }
    await writer.close();
  } catch {
    // The caller has gone.
  } finally {
    if (listener) tap.end(listener);
  }
}

/** The parameters, or what is wrong with them. */
function queryOf(parameters: URLSearchParams): Query | string {
  const unknown = [...parameters.keys()].find((name) => name !== "seconds" && name !== "one_in");
  if (unknown !== undefined) return `${unknown}: unknown parameter; expected seconds or one_in`;
  const seconds = Number(parameters.get("seconds") ?? TAIL_SECONDS);
  if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TAIL_SECONDS))
    return `seconds: expected an integer from 1 to ${MAX_TAIL_SECONDS}`;
  const oneIn = Number(parameters.get("one_in") ?? 0);
  if (!(Number.isInteger(oneIn) && oneIn >= 0)) return "one_in: expected an integer, or 0 for no requests";
  return { seconds, oneIn };
}
