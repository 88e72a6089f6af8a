//! `GET /shading`: shows the operator what learned shading knows. `POST` with `?do=freeze`, `thaw` or `reset` changes how
//! it goes on.

import { fail } from "../../../shared/telemetry/failures.ts";
import { askLater, json, operatorOnly, refused } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import type { Order } from "../pacing/module.ts";
import { pacerOf } from "../pacing/objects.ts";

const ORDERS: readonly Order[] = ["freeze", "thaw", "reset"];

/** A `Learned`, after the order. 503 with `{"error"}` if the pacer cannot answer. */
export async function shading({ request, env, isolate }: Call): Promise<Response> {
  const refusal = await operatorOnly(request, env, isolate.attempts);
  if (refusal) return refusal;
  const order = new URL(request.url).searchParams.get("do");
  const known = ORDERS.find((known) => known === order);
  if ((request.method === "POST") !== (known !== undefined) || (order !== null && known === undefined))
    return refused("GET /shading, or POST /shading?do=freeze, thaw or reset", 400);
  try {
    return json(await pacerOf(env).learned(known));
  } catch (error) {
    fail("shading", error);
    return askLater("the pacer cannot answer now; try again");
  }
}
