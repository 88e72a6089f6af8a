//! The TypeScript twin: the bidder as one would write it in a day for a Worker without WebAssembly, with JSON.parse,
//! Maps and Sets, and JSON.stringify. Tests check that it makes edgebid's bids. Only the benchmarks use it.
//!
//! Campaigns are grouped by country, size and deal, and ordered by `max_cpm` in dollars. A search stops once no later
//! campaign can pay more than the best bid found.
//!
//! It leaves out no-bid reasons, `nbr`, credentials, validation of the catalog, and options of SSPs that the
//! benchmarks' catalogs do not use.
//!
//! The twin gets no new rules. Only the oracle (`crates/bidder-wasm/tests/oracle`) checks new rules.

import { Catalog } from "./catalog.ts";
import { Decision } from "./decide.ts";
import type { Document, Zone } from "./document.ts";
import { Facts } from "./facts.ts";
import { withFirstParty } from "./first-party.ts";
import { type Json, object } from "./json.ts";
import { NONE } from "./privacy/level.ts";
import { BAD_REQUEST, NO_BID, readAuction } from "./request.ts";
import { respond } from "./respond.ts";

/** The answer; only status 200 has a body. */
export interface Answer {
  status: 200 | 204 | 400;
  body?: string;
}

/** Decides on the body of an SSP's request, at a time in ms since the epoch. */
export type Twin = (ssp: string, body: string, nowMs: number) => Answer;

/** Creates the TypeScript twin of the bidder, with the catalog of a validated document. */
export function createTwin(document: Document, zones: readonly Zone[]): Twin {
  const catalog = new Catalog(document, zones);
  let number = 0;
  return (ssp, body, nowMs) => {
    const parsed = parse(body);
    if (!parsed) return { status: 400 };
    const request = withFirstParty(parsed, catalog.prebidCode);
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
