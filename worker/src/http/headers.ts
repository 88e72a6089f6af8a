//! What the headers of a request say.

/** A missing Content-Type means JSON (OpenRTB 2.6 §2.3); parameters such as charset may follow. */
export function isJson(contentType: string | null): boolean {
  return contentType === null || /^application\/json\s*(;|$)/i.test(contentType);
}

export function bearerToken(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** The edge replaces the header by one of its own, and tells what the client sent beside it. */
export function acceptsGzip(request: Request): boolean {
  const accepted = request.cf?.clientAcceptEncoding ?? request.headers.get("accept-encoding") ?? "";
  return /(^|[\s,])gzip\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/i.test(String(accepted));
}
