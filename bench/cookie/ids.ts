//! Draws partner ids like those of real exchanges: UUIDs, 22 characters of base64, 19 digits, and 32 hex digits in
//! turn.

import { Random } from "../../cli/traffic/random.ts";
import { longestFirst, type PartnerId } from "../../worker/src/cookies/partner-ids.ts";

const NOW = 1_800_000_000;
const DAYS_30 = 30 * 86_400;

/** `count` ids of different exchanges, in the order in which the Worker keeps them. */
export function drawIds(count: number): PartnerId[] {
  const random = new Random(count);
  const uids = [
    () => random.uuid(),
    () => random.base64(22),
    () => random.text(19, "0123456789"),
    () => random.hex(32),
  ];
  const names = new Set<string>();
  while (names.size < count) names.add(random.text(4 + random.below(9), "abcdefghijklmnopqrstuvwxyz"));
  const ids = [...names].map((ssp, at) => ({
    ssp,
    uid: uids[at % uids.length]?.() ?? "",
    expires: NOW + random.below(DAYS_30),
  }));
  return ids.sort(longestFirst);
}
