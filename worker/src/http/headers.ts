//! Reads headers of requests.

/** Whether the body is JSON. No Content-Type means JSON (OpenRTB 2.6 §2.3). Parameters such as charset may follow. */
export function isJson(contentType: string | null): boolean {
  return contentType === null || /^application\/json\s*(;|$)/i.test(contentType);
}

/** The bearer token of the request; null if it has none. */
export function bearerToken(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Whether the client accepts gzip. The edge replaces the header Accept-Encoding and passes its value in `cf`. */
export function acceptsGzip(request: Request): boolean {
  const accepted = request.cf?.clientAcceptEncoding ?? request.headers.get("accept-encoding") ?? "";
  return /(^|[\s,])gzip\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/i.test(String(accepted));
}
