//! The judge of reported failures: the Worker reports none that the world has not caused.

import { Broken } from "./broken.ts";

/** How the messages of failures begin that the world causes, also by code that waits no longer. */
const CAUSED = [
  ...["Network connection lost", "the call is lost", "the object is overloaded", "the object was reset"],
  ...["the object cannot start: Error: the simulated", "the simulated", "the connection to the simulated"],
  ...["no answer in", "the receiver answered", "refresh failed: the simulated"],
  // KV shows the pointer before the version that it names.
  ...["refresh failed: the pointer names version", "the second version is not used, only the first one serves: the"],
];
/** What the messages name first: an object or a relay. */
const OBJECT = /^(?:\d{4}-\d\d-\d\d\/\d\d|summary|relay \d+): /;

interface Failure {
  outcome: string;
  message: string;
}

/** `trace`: what happened in a world. */
export function judgeFailures(trace: readonly string[]): void {
  for (const line of trace) {
    const at = line.indexOf(' logs {"v":');
    if (at < 0 || !line.includes('"type":"error"')) continue;
    const { outcome, message }: Failure = JSON.parse(line.slice(at + " logs ".length));
    const what = message.replace(OBJECT, "");
    // Another judge looks for the alarms.
    if (outcome === "ledger-alarm" || CAUSED.some((text) => what.startsWith(text))) continue;
    throw new Broken("failures", `${outcome}: ${message}`, [line.slice(19, at)]);
  }
}
