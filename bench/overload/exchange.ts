//! What the suites `overload` and `soak` share: the requests of an exchange that gives up, and the highest rate that the
//! bidder holds for it.

import { playTurn, requestFile, type Settings, type Target } from "../http/load.ts";
import type { Case } from "../http/requests.ts";
import type { Server } from "../http/servers.ts";
import { highestRate } from "../http/suite.ts";
import { newRow } from "../rows.ts";

/** Milliseconds after which the exchange gives a request up: a usual `tmax`. */
const PATIENCE_MS = 100;
/** A rate is held if this part of its requests gets a right answer in time. */
const HELD = 0.99;

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
  const file = requestFile(`exchange ${ssp}`, exchanges);
  return { row: newRow(name), origin: script.origin, pid, file, rate, patience: PATIENCE_MS, complaint: null };
}

/**
 * The highest rate in requests per second that is held, to within 1 / 2^`steps` of what a closed loop gets. Throws if no
 * rate is held. The row of the target gets the results of all tries.
 */
export async function heldRate(target: Target, settings: Settings, steps: number): Promise<number> {
  const { requests = 0, seconds = 0 } = await playTurn({ ...target, rate: null }, settings);
  const held = await highestRate(Math.round(requests / seconds), steps, async (rate) => {
    const found = await playTurn({ ...target, rate }, settings);
    const { bad = 0, early = 0, late = 0, unsent = 0, sent = 0 } = found;
    return bad === 0 && early + late + unsent <= (1 - HELD) * (sent + unsent);
  });
  if (held === 0) throw new Error("no rate was held: the machine is too busy");
  return held;
}
