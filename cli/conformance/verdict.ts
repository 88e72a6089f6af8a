//! Checks an answer without knowing the right bids: its status must suit the request, and a response must obey the
//! rules for all responses.

import { isObject, parsedJson } from "../input.ts";
import { judge } from "../judge.ts";

/** The deepest JSON that the module reads: its `MAX_DEPTH`. */
export const MAX_DEPTH = 64;

/** The Worker's answer to one body. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** All rules that the answer breaks; empty if it breaks none. */
export function broken(request: Uint8Array, answer: Answer): string[] {
  const { status, body } = answer;
  const expected = allowedStatuses(request);
  if (!expected.includes(status)) return [`status ${status}, expected ${expected.join(" or ")}`];
  if (status !== 200) return body.byteLength === 0 ? [] : [`status ${status} with a body`];
  return brokenByResponse(request, answer);
}

/** The allowed statuses: 400 if the request is not JSON or has no `id` or `imp`, otherwise 200 or 204. */
function allowedStatuses(request: Uint8Array): number[] {
  const value = parsedJson(request);
  if (!isObject(value) || depth(value) > MAX_DEPTH) return [400];
  const { id, imp } = value;
  const hasId = typeof id === "string" || typeof id === "number";
  const hasImp = (isObject(imp) && Object.keys(imp).length > 0) || (Array.isArray(imp) && imp.some(isObject));
  return hasId && hasImp ? [200, 204] : [400];
}

function brokenByResponse(request: Uint8Array, { headers, body }: Answer): string[] {
  const found: string[] = [];
  if (headers.get("content-type") !== "application/json") found.push("content-type is not application/json");
  if (headers.get("content-length") !== String(body.byteLength)) found.push("content-length is absent or wrong");
  const response = parsedJson(body);
  if (!isObject(response)) return [...found, "the body is not a JSON object"];
  const text = new TextDecoder();
  const offered = parsedJson(request) as { imp: unknown };
  const imps = new Set([offered.imp].flat().map((imp) => String((imp as { id?: unknown } | null)?.id)));
  for (const { impid } of bids(response)) {
    if (!imps.has(impid)) found.push(`impid ${JSON.stringify(impid)} is not in the request`);
  }
  return [...found, ...judge(text.decode(request), text.decode(body))];
}

/** All bids of a response. */
export function bids(response: unknown): { impid: string; price: number; id: string }[] {
  const seatbid = isObject(response) ? response["seatbid"] : undefined;
  if (!Array.isArray(seatbid)) return [];
  return seatbid.flatMap((seat) => (isObject(seat) && Array.isArray(seat["bid"]) ? seat["bid"] : []));
}

function depth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest: number, inner) => Math.max(deepest, depth(inner)), 0);
}
