//! What the suites `overload` and `soak` share: the requests of an exchange that gives up, and the highest rate that the
//! bidder holds for it.

import { playTurn, requestFile, type Settings, type Target } from "../http/load.ts";
import type { Case } from "../http/requests.ts";
import type { Server } from "../http/servers.ts";
import { newRow } from "../rows.ts";
import { show } from "../turns.ts";
import { whole } from "../units.ts";

/** Milliseconds after which the exchange gives a request up: a usual `tmax`. */
const PATIENCE_MS = 100;
/** A turn holds its rate if this part of its requests gets a right answer in time. */
const HELD = 0.95;
/** A rate is held if the median of three turns is: two of them. One pause of V8 or of the machine must not decide. */
const TURNS = 2;
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
 * The highest rate in requests per second that is held, searched from the rate that a closed loop gets. The row of the
 * target gets the results of all turns.
 */
export async function heldRate(target: Target, settings: Settings, step: number): Promise<number> {
  const { requests = 0, seconds = 0 } = await playTurn({ ...target, rate: null }, settings);
  return search(requests / seconds, step, async (rate) => {
    show(`searching the highest rate: ${whole(rate)} requests/s`);
    const { bad = 0, early = 0, late = 0, unsent = 0, sent = 0 } = await playTurn({ ...target, rate }, settings);
    return bad === 0 && early + late + unsent <= (1 - HELD) * (sent + unsent);
  });
}

/**
 * Divides the rate by `step` until it is held: a pause at one rate must not hide a higher rate that is held. If already
 * the first rate is held, multiplies it by `step` as long as it is held. Throws if no rate is held.
 */
export async function search(from: number, step: number, turn: (rate: number) => Promise<boolean>): Promise<number> {
  const holds = async (rate: number) => {
    const turns = { held: 0, failed: 0 };
    while (Math.max(turns.held, turns.failed) < TURNS) turns[(await turn(Math.round(rate))) ? "held" : "failed"]++;
    return turns.held === TURNS;
  };
  let rate = from;
  if (await holds(rate)) while (await holds(rate * step)) rate *= step;
  else {
    do rate /= step;
    while (rate >= LEAST_RATE && !(await holds(rate)));
    if (rate < LEAST_RATE) throw new Error("no rate was held: the machine is too busy");
  }
  return Math.round(rate);
}
