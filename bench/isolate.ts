//! The Worker of a suite, which does everything by name over HTTP. `rig.ts` drives a Worker that measures calls in one
//! isolate.
//!
//!     POST /warm?way=…&input=…           runs until the engine has compiled the code
//!     POST /measure?way=…&input=…        mean microseconds of a call in one batch; after `warm`
//!     POST /count?way=…&input=…&laps=…   what the work's counter counts per call, when warm; null without a counter
//!     POST /ROUTE?…                      a route of the suite's own; answers with JSON

import { batch, warm } from "./measure.ts";

/** What a way does with an input: `count` different calls, which are made in turn. */
export interface Work {
  call(at: number): unknown;
  count: number;
  /** A counter that wraps at 2^32. */
  counter?: () => number;
}

export type Query = (name: string) => string;

/** If a route returns undefined, the answer is `null`; if it returns a response, that is the answer. */
type Route<E> = (body: Uint8Array<ArrayBuffer>, query: Query, env: E) => unknown;

const WARM_MS = 250;

/** Stores every result, so that the engine cannot skip a call. */
const kept: { result: unknown } = { result: undefined };

export function isolate<E = unknown>(
  workOf: (way: string, input: string) => Work,
  routes: Record<string, Route<E>>,
): ExportedHandler<E> {
  const warmed = new Map<string, () => number>();
  return routed({
    ...routes,
    warm(_, query) {
      const work = workOf(query("way"), query("input"));
      const run = repeating(work);
      const plan = warm(run, WARM_MS, work.count);
      warmed.set(`${query("way")} ${query("input")}`, () => batch(run, plan));
    },
    measure: (_, query) => warmed.get(`${query("way")} ${query("input")}`)?.(),
    count: (_, query) => counted(workOf(query("way"), query("input")), Number(query("laps"))),
  });
}

/** A Worker with these routes. */
export function routed<E = unknown>(routes: Record<string, Route<E>>): ExportedHandler<E> {
  return {
    async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url);
      const route = routes[pathname.slice(1)];
      if (route === undefined) return new Response("no such route", { status: 404 });
      const body = new Uint8Array(await request.arrayBuffer());
      const answer = await route(body, (name) => searchParams.get(name) ?? "", env);
      return answer instanceof Response ? answer : Response.json(answer ?? null);
    },
  };
}

/** Makes `calls` calls. Each continues after the one before, also from batch to batch. */
export function repeating({ call, count }: Work): (calls: number) => void {
  let at = 0;
  return (calls) => {
    for (let made = 0; made < calls; made++) {
      kept.result = call(at);
      at = at + 1 < count ? at + 1 : 0;
    }
  };
}

/** In the first laps through all calls, memory still grows. So as many laps run uncounted first. */
function counted(work: Work, laps: number): number | null {
  const { counter, count } = work;
  if (counter === undefined) return null;
  const run = repeating(work);
  run(laps * count);
  const before = counter();
  run(laps * count);
  return ((counter() - before) >>> 0) / (laps * count);
}

/** The lines of a posted text, as bytes. */
export function linesOf(body: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const lines = new TextDecoder().decode(body).split("\n");
  return lines.map((line) => new TextEncoder().encode(line) as Uint8Array<ArrayBuffer>);
}
