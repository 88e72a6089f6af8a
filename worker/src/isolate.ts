//! The state that one isolate keeps between requests, and a request to one of its routes.

import { Counters } from "../../shared/telemetry/counters.ts";
import { ExtraBidders } from "./catalog/extra-bidders.ts";
import { CatalogKeeper } from "./catalog/keeper.ts";
import { Attempts } from "./http/attempts.ts";
import { Repeats } from "./notices/repeats.ts";
import { NoticeSettings } from "./notices/settings.ts";
import { Tally } from "./notices/tally.ts";
import { optionsOf } from "./options.ts";
import { PacingExchange } from "./pacing/exchange.ts";
import { Events } from "./queue/events.ts";
import { Seams, type Visit } from "./seams.ts";
import { Metrics } from "./telemetry/metrics.ts";

export class Isolate {
  readonly counters = new Counters();
  readonly keeper = new CatalogKeeper(this.counters);
  readonly events = new Events(this.counters);
  readonly metrics = new Metrics(this.counters);
  readonly attempts = new Attempts(this.counters);
  readonly notices = new NoticeSettings();
  readonly tally = new Tally(this.counters);
  readonly repeats = new Repeats();
  readonly pacing = new PacingExchange(this.counters);
  readonly extraBidders = new ExtraBidders();
  readonly options = optionsOf(this.counters);
  readonly seams = new Seams(this.options);
}

/** One request to a route, with the state of the isolate. */
export interface Call extends Visit {
  isolate: Isolate;
}
