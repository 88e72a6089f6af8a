//! Finds the route of a request by its path, and checks who may call it and how. The routes do everything else.

import { Refusal } from "../../shared/telemetry/failures.ts";
import { operatorOnly, refused } from "./http/operator.ts";
import type { Call, Isolate } from "./isolate.ts";
import { budget } from "./operator/budget.ts";
import { explain } from "./operator/explain.ts";
import { health } from "./operator/health.ts";
import { report } from "./operator/report.ts";
import { shading } from "./operator/shading.ts";
import { tail } from "./operator/tail.ts";
import { inspectApi } from "./operator/versions.ts";
import { bid } from "./routes/bid.ts";
import { deals, operatorsDeals } from "./routes/deals.ts";
import { forget } from "./routes/forget.ts";
import { notice } from "./routes/notice.ts";
import { page, root } from "./routes/page.ts";
import { optOut, sync } from "./routes/sync.ts";

type Route = (call: Call) => Response | Promise<Response>;

/** Routes by the prefix of the path, those with the most calls first. */
const PREFIXES: [prefix: string, route: Route][] = [
  ["/bid/", bid],
  ["/n/", notice],
  ["/sync/", only(["GET"], sync)],
  ["/deals/", only(["POST"], deals)],
  ["/explain/", operators("POST", explain)],
  ["/inspect/api/", operators("GET", inspectApi)],
  ["/inspect/", page],
];

const PATHS: Readonly<Record<string, Route>> = {
  "/report": operators("GET", (call) => report(call)),
  "/tail": operators("GET", tail),
  "/budget": operators("GET", budget),
  "/shading": only(["GET", "POST"], shading),
  "/deals": only(["GET", "POST"], operatorsDeals),
  "/forget": operators("POST", forget),
  "/optout": only(["GET"], optOut),
  "/healthz": only(["GET", "HEAD"], health),
  "/": root,
  "/inspect": page,
};

/** Answers a request; 404 for an unknown path. */
export function answer(request: Request, env: Bindings, ctx: ExecutionContext, isolate: Isolate): ReturnType<Route> {
  const path = pathOf(request.url);
  for (const [prefix, route] of PREFIXES) {
    if (path.startsWith(prefix)) return route({ request, rest: path.slice(prefix.length), env, ctx, isolate });
  }
  return PATHS[path]?.({ request, rest: "", env, ctx, isolate }) ?? new Response(null, { status: 404 });
}

/** A route for everybody, by these methods. */
function only(methods: string[], answer: Route): Route {
  return (call) => {
    if (methods.includes(call.request.method)) return answer(call);
    return new Response(null, { status: 405, headers: { allow: methods.join(", ") } });
  };
}

/** A route for the operator alone. A thrown {@link Refusal} becomes the answer `{"error"}`. */
function operators(method: "GET" | "POST", answer: Route): Route {
  return async (call) => {
    const { request, env, isolate } = call;
    const refusal = await operatorOnly(request, env, isolate.attempts, method);
    if (refusal) return refusal;
    try {
      return await answer(call);
    } catch (error) {
      if (error instanceof Refusal) return refused(error.message, error.status);
      throw error;
    }
  };
}

/** The path of an absolute URL. Parsing the whole URL would cost enough to show in profiles. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?", start);
  return query < 0 ? url.slice(start) : url.slice(start, query);
}
