//! What one isolate keeps between requests. The routes share it.

import type { Inspected } from "../inspect/beside.ts";
import type { Repeats } from "../notices/repeats.ts";
import type { NoticeSettings } from "../notices/settings.ts";
import type { Tally } from "../notices/tally.ts";
import type { Events } from "../queue/events.ts";
import type { Tap } from "../tail/tap.ts";
import type { Counters } from "../telemetry/counters.ts";
import type { Metrics } from "../telemetry/metrics.ts";

export interface Isolate extends Inspected {
  counters: Counters;
  events: Events;
  metrics: Metrics;
  notices: NoticeSettings;
  tally: Tally;
  repeats: Repeats;
  tap: Tap;
}
