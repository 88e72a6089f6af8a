//! What `edgebid oncall` finds in the traffic of one isolate, and in the ages of its catalog and its shares.

import type { Second } from "../../worker/src/tail/seconds.ts";
import { page } from "../tools.mjs";
import type { Health } from "./bidder.ts";
import { type Finding, fault, note, ok } from "./finding.ts";

/** Counters of requests that the bidder has refused, and the status that the exchange got. */
const REFUSED: Readonly<Record<string, string>> = {
  "bad-request": "400",
  "refused-body": "413 or 415",
  "too-many-attempts": "429 for wrong tokens",
  "bodies-full": "204 for too many bodies",
};
const BROKEN = ["trap", "failure", "no-catalog"];
/** The part of the requests, in per cent, from which refusals are a fault. */
const MOST_REFUSED = 2;
const MOST_REASONS = 4;
/** Shares are halved when they are older. */
const OLD_SHARES_S = 60;
const OLD_CATALOG_S = 300;

/** Requests and bids, the reasons why there are no bids, and refusals. */
export function trafficFindings(all: Second[]): Finding[] {
  const sum = (name: "ms" | "requests" | "bids") => all.reduce((sum, second) => sum + second[name], 0);
  const [ms, requests, bids] = [sum("ms"), sum("requests"), sum("bids")];
  const [seconds, runbook] = [Math.max(ms, 1) / 1000, page("runbooks.md#there-are-no-bids-at-all")];
  if (requests === 0) {
    const text = `none in ${seconds.toFixed(0)} s at the isolate that answers`;
    return [note("requests", text, `npx edgebid tail --remote shows all isolates; then read ${runbook}`)];
  }
  const rate = (count: number) => `${(count / seconds).toFixed(1)}/s`;
  const percent = (count: number) => `${((100 * count) / requests).toFixed(0)} %`;
  const found = [ok("requests", `${rate(requests)} at one isolate; with bids: ${rate(bids)}, ${percent(bids)}`)];
  const reasons = Object.entries(sumsOf(all.map(({ none }) => none))).sort(([, a], [, b]) => b - a);
  const top = reasons.slice(0, MOST_REASONS).map(([name, count]) => `${name} ${percent(count)}`);
  const text = top.join(", ") || "every request has a bid";
  const explain = "npx edgebid tail --keep kept.ndjson, then npx edgebid explain kept.ndjson";
  found.push(
    bids > 0 ? ok("reasons", text) : fault("reasons", `no bids at all: ${text}`, `${explain}; read ${runbook}`),
  );
  const counts = sumsOf(all.flatMap(({ none, other }) => [none, other]));
  const refused = Object.entries(REFUSED).filter(([name]) => counts[name]);
  const many = refused.reduce((sum, [name]) => sum + (counts[name] ?? 0), 0);
  if (many * 100 > requests * MOST_REFUSED) {
    const statuses = refused.map(([name, status]) => `${counts[name]} with ${status}`).join(", ");
    found.push(fault("answers", statuses, `read ${page("runbooks.md#an-exchange-throttles-us")}`));
  }
  const broken = BROKEN.filter((name) => counts[name]).map((name) => `${name} ${counts[name]}`);
  if (broken.length > 0)
    found.push(
      fault("failures", broken.join(", "), `npx wrangler tail; read ${page("runbooks.md#roll-back-the-code")}`),
    );
  return found;
}

function sumsOf(all: Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap(Object.entries<number>)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** How old the catalog's last look into KV and the shares of budgets are. */
export function agesFindings(health: Health | undefined): Finding[] {
  const { pacing, catalog } = health ?? {};
  const found: Finding[] = [];
  if (catalog && (catalog.age ?? 0) > OLD_CATALOG_S) {
    const text = `was last confirmed ${catalog.age} s ago: the isolate does not reach KV`;
    found.push(fault("catalog", text, "look at Cloudflare's status page; the isolate bids with its last catalog"));
  }
  if (!pacing) return found;
  const { age } = pacing;
  const mend = `npx edgebid budget; read ${page("budgets.md#what-happens-in-failures")}`;
  if (age === null) found.push(note("shares", "none yet: campaigns with a budget do not bid", mend));
  else if (age > OLD_SHARES_S)
    found.push(fault("shares", `are ${age} s old, so campaigns with a budget slow down`, mend));
  else found.push(ok("shares", `are ${age} s old`));
  return found;
}
