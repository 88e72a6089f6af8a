//! The Worker of a suite that measures calls in one isolate: everything by name over HTTP. `rig.ts` drives it.
//!
//!     POST /warm?way=…&input=…      runs until the engine has compiled the code
//!     POST /measure?way=…&input=…   mean microseconds of a call in one batch; after `warm`
//!     POST /ROUTE?…                 a route of the suite's own; answers with JSON

import { batch, batchAwaiting, warm, warmAwaiting } from "./measure.ts";

/** What a way does with an input: `count` different calls, which are made in turn. */
export interface Work {
  call(at: number): unknown;
  count: number;
  isAsync?: boolean;
}

export type Query = (name: string) => string;

/** A route that returns undefined answers with `null`, one that returns a response with that. */
type Route<E> = (body: Uint8Array<ArrayBuffer>, query: Query, env: E) => unknown;

const WARM_MS = 250;

/** Stores every result, so that the engine cannot skip a call. */
const kept: { result: unknown } = { result: undefined };

export function isolate<E = unknown>(
  workOf: (way: string, input: string) => Work,
  routes: Record<string, Route<E>>,
): ExportedHandler<E> {
  const warmed = new Map<string, () => number | Promise<number>>();
  const all: Record<string, Route<E>> = {
    ...routes,
    async warm(_, query) {
      warmed.set(`${query("way")} ${query("input")}`, await warmUp(workOf(query("way"), query("input"))));
    },
    measure: (_, query) => warmed.get(`${query("way")} ${query("input")}`)?.(),
  };
  return {
    async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url);
      const route = all[pathname.slice(1)];
      if (route === undefined) return new Response("no such route", { status: 404 });
      const body = new Uint8Array(await request.arrayBuffer());
      const answer = await route(body, (name) => searchParams.get(name) ?? "", env);
      return answer instanceof Response ? answer : Response.json(answer ?? null);
    },
  };
}

async function warmUp(work: Work): Promise<() => number | Promise<number>> {
  const next = cycling(work);
  if (work.isAsync) {
    const awaited = async () => {
      await next();
    };
    const plan = await warmAwaiting(awaited, WARM_MS);
    return () => batchAwaiting(awaited, plan);
  }
  const plan = warm(next, WARM_MS, work.count);
  return () => batch(next, plan);
}

/** Each call continues after the one before, also from batch to batch. */
export function cycling({ call, count }: Pick<Work, "call" | "count">): () => unknown {
  let at = 0;
  return () => {
    kept.result = call(at);
    at = at + 1 < count ? at + 1 : 0;
    return kept.result;
  };
}

/** Differences per call of a counter that wraps at 2^32, over `laps` through all calls. */
export function counted(work: Work, counter: () => number | null, laps: number): number | null {
  const next = cycling(work);
  const before = counter();
  for (let call = 0; call < laps * work.count; call++) next();
  const after = counter();
  return before === null || after === null ? null : ((after - before) >>> 0) / (laps * work.count);
}

/** The lines of a posted text, as bytes. */
export function linesOf(body: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const lines = new TextDecoder().decode(body).split("\n");
  return lines.map((line) => new TextEncoder().encode(line) as Uint8Array<ArrayBuffer>);
}
