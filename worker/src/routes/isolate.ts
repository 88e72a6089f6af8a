//! What one isolate keeps between requests. The routes share it.

import type { CatalogKeeper } from "../catalog/keeper.ts";
import type { Attempts } from "../http/attempts.ts";
import type { Repeats } from "../notices/repeats.ts";
import type { NoticeSettings } from "../notices/settings.ts";
import type { Tally } from "../notices/tally.ts";
import type { PacingExchange } from "../pacing/exchange.ts";
import type { Events } from "../queue/events.ts";
import type { SkadnKey } from "../skadn/signer.ts";
import type { Counters } from "../telemetry/counters.ts";
import type { Metrics } from "../telemetry/metrics.ts";

export interface Isolate {
  keeper: CatalogKeeper;
  counters: Counters;
  events: Events;
  metrics: Metrics;
  attempts: Attempts;
  notices: NoticeSettings;
  tally: Tally;
  repeats: Repeats;
  pacing: PacingExchange;
  skadn: SkadnKey;
}
