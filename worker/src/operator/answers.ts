//! The answer of `GET /inspect/api/catalog`, as the Worker makes it and the page reads it.

/** An entry of a catalog document. */
export type Entry = Record<string, unknown>;

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

export interface Listed {
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
