//! `GET /budget`: tells the operator of each budget what its campaigns have spent, what they may still spend, and what holds
//! them back, and what is wrong with bills. `?cid=` asks for the budget of one campaign or order.

import { type OperatorEnv, operatorOnly } from "../http/operator.ts";
import { REPORT_RETRY_SECONDS } from "../limits.ts";
import { pacerOf } from "../pacing/places.ts";
import { type Alarm, alarmOf, budgetOf, type Told } from "../pacing/told.ts";
import { fail } from "../telemetry/failures.ts";
import type { Isolate } from "./isolate.ts";

const HEADERS = { "cache-control": "no-store" };

/**
 * `{"campaigns": […], "alarms": […]}` with a `Budget` for each, also for orders, and all alarms. 404 if no operator is configured, 401 or 429 for everybody else, 503
 * with `{"error"}` if the pacer cannot answer.
 */
export async function budget(
  request: Request,
  env: Env & OperatorEnv,
  { attempts }: Pick<Isolate, "attempts">,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, attempts);
  if (refusal) return refusal;
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });
  let told: Told[] | null;
  let alarms: Alarm[];
  try {
    const pacer = pacerOf(env);
    told = await pacer.told(new URL(request.url).searchParams.get("cid") ?? undefined);
    alarms = await pacer.alarms();
  } catch (error) {
    fail("budget", error);
    return later("the pacer cannot answer now; try again");
  }
  if (told === null) return later("the pacer has just started and does not know yet what was spent; try again");
  return Response.json({ campaigns: told.map(budgetOf), alarms: alarms.map(alarmOf) }, { headers: HEADERS });
}

function later(error: string): Response {
  const headers = { ...HEADERS, "retry-after": `${REPORT_RETRY_SECONDS}` };
  return Response.json({ error }, { status: 503, headers });
}
