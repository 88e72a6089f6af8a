//! Reads headers of requests.

import { FORMAT, type Format } from "../../../shared/wasm/abi.ts";

export const JSON_TYPE = "application/json";

/** The media types of bid requests, each with the format that it means. */
export const BODY_TYPES: ReadonlyMap<string, Format> = new Map([
  [JSON_TYPE, FORMAT.JSON],
  ["application/x-protobuf", FORMAT.PROTOBUF],
  ["application/octet-stream", FORMAT.PROTOBUF],
]);

/**
 * The media type of a bid request: one of {@link BODY_TYPES}; null for any other type. No Content-Type means
 * JSON (OpenRTB 2.6 §2.3). Parameters such as charset may follow.
 */
export function bodyType(contentType: string | null): string | null {
  // Nearly every request has one of these two.
  if (contentType === null || contentType === JSON_TYPE) return JSON_TYPE;
  const [name = ""] = contentType.split(";");
  const type = name.trim().toLowerCase();
  return BODY_TYPES.has(type) ? type : null;
}

/** The bearer token of the request; null if it has none. */
export function bearerToken(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Whether a content coding in lower case is gzip, which also has an old name (RFC 9110, section 8.4.1.3). */
export function isGzip(coding: string): boolean {
  return coding === "gzip" || coding === "x-gzip";
}

/** Whether the client accepts gzip. The edge replaces the header Accept-Encoding and passes its value in `cf`. */
export function acceptsGzip(request: Request): boolean {
  const accepted = String(request.cf?.clientAcceptEncoding ?? request.headers.get("accept-encoding") ?? "");
  return accepted.split(",").some((coding) => {
    const { name, quality } = rangeOf(coding);
    return isGzip(name) && quality > 0;
  });
}

/**
 * The type that the client prefers by its header Accept (RFC 9110, section 12.5.1); null if it accepts none of them.
 * Without the header, or with equal preferences, the first of `types`.
 */
export function preferredType(accept: string | null, types: readonly string[]): string | null {
  const ranges = (accept || "*/*").split(",").map(rangeOf);
  let preferred: string | null = null;
  let most = 0;
  for (const type of types) {
    const names = [type, type.replace(/\/.*/, "/*"), "*/*"];
    // The most specific range counts, even if its quality is lower.
    const [range] = names.flatMap((name) => ranges.filter((range) => range.name === name));
    const quality = range?.quality ?? 0;
    if (quality <= most) continue;
    [preferred, most] = [type, quality];
  }
  return preferred;
}

/** One range of types or a coding, such as `text/*;q=0.5`. A quality that is not a number counts as 0. */
function rangeOf(text: string): { name: string; quality: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  return { name, quality: quality === undefined ? 1 : Number(quality) || 0 };
}
