//! Reads a line: a bid request, or a request that `edgebid tail` has kept, `{"ssp","at","request"}`.

import { isObject, lengthOf, membersOf, type Span } from "./scan.ts";

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

const KEYS = ["imp", "request", "ssp", "at"].map((key) => new TextEncoder().encode(key));

/** Reads a line. A text: why the line cannot be read. Whether the request is one is not checked: the bidder does. */
export function askedIn(line: Uint8Array): Asked | string {
  const [imp, request, ssp, at] = membersOf(line, KEYS);
  if (imp !== undefined || request === undefined || !isObject(line, request)) {
    return { body: line, imps: imp ? lengthOf(line, imp) : 0 };
  }
  const body = line.subarray(...request);
  const [own] = membersOf(body, KEYS);
  const asked: Asked = { body, imps: own ? lengthOf(body, own) : 0 };
  if (ssp !== undefined) {
    const id = decoded(line, ssp);
    if (typeof id !== "string") return "ssp: expected a text";
    asked.ssp = id;
  }
  if (at !== undefined) {
    const time = decoded(line, at);
    asked.at = typeof time === "string" ? Date.parse(time) : Number.NaN;
    if (Number.isNaN(asked.at)) return "at: expected a time such as 2026-11-18T12:00:00Z";
  }
  return asked;
}

function decoded(line: Uint8Array, span: Span): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(line.subarray(...span)));
  } catch {
    return undefined;
  }
}
