//! Reads a line: a bid request, or a request that `edgebid tail` has kept, `{"ssp","at","request"}`.

import { isObject, parsedJson } from "../json.ts";

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

const encoder = new TextEncoder();

/** Reads a line. A text: why the line cannot be read. Whether the request is one is not checked: the bidder does. */
export function askedIn(line: Uint8Array): Asked | string {
  const value = parsedJson(line);
  const members = isObject(value) ? value : {};
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

function impsOf({ imp }: Record<string, unknown>): number {
  return Array.isArray(imp) ? imp.length : 0;
}
