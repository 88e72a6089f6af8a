//! What many tests need of a bidder: the example's files, bidders in this process, and what an exchange and an operator
//! ask a running one.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../build/tools.mjs";
import { compile } from "../../shared/catalog/compile.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { bytesOf } from "../catalog/store.ts";
import { compiler, module } from "../module.ts";

export { bytesOf, ROOT };

/** The example's catalog, and a request on which it bids: their paths and their texts. */
export const CATALOG = join(ROOT, "fixtures/catalog.json");
export const REQUEST = join(ROOT, "fixtures/bid/simple-banner.json");
export const catalogText = readFileSync(CATALOG, "utf8");
export const requestText = readFileSync(REQUEST, "utf8");

export const NOTICE_KEY = "a-key-of-the-tests-a-key-of-the-tests";
export const OPERATOR_TOKEN = "operator";
export const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };

/** A bid as the exchange gets it. */
export interface Bid {
  id: string;
  impid: string;
  cid: string;
  crid: string;
  price: number;
  burl?: string;
  nurl?: string;
  lurl?: string;
  adm?: string;
}

/** The price of an impression in nanos: as many as the price for a thousand has micros. */
export function nanosOf({ price }: Bid): bigint {
  return BigInt(Math.round(price * 1e6));
}

/** The values of NDJSON. */
export function jsonLines<T>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The snapshot of a catalog, which is a document or its text. */
export function snapshotOf(document: object | string): Uint8Array<ArrayBuffer> {
  return compile(bytesOf(typeof document === "string" ? document : JSON.stringify(document)), compiler).snapshot;
}

/** A bidder in this process. */
export function bidderOf(document: object | string, version?: string): Bidder {
  return new Bidder(snapshotOf(document), module, version);
}

/** The bids on a request. Throws if the answer is neither a 200 nor a 204. */
export async function bidsOn(origin: string, request: object | string, ssp = "demo"): Promise<Bid[]> {
  const body = typeof request === "string" ? request : JSON.stringify(request);
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${origin}/bid/${ssp}`, { method: "POST", headers, body });
  const text = await response.text();
  if (response.status === 204) return [];
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return bidsIn(text);
}

/** The bids of an answer. */
export function bidsIn(answer: string): Bid[] {
  const { seatbid }: { seatbid: { bid: Bid[] }[] } = JSON.parse(answer);
  return seatbid.flatMap(({ bid }) => bid);
}
