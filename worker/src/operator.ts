//! Who may see what is the operator's alone: a caller with the OPERATOR_TOKEN, and with `npm start` everybody.

import { type Attempts, type AttemptsEnv, OPERATOR, REFUSAL_HEADERS } from "./attempts.ts";
import { bearerToken } from "./bid.ts";

/** Neither has to be there. */
export type OperatorEnv = AttemptsEnv & {
  OPERATOR_TOKEN?: string;
  /**
   * `anybody`: no token is needed. It stands in no file; `npm start` says it on the command line of `wrangler dev`. So no
   * deployment has it by accident, as it could if the name of the host or the caller's address decided, which a proxy changes.
   */
  OPERATOR?: string;
};

/** The operator; somebody without any token; or a refusal of the token that was sent. */
export type Caller = "operator" | "anybody" | Response;

/** Without an OPERATOR_TOKEN, no token is looked at. */
export async function callerOf(request: Request, env: OperatorEnv, attempts: Attempts): Promise<Caller> {
  if (env.OPERATOR === "anybody") return "operator";
  const sent = bearerToken(request);
  const { OPERATOR_TOKEN: expected } = env;
  if (!expected || sent === null) return "anybody";
  if (!attempts.isShutOut(OPERATOR, request) && (await isSame(sent, expected))) return "operator";
  const status = await attempts.refuse(OPERATOR, request, env);
  return new Response(null, { status, headers: REFUSAL_HEADERS[status] });
}

/** Compares digests, so that the time taken tells nothing of the token. */
async function isSame(sent: string, expected: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return crypto.subtle.timingSafeEqual(await digest(sent), await digest(expected));
}
