//! `GET /optout`: deletes the browser's ids, and remembers the opt-out.
//!
//! Exchanges keep the data of earlier syncs. Only an exchange's own opt-out can delete its data.

import { FORGET_IDS, REMEMBER_OPT_OUT } from "../cookies/browser.ts";
import type { Counters } from "../telemetry/counters.ts";

/** Answers with a text for people. The opt-out also works if a page loads the address as an image or a frame. */
export function optOut(request: Request, counters: Counters): Response {
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });
  counters.add("opt-out");
  const headers = new Headers({ "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" });
  for (const cookie of [FORGET_IDS, ...REMEMBER_OPT_OUT]) headers.append("set-cookie", cookie);
  return new Response("You have opted out: this browser no longer gets an id from us.\n", { headers });
}
