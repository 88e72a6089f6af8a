//! Reads a line: a bid request, or a request that `edgebid tail` has kept, `{"ssp","at","request"}`.

/** A bid request and what the line says about it. */
export interface Asked {
  body: Uint8Array;
  /** The SSP that sent it; undefined if the line does not say. */
  ssp?: string;
  /** When it was sent, in milliseconds since the epoch; undefined if the line does not say. */
  at?: number;
  /** The number of its impressions. */
  imps: number;
}

type Members = Record<string, unknown>;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Reads a line. A text: why the line cannot be read. Whether the request is one is not checked: the bidder does. */
export function askedIn(line: Uint8Array): Asked | string {
  const members = membersIn(line);
  const { request, ssp, at } = members;
  if (members["imp"] !== undefined || !isObject(request)) return { body: line, imps: impsOf(members) };
  const asked: Asked = { body: encoder.encode(JSON.stringify(request)), imps: impsOf(request) };
  if (ssp !== undefined) {
    if (typeof ssp !== "string") return "ssp: expected a text";
    asked.ssp = ssp;
  }
  if (at !== undefined) {
    asked.at = typeof at === "string" ? Date.parse(at) : Number.NaN;
    if (Number.isNaN(asked.at)) return "at: expected a time such as 2026-11-18T12:00:00Z";
  }
  return asked;
}

/** The members of a JSON object; none if the line is something else. */
function membersIn(line: Uint8Array): Members {
  try {
    const value: unknown = JSON.parse(decoder.decode(line));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function impsOf({ imp }: Members): number {
  return Array.isArray(imp) ? imp.length : 0;
}
