//! `GET /optout`: forgets the browser's ids and remembers that the person does not want any.
//!
//! What exchanges keep of earlier syncs is theirs, and ends with their own opt-outs.

import { FORGET_IDS, REMEMBER_OPT_OUT } from "../cookies/browser.ts";
import type { Counters } from "../telemetry/counters.ts";

/** Answers for people to read; as an image or a frame it works as well. */
export function optOut(request: Request, counters: Counters): Response {
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });
  counters.add("opt-out");
  const headers = new Headers({ "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" });
  for (const cookie of [FORGET_IDS, ...REMEMBER_OPT_OUT]) headers.append("set-cookie", cookie);
  return new Response("You have opted out: this browser gets no id of ours any more.\n", { headers });
}
