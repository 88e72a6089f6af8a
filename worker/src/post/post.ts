//! Posts any number of records to a receiver. The Worker sends all data to a collector this way.
//!
//! The records are serialised straight into the request's body, so they are never all in memory as text or bytes. A
//! body that fits into one buffer has a Content-Length, a longer one is chunked. A failed post that may succeed later
//! is sent again, with the same Idempotency-Key. Making the body is left to `formats/body.ts`.

import { type Format, pieces } from "../../../shared/formats/format.ts";
import { POST_BACKOFF_MS } from "../../../shared/limits.ts";
import { messageOf } from "../../../shared/telemetry/failures.ts";
import { bodyOf } from "../formats/body.ts";
import { retrying } from "../time/retry.ts";

export interface PostOptions<Record> {
  format: Format<Record>;
  /** Whether to compress the body. */
  gzip: boolean;
  /** A key that is equal for every attempt, and for every call with equal records. */
  idempotencyKey: string;
  /** The bearer token to send, if there is one. */
  token?: string | undefined;
  /** The time limit of one attempt, from its first byte to the whole answer. */
  timeoutMs: number;
  /** The number of attempts in all. */
  attempts: number;
}

/** The post has failed. The records may have arrived anyway. */
export class PostFailed extends Error {
  override name = "PostFailed";
  /** Whether the same post may succeed later. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

/**
 * Posts the records. Each attempt iterates over them again. Throws {@link PostFailed} after the last attempt, or after
 * a failure that is not temporary.
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
    (error) => error instanceof PostFailed && error.isTemporary,
  );
}

async function attempt<Record>(url: string, records: Iterable<Record>, options: PostOptions<Record>): Promise<void> {
  const { format, gzip, token, idempotencyKey, timeoutMs } = options;
  const headers = new Headers({ "content-type": format.type, "idempotency-key": idempotencyKey });
  if (gzip) headers.set("content-encoding", "gzip");
  if (token) headers.set("authorization", `Bearer ${token}`);
  const { body, stop } = await bodyOf([pieces(records, format)], gzip);
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
