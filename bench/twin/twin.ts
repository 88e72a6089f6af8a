//! The bidder again, as one would write it for a Worker without WebAssembly: JSON.parse, Maps and Sets,
//! JSON.stringify. It makes the same bids; tests hold it to that. It is what the benchmarks compare
//! edgebid with, and nothing else uses it.

import { Catalog } from "./catalog.ts";
import { Decision } from "./decide.ts";
import type { Document, Zone } from "./document.ts";
import { Facts } from "./facts.ts";
import { withFirstParty } from "./first-party.ts";
import { type Json, object } from "./json.ts";
import { NONE } from "./privacy/level.ts";
import { BAD_REQUEST, NO_BID, readAuction } from "./request.ts";
import { respond } from "./respond.ts";

/** What to answer with; the body with the status 200 only. */
export interface Answer {
  status: 200 | 204 | 400;
  body?: string;
}

/** Decides on the body of a request of an SSP, at a time in ms since the epoch. */
export type Twin = (ssp: string, body: string, nowMs: number) => Answer;

/** A bidder for a catalog document that has been validated. Tells no no-bid reasons, and asks for no credentials. */
export function createTwin(document: Document, zones: readonly Zone[]): Twin {
  const catalog = new Catalog(document, zones);
  let number = 0;
  return (ssp, body, nowMs) => {
    const told = parse(body);
    if (!told) return { status: 400 };
    const request = withFirstParty(told, catalog.prebidCode);
    const device = object(request["device"]) ?? {};
    const auction = readAuction(request, device, ssp, catalog);
    if (auction === BAD_REQUEST) return { status: 400 };
    if (auction === NO_BID) return { status: 204 };
    const verdict = catalog.privacy.verdict(request, device);
    if (verdict === NONE) return { status: 204 };
    const { bids } = new Decision(catalog, auction, new Facts(request, device, verdict, nowMs));
    return bids.length === 0 ? { status: 204 } : { status: 200, body: respond(auction, bids, number++) };
  };
}

function parse(body: string) {
  try {
    return object(JSON.parse(body) as Json);
  } catch {
    return undefined;
  }
}
