//! The options: what some catalogs or operators use and all others do without. To remove one, delete its folder, its line
//! here, and the operator's routes about it. Learned shading has no line: it attaches in `crates/auction/src/options`.

import type { Counters } from "../../shared/telemetry/counters.ts";
import { Experiments } from "./experiment/experiment.ts";
import { Caps } from "./frequency/ask.ts";
import { Skadn } from "./skadn/signer.ts";
import { Tap } from "./tail/tap.ts";

/** The options of an isolate. */
export function optionsOf(counters: Counters) {
  return {
    experiment: new Experiments(counters),
    caps: new Caps(counters),
    skadn: new Skadn(),
    tap: new Tap(),
  };
}
