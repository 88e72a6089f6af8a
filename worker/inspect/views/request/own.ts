//! The person's own request: pasted, or captured and opened from another view. It stays in this tab while the person
//! looks at other views, and is never in the address.

import { addressOf } from "../../parts/address.ts";
import { formatted, spans, valueAt } from "./ask/json.ts";

/** A request as `GET /tail` captures it and `edgebid tail --keep` writes it. */
export interface Captured {
  ssp: string;
  /** The time of the decision, ISO 8601. */
  at: string;
  outcome: string;
  request: Record<string, unknown>;
}

/** The text of the request. */
export const own = { text: "" };

/** The address of the view of requests that decides again on a captured request. */
export function open({ ssp, at, request }: Captured): void {
  own.text = formatted(JSON.stringify(request));
  location.hash = addressOf("request", { ssp, now: secondOf(at) });
}

/** The request in a line that was captured, with its SSP and time; null if the text is another one. */
export function unpacked(text: string): { text: string; state: { ssp?: string; now?: string } } | null {
  const all = spans(text);
  const span = all.get("request");
  if (span === undefined || all.has("imp") || !all.has("request.imp")) return null;
  const [ssp, at] = [valueAt(text, all, "ssp"), valueAt(text, all, "at")];
  const state = { ...(typeof ssp === "string" && { ssp }), ...(typeof at === "string" && { now: secondOf(at) }) };
  return { text: formatted(text.slice(span.start, span.end)), state };
}

/** An ISO 8601 time in UTC as the view's field has it. */
function secondOf(time: string): string {
  return time.slice(0, "2026-11-18T12:00:00".length);
}
