//! `GET /healthz`: tells everybody whether this isolate has a catalog. The operator also gets the catalog's version and
//! age, the state of notices and pacing, what is wrong with bills, and the counters.

import { callerOf, type OperatorEnv, told } from "../http/operator.ts";
import { ALARMS_MS } from "../limits.ts";
import { pacerOf } from "../pacing/places.ts";
import { alarmOf, type ShownAlarm } from "../pacing/told.ts";
import { within } from "../post/retry.ts";
import { fail } from "../telemetry/failures.ts";
import type { Bidder } from "../wasm/bidder.ts";
import type { Isolate } from "./isolate.ts";

/** 200 with a catalog and 503 without, both with a JSON body. 401 or 429 for a wrong token. */
export async function health(
  request: Request,
  env: OperatorEnv & Pick<Env, "PACER">,
  ctx: ExecutionContext,
  { keeper, counters, attempts, notices, pacing, skadn }: Isolate,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const caller = await callerOf(request, env, attempts);
  if (caller instanceof Response) return caller;
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  const ok = bidder !== undefined;
  const status = ok ? 200 : 503;
  if (caller !== "operator") return told({ ok }, { status });
  // Before its first bid or notice, a bidder has not checked the secrets.
  if (bidder && bidder.notices === undefined) notices.use(bidder, notices.of(request, env));
  const all = {
    ok,
    catalog: keeper.state(),
    notices: notices.state(env, bidder),
    pacing: pacing.state(bidder),
    alarms: await alarmsFor(bidder, env),
    skadn: bidder?.hasSkadn ? skadn.state() : null,
    counters,
  };
  return told(all, { status });
}

/** What is wrong with bills, by the pacer; empty without budgets, null if the pacer does not answer. */
async function alarmsFor(bidder: Bidder | undefined, env: Pick<Env, "PACER">): Promise<ShownAlarm[] | null> {
  if (!bidder?.budgets) return [];
  try {
    return (await within(ALARMS_MS, pacerOf(env).alarms())).map(alarmOf);
  } catch (error) {
    fail("alarms", error);
    return null;
  }
}
