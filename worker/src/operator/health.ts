//! `GET /healthz`: tells everybody whether this isolate has a catalog. The operator also gets the catalog's version and
//! age, the state of notices and pacing, what is wrong with bills, and the counters.

import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { ALARMS_MS } from "../../../shared/limits.ts";
import { alarmOf, type ShownAlarm } from "../../../shared/pacing/budgets.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { isQuick } from "../../../shared/wasm/instance.ts";
import { callerOf, json } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { pacerOf } from "../pacing/objects.ts";
import { within } from "../time/retry.ts";

/** 200 with a catalog and 503 without, both with a JSON body. 401 or 429 for a wrong token. */
export async function health({ request, env, ctx, isolate }: Call): Promise<Response> {
  const { keeper, counters, attempts, notices, pacing, seams } = isolate;
  const caller = await callerOf(request, env, attempts);
  if (caller instanceof Response) return caller;
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  const ok = bidder !== undefined;
  const status = ok ? 200 : 503;
  if (caller !== "operator") return json({ ok }, { status });
  // Before its first bid or notice, a bidder has not checked the secrets.
  if (bidder && bidder.notices === undefined) notices.use(bidder, notices.of(request, env));
  const all = {
    ok,
    catalog: keeper.state(),
    notices: notices.state(env, bidder),
    pacing: pacing.state(bidder),
    alarms: await alarmsFor(bidder, env),
    options: seams.states(bidder),
    kv: env.LOCAL_KV ?? null,
    modules: isQuick(module) ? "quick" : "final",
    counters,
  };
  return json(all, { status });
}

/** The pacer's alarms about bills; empty without budgets, null if the pacer does not answer. */
async function alarmsFor(bidder: Bidder | undefined, env: Env): Promise<ShownAlarm[] | null> {
  if (!bidder?.budgets) return [];
  try {
    return (await within(ALARMS_MS, pacerOf(env).alarms())).map(alarmOf);
  } catch (error) {
    fail("alarms", error);
    return null;
  }
}
