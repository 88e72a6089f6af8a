//! `GET /budget`: tells the operator of each budget what its campaigns have spent, what they may still spend, and what holds
//! them back, and what is wrong with bills. `?cid=` asks for the budget of one campaign or order.

import { askLater, type OperatorEnv, operatorOnly, told as shown } from "../http/operator.ts";
import { pacerOf } from "../pacing/places.ts";
import { type Alarm, alarmOf, budgetOf, type Told } from "../pacing/told.ts";
import { fail } from "../telemetry/failures.ts";
import type { Isolate } from "./isolate.ts";

/**
 * `{"campaigns": […], "alarms": […]}` with a `Budget` for each, also for orders, and all alarms. 404 if no operator is configured, 401 or 429 for everybody else, 503
 * with `{"error"}` if the pacer cannot answer.
 */
export async function budget(
  request: Request,
  env: Env & OperatorEnv,
  { attempts }: Pick<Isolate, "attempts">,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, attempts, "GET");
  if (refusal) return refusal;
  let told: Told[] | null;
  let alarms: Alarm[];
  try {
    const pacer = pacerOf(env);
    told = await pacer.told(new URL(request.url).searchParams.get("cid") ?? undefined);
    alarms = await pacer.alarms();
  } catch (error) {
    fail("budget", error);
    return askLater("the pacer cannot answer now; try again");
  }
  if (told === null) return askLater("the pacer has just started and does not know yet what was spent; try again");
  return shown({ campaigns: told.map(budgetOf), alarms: alarms.map(alarmOf) });
}
