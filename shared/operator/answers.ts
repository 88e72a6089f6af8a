//! Answers of `GET /inspect/api/…`, as the Worker makes them and the page reads them.

import type { Entry } from "../compare/entry.ts";

/** A part of a campaign's description in sentences, as `edgebid catalog explain` prints it. */
export interface Section {
  about: string;
  sentences: string[];
}

export interface ListedCampaign {
  cid: string;
  name?: string;
  template?: string;
  /** The order whose budget it spends. */
  budget_of?: string;
  paused: boolean;
  /** Whether it or one of its creatives has frequency caps. */
  capped: boolean;
  /** Whether it bids less than its price in first-price auctions. */
  shaded: boolean;
  sections: Section[];
  /** The ids of its creatives. */
  creatives: string[];
}

/** The answer of `GET /inspect/api/catalog`. */
export interface Listed {
  /** The options that name the KV of `npm start`; null on an account. */
  kv: string | null;
  version: string;
  ssps: Entry[];
  /** The campaigns of the whole catalog. */
  all: number;
  /** The campaigns that are wanted. */
  found: number;
  /** A part of those, from the one that was asked for. */
  campaigns: ListedCampaign[];
  /** The creatives of the listed campaigns, as in the document. */
  creatives: Entry[];
}

/** The answer of `GET /inspect/api/first`. */
export interface First {
  /** The text of a bid request; null if there is none. */
  request: string | null;
  /** The ids of the SSPs of the served catalog. */
  ssps: string[];
}
