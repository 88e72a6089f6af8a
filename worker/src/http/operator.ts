//! Recognises the operator, who alone may see explanations and counters: a caller with the OPERATOR_TOKEN, and with
//! `npm start` any caller on this machine.

import { REPORT_RETRY_SECONDS } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/telemetry/failures.ts";
import { type Attempts, OPERATOR, REFUSAL_HEADERS } from "./attempts.ts";
import { bearerToken } from "./headers.ts";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** The operator, a caller without a token, or the refusal of a wrong token. */
export type Caller = "operator" | "anybody" | Response;

/** Checks the caller's bearer token. Without an OPERATOR_TOKEN, nobody is the operator and tokens are ignored. */
export async function callerOf(request: Request, env: Bindings, attempts: Attempts): Promise<Caller> {
  const { OPERATOR: open } = env;
  if (open === "anybody" || (open === "local" && isLocal(request))) return "operator";
  const sent = bearerToken(request);
  const { OPERATOR_TOKEN: expected } = env;
  if (!expected || sent === null) return "anybody";
  if (!attempts.isShutOut(OPERATOR, request) && (await isSame(sent, expected))) return "operator";
  const status = await attempts.refuse(OPERATOR, request, env);
  return new Response(null, { status, headers: REFUSAL_HEADERS[status] });
}

/**
 * Whether a call is to this machine, and not from another web page, which a browser lets call here too. Browsers name the
 * page of a POST in `Origin`; of a GET, such as that of an image, they only say whether it is of another site or port.
 */
function isLocal({ url, headers }: Request): boolean {
  if (["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "")) return false;
  const from = headers.get("origin") ?? url;
  return [url, from].every((one) => URL.canParse(one) && LOCAL.includes(new URL(one).hostname));
}

/**
 * Null for the operator, who must use `method`, if it is given. Without an OPERATOR_TOKEN, the answer is 404; for all
 * other callers, it is 401 or 429.
 */
export async function operatorOnly(
  request: Request,
  env: Bindings,
  attempts: Attempts,
  method?: "GET" | "POST",
): Promise<Response | null> {
  const caller = await callerOf(request, env, attempts);
  if (caller instanceof Response) return caller;
  const isWrong = method !== undefined && request.method !== method;
  if (caller === "operator") return isWrong ? new Response(null, { status: 405, headers: { allow: method } }) : null;
  if (!env.OPERATOR_TOKEN) return new Response(null, { status: 404 });
  return new Response(null, { status: 401, headers: REFUSAL_HEADERS[401] });
}

/** A parameter that is a whole number in this range, in digits; `usual` if it is absent. Throws a {@link Refusal}. */
export function wholeOf(parameters: URLSearchParams, name: string, usual: number, least: number, most: number): number {
  const text = parameters.get(name) ?? `${usual}`;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Refusal(`${name}: expected a whole number from ${least} to ${most}`, 400);
}

/** An answer for the operator that no cache may keep. */
export function json(value: object, init: ResponseInit & { headers?: Record<string, string> } = {}): Response {
  return Response.json(value, { ...init, headers: { "cache-control": "no-store", ...init.headers } });
}

/** {@link json} with `{"error"}`. */
export function refused(error: string, status: number, headers: Record<string, string> = {}): Response {
  return json({ error }, { status, headers });
}

/** {@link refused} with a 503: the part that has to answer cannot do so now. */
export function askLater(error: string): Response {
  return refused(error, 503, { "retry-after": `${REPORT_RETRY_SECONDS}` });
}

/** Compares digests, so that the time of the comparison reveals nothing about the token. */
async function isSame(sent: string, expected: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return crypto.subtle.timingSafeEqual(await digest(sent), await digest(expected));
}
