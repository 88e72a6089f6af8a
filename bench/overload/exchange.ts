//! What the suites `overload` and `soak` share: the requests of an exchange that gives up, and the highest rate that the
//! bidder holds for it.

import { playTurn, requestFile, type Settings, type Target } from "../http/load.ts";
import type { Case } from "../http/requests.ts";
import type { Server } from "../http/servers.ts";
import { newRow } from "../rows.ts";

/** Milliseconds after which the exchange gives a request up: a usual `tmax`. */
const PATIENCE_MS = 100;
/** A rate is held if this part of its requests gets a right answer in time. */
const HELD = 0.95;
/** One pause of V8 or of the machine must not decide. */
const ATTEMPTS = 2;
const LEAST_RATE = 10;

/** The requests that an SSP sends to a server, one after the other and again. `rate` is in requests per second. */
export function exchange(
  name: string,
  { script, pid }: Pick<Server, "script" | "pid">,
  ssp: string,
  cases: Case[],
  rate: number | null = null,
): Target {
  const headers = ["Content-Type: application/json"];
  const exchanges = cases.map(({ text, expected: [expected] }) => {
    if (expected === undefined) throw new Error("a request without an expected answer");
    const { status, begin } = expected;
    return { line: `POST /bid/${ssp}`, headers, body: Buffer.from(text), status, gzip: false, begin };
  });
  const file = requestFile(`${name} ${ssp}`, exchanges);
  return { row: newRow(name), origin: script.origin, pid, file, rate, patience: PATIENCE_MS, complaint: null };
}

/**
 * The highest rate in requests per second that is held, at most what a closed loop gets. Halves the rate until one is
 * held, then bisects so many times. Throws if no rate is held. The row of the target gets the results of all tries.
 */
export async function heldRate(target: Target, settings: Settings, steps: number): Promise<number> {
  const { requests = 0, seconds = 0 } = await playTurn({ ...target, rate: null }, settings);
  const holds = async (rate: number) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { bad = 0, early = 0, late = 0, unsent = 0, sent = 0 } = await playTurn({ ...target, rate }, settings);
      if (bad === 0 && early + late + unsent <= (1 - HELD) * (sent + unsent)) return true;
    }
    return false;
  };
  let [held, failed] = [0, requests / seconds];
  for (let step = 0; step < steps || held === 0; ) {
    const rate = Math.round((held + failed) / 2);
    if (rate < LEAST_RATE) throw new Error("no rate was held: the machine is too busy");
    if (await holds(rate)) held = rate;
    else failed = rate;
    if (held > 0) step++;
  }
  return held;
}
