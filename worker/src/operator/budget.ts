//! `GET /budget`: shows the operator the spend of each budget, the rest, and what holds its campaigns back, and also
//! what is wrong with bills. `?cid=` asks for the budget of one campaign or order.

import { alarmOf, budgetOf } from "../../../shared/pacing/budgets.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { askLater, json } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { pacerOf } from "../pacing/objects.ts";

/**
 * `{"campaigns": […], "alarms": […]}` with a `Budget` for each, also for orders, and all alarms. 503 with `{"error"}`
 * if the pacer cannot answer.
 */
export async function budget({ request, env }: Call): Promise<Response> {
  try {
    const pacer = pacerOf(env);
    const budgets = await pacer.told(new URL(request.url).searchParams.get("cid") ?? undefined);
    const alarms = await pacer.alarms();
    if (budgets) return json({ campaigns: budgets.map(budgetOf), alarms: alarms.map(alarmOf) });
    return askLater("the pacer has just started and does not know yet what was spent; try again");
  } catch (error) {
    fail("budget", error);
    return askLater("the pacer cannot answer now; try again");
  }
}
