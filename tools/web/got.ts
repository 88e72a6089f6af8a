//! An answer of a stranger's server, or why there is none: limits of size and time, conditional requests, and redirects only
//! by HTTPS and within the server's own domain.

import { type Get, limited } from "./get.ts";

/** How long a server may take for the head of its answer. */
const TIMEOUT_MS = 15_000;
/** The slowest line whose answers are read to their end. */
const BYTES_PER_MS = 1000;
const MAX_REDIRECTS = 5;
/** The longest text of `etag` and `last-modified` that is kept. */
const MAX_TAG = 200;

/** What a server says about a file, for the next request: the headers `etag` and `last-modified`. */
export interface Tags {
  etag?: string;
  modified?: string;
}

/** The headers that ask for a file only if it has changed. */
export function conditions({ etag, modified }: Tags = {}): Record<string, string> {
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}

/** The tags in an answer, as far as they are short enough to keep. */
export function tagsOf(head: Headers): Tags {
  const [etag = "", modified = ""] = ["etag", "last-modified"].map((name) => head.get(name) ?? "");
  const isKept = (text: string) => text !== "" && text.length <= MAX_TAG;
  return { ...(isKept(etag) && { etag }), ...(isKept(modified) && { modified }) };
}

/** An answer. Only one with status 200 has a body. */
export interface Got {
  status: number;
  head: Headers;
  body: Buffer;
}

/**
 * The answer after redirects within the domain of the host. It may take as long as `most` bytes take. Throws in words if
 * there is none.
 */
export function got(url: string, host: string, headers: Record<string, string>, most: number, get: Get): Promise<Got> {
  const domain = host.replace(/^www\./, "");
  return within(TIMEOUT_MS + Math.ceil(most / BYTES_PER_MS), async (whole) => {
    for (let hops = 0, at = url; ; hops++) {
      const response = await within(TIMEOUT_MS, (head) =>
        get(at, { headers, redirect: "manual", signal: AbortSignal.any([whole, head]), most }),
      );
      const { status, headers: head, body } = response;
      const location = head.get("location");
      if (status < 300 || status > 399 || status === 304 || location === null) {
        const pieces = status === 200 && body !== null ? await Array.fromAsync(limited(body, most)) : [];
        return { status, head, body: Buffer.concat(pieces) };
      }
      const next = new URL(location, at);
      const isOwn = next.hostname === domain || next.hostname.endsWith(`.${domain}`);
      if (next.protocol !== "https:" || next.port !== "" || !isOwn) throw new Error(`leads to ${next.origin}`);
      if (hops === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
      at = next.href;
    }
  });
}

/** The result of the work. If it takes longer than `ms`, its signal aborts and this throws, whatever the work does. */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`no answer within ${ms} ms`);
    late.reject(error);
    controller.abort(error);
  }, ms);
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
