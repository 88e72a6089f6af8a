//! `GET /tail?seconds=N&one_in=M`: shows the operator what this isolate does, as NDJSON: each second a line with the
//! changes of its counters, and one in M requests without data that identifies a person.
//!
//! On this platform, a request cannot use the streams and timers of another request. So the bid route puts bodies into
//! a list, and the tail polls the list.

import { MAX_ONE_IN, MAX_TAIL_SECONDS, TAIL_DRAIN_MS, TAIL_LINE_MS, TAIL_SECONDS } from "../../../shared/limits.ts";
import { Seconds } from "../../../shared/tail/seconds.ts";
import { Refusal } from "../../../shared/telemetry/failures.ts";
import { wholeOf } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import type { Listener } from "../tail/tap.ts";

const HEADERS = { "cache-control": "no-store", "content-type": "application/x-ndjson" };

/** The stream of lines, each a `Second` or `{"ssp","at","outcome","request"}`. 400 or 503 with `{"error"}`. */
export function tail(call: Call): Response {
  const { seconds, oneIn } = queryOf(new URL(call.request.url).searchParams);
  const listener = oneIn > 0 ? call.isolate.options.tap.listen(oneIn, Date.now()) : undefined;
  if (listener === null) throw new Refusal("this isolate is watched often enough already; try again later", 503);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  call.ctx.waitUntil(write(writable.getWriter(), seconds, listener, call));
  return new Response(readable, { headers: HEADERS });
}

/** Writes lines until the time is over or the caller has gone. */
async function write(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  seconds: number,
  listener: Listener | undefined,
  { env, ctx, isolate: { keeper, counters, options } }: Call,
): Promise<void> {
  const utf8 = new TextEncoder();
  const began = Date.now();
  const lines = new Seconds(counters.toJSON(), began);
  let lost = 0;
  try {
    for (let now = began; now - began < seconds * 1000; ) {
      await scheduler.wait(listener ? TAIL_DRAIN_MS : TAIL_LINE_MS);
      now = Date.now();
      const drained = listener ? options.tap.drain(listener, now) : { lines: [], lost: 0 };
      lost += drained.lost;
      const texts = drained.lines;
      if (lines.since(now) >= TAIL_LINE_MS) {
        const { reasons = [] } = keeper.use(env, ctx) ?? {};
        texts.push(JSON.stringify(lines.next(counters.toJSON(), reasons, lost, now)));
        lost = 0;
      }
      if (texts.length > 0) await writer.write(utf8.encode(`${texts.join("\n")}\n`));
    }
    await writer.close();
  } catch {
    // The caller has gone.
  } finally {
    if (listener) options.tap.end(listener);
  }
}

/** The parameters; 0 for `oneIn` means no requests. Throws a {@link Refusal}. */
function queryOf(parameters: URLSearchParams): { seconds: number; oneIn: number } {
  const unknown = [...parameters.keys()].find((name) => name !== "seconds" && name !== "one_in");
  if (unknown !== undefined) throw new Refusal(`${unknown}: unknown parameter; expected seconds or one_in`, 400);
  return {
    seconds: wholeOf(parameters, "seconds", TAIL_SECONDS, 1, MAX_TAIL_SECONDS),
    oneIn: wholeOf(parameters, "one_in", 0, 0, MAX_ONE_IN),
  };
}
