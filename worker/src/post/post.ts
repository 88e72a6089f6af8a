//! The one way by which anything is sent: records of any number, serialised straight into the request's body.
//!
//! Neither the text nor the bytes of all records exist at any time: there is one buffer, which goes out when it is full.
//! What fits into it goes with a Content-Length, anything longer in chunks. Tries again what may come right; the receiver
//! knows a repetition by its Idempotency-Key.

import type { Format } from "../events/format.ts";
import { POST_BACKOFF_MS } from "../limits.ts";
import { messageOf } from "../telemetry/failures.ts";
import { bodyOf } from "./post-body.ts";
import { retrying } from "./retry.ts";

export interface PostOptions<Record> {
  format: Format<Record>;
  /** Whether the body is compressed. */
  gzip: boolean;
  /** The same for every attempt, and for every call with the same records. */
  idempotencyKey: string;
  /** Sent as a bearer token, if there is one. */
  token?: string | undefined;
  /** Of one attempt, from its first byte to the whole answer. */
  timeoutMs: number;
  /** How often it is tried in all. */
  attempts: number;
}

/** What was posted has not arrived, as far as can be told. */
export class PostFailed extends Error {
  override name = "PostFailed";
  /** Whether the same may come right later. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean) {
    super(message);
    this.isPassing = isPassing;
  }
}

/**
 * Posts the records, which are gone through anew for each attempt. Throws {@link PostFailed} when the last attempt, or one
 * that cannot come right, has failed.
 */
export async function postJson<Record>(
  url: string,
  records: Iterable<Record>,
  options: PostOptions<Record>,
): Promise<void> {
  await retrying(
    options.attempts,
    POST_BACKOFF_MS,
    () => attempt(url, records, options),
    (error) => error instanceof PostFailed && error.isPassing,
  );
}

async function attempt<Record>(url: string, records: Iterable<Record>, options: PostOptions<Record>): Promise<void> {
  const { format, gzip, token, idempotencyKey, timeoutMs } = options;
  const headers = new Headers({ "content-type": format.type, "idempotency-key": idempotencyKey });
  if (gzip) headers.set("content-encoding", "gzip");
  if (token) headers.set("authorization", `Bearer ${token}`);
  const { body, stop } = await bodyOf(records, format, gzip);
  let status: number;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    status = response.status;
    await response.body?.cancel();
  } catch (error) {
    throw new PostFailed(messageOf(error), true);
  } finally {
    await stop();
  }
  if (status >= 200 && status < 300) return;
  throw new PostFailed(`the receiver answered ${status}`, status >= 500 || [408, 425, 429].includes(status));
}
