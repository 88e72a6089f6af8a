//! Makes a world that breaks a rule smaller: fewer faults and less time, as long as the same rule breaks.

import { faultsIn } from "./platform/rates.ts";
import { type Outcome, run, type Settings } from "./run.ts";

/** The shortest time that is tried, in hours. */
const SHORTEST = 1 / 12;

export interface Shrunk {
  settings: Settings;
  outcome: Outcome;
}

/** The smallest world that was found. `tell` is called with each step. */
export async function shrunk(settings: Settings, outcome: Outcome, tell: (line: string) => void): Promise<Shrunk> {
  let found: Shrunk = { settings: { ...settings, faults: faultsIn(outcome.rates) }, outcome };
  const attempt = async (change: Partial<Settings>, what: string): Promise<boolean> => {
    const tried = { ...found.settings, ...change };
    const next = await run(tried);
    const isSame = ruleOf(next) === ruleOf(outcome);
    tell(`${what}: ${isSame ? "breaks too" : "holds"}`);
    if (isSame) found = { settings: tried, outcome: next };
    return isSame;
  };
  for (const fault of found.settings.faults ?? []) {
    await attempt({ faults: (found.settings.faults ?? []).filter((one) => one !== fault) }, `without ${fault}`);
  }
  for (let hours = settings.hours / 2; hours >= SHORTEST; hours /= 2) {
    if (!(await attempt({ hours }, `${Math.round(hours * 60)} minutes`))) break;
  }
  return found;
}

/** The rule that a world breaks; empty if it breaks none. */
function ruleOf({ broken }: Outcome): string {
  return broken === undefined ? "" : /^[\w ]+/.exec(broken.message)?.[0] || "error";
}
