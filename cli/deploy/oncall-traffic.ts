//! What `edgebid oncall` finds in the traffic of one isolate, and in the ages of its catalog and its shares.

import { page } from "../../build/tools.mjs";
import { largestFirst, sumsOf } from "../../shared/report/totals.ts";
import type { Second } from "../../shared/tail/seconds.ts";
import { UNAUTHORIZED } from "../../shared/telemetry/counters.ts";
import { shown } from "../money/table.ts";
import { type Health, isLocal, type Reach, tailCommand } from "./bidder.ts";
import { type Finding, fault, note, ok } from "./finding.ts";

/** Counters of requests that the bidder has refused: the status that the exchange got, and the page that helps. */
const REFUSED: Readonly<Record<string, [status: string, about: string]>> = {
  "bad-request": ["400", "runbooks.md#an-exchange-throttles-us"],
  [UNAUTHORIZED]: ["401 or 429", "ssp.md#credentials"],
  "unknown-ssp": ["404", "ssp.md#the-record-of-an-ssp"],
  "refused-body": ["413 or 415", "runbooks.md#an-exchange-throttles-us"],
  "bodies-full": ["204, not read", "runbooks.md#an-exchange-sends-too-much"],
};
const BROKEN = ["trap", "unsound", "failure", "no-catalog"];
/** The part of the requests, in per cent, from which refusals are a fault. */
const MOST_REFUSED = 2;
const MOST_REASONS = 4;
/** Shares are halved when they are older. */
const OLD_SHARES_S = 60;
const OLD_CATALOG_S = 300;

/** Requests and bids, the reasons why there are no bids, and refusals. */
export function trafficFindings(all: Second[], reach: Reach): Finding[] {
  const sum = (name: "ms" | "requests" | "bids") => all.reduce((sum, second) => sum + second[name], 0);
  const [ms, requests, bids] = [sum("ms"), sum("requests"), sum("bids")];
  const [seconds, runbook] = [Math.max(ms, 1) / 1000, page("runbooks.md#there-are-no-bids-at-all")];
  if (requests === 0) {
    const text = `none in ${seconds.toFixed(0)} s at the isolate that answers`;
    const isolates = isLocal(reach) ? "waits for more" : "shows all isolates";
    return [note("requests", text, `${tailCommand(reach)} ${isolates}; then read ${runbook}`)];
  }
  const rate = (count: number) => `${(count / seconds).toFixed(1)}/s`;
  const percent = (count: number) => `${((100 * count) / requests).toFixed(0)} %`;
  const found = [ok("requests", `${rate(requests)} at one isolate; with bids: ${rate(bids)}, ${percent(bids)}`)];
  const counts = sumsOf(all.map(({ none }) => none));
  const reasons = largestFirst(counts);
  const top = reasons.slice(0, MOST_REASONS).map(([name, count]) => `${name} ${percent(count)}`);
  const text = top.join(", ") || "every request has a bid";
  const refused = reasons.flatMap(([name, count]) => refusedBy(name, count));
  // A request that was refused is not kept, so nothing can be explained about it.
  const isDecided = refused.length < reasons.length;
  const explain = `${tailCommand(reach)} --keep kept.ndjson, then npx edgebid explain kept.ndjson; read ${runbook}`;
  const mend = isDecided ? explain : `see the answers below; read ${runbook}`;
  found.push(bids > 0 ? ok("reasons", text) : fault("reasons", `no bids at all: ${text}`, mend));
  found.push(answersFinding(bids, refused, requests));
  const broken = BROKEN.filter((name) => counts[name]).map((name) => `${name} ${counts[name]}`);
  if (broken.length > 0)
    found.push(
      fault("failures", broken.join(", "), `npx wrangler tail; read ${page("runbooks.md#roll-back-the-code")}`),
    );
  return found;
}

/** Requests that were refused before a decision. */
interface Refused {
  name: string;
  count: number;
  status: string;
  about: string;
}

/** The requests of this counter, if it counts refused ones. */
function refusedBy(name: string, count: number): Refused[] {
  const [status, about] = REFUSED[name.startsWith(UNAUTHORIZED) ? UNAUTHORIZED : name] ?? [];
  return status && about ? [{ name, count, status, about }] : [];
}

/** What the isolate has refused since it started, if no request came while it was watched. */
export function sinceStartFindings(counters: Record<string, number> = {}, seen: Second[]): Finding[] {
  if (seen.some(({ requests }) => requests > 0)) return [];
  const refused = largestFirst(counters).flatMap(([name, count]) => refusedBy(name, count));
  if (refused.length === 0) return [];
  const pages = [...new Set(refused.map(({ about }) => page(about)))];
  return [
    note("answers", `since the isolate started: ${refused.map(refusedText).join(", ")}`, `read ${pages.join(" and ")}`),
  ];
}

function refusedText({ name, count, status }: Refused): string {
  return `${count} with ${status} (${shown(name)})`;
}

/** The answers by status. Answers without a decision have their counters beside them; many such answers are a fault. */
function answersFinding(bids: number, refused: Refused[], requests: number): Finding {
  const many = refused.reduce((sum, { count }) => sum + count, 0);
  const answers: [status: string, count: number][] = [
    ["200", bids],
    ["204", requests - bids - many],
  ];
  const decided = answers.filter(([, count]) => count > 0).map(([status, count]) => `${count} with ${status}`);
  const text = [...decided, ...refused.map(refusedText)].join(", ");
  if (many * 100 <= requests * MOST_REFUSED) return ok("answers", text);
  const pages = [...new Set(refused.map(({ about }) => page(about)))];
  return fault("answers", text, `read ${pages.join(" and ")}`);
}

/**
 * How old the catalog's last look into KV and the shares of budgets are. Without requests, an isolate gets no new
 * shares, and needs none.
 */
export function agesFindings(health: Health | undefined, seen: Second[], reach: Reach): Finding[] {
  const { pacing, catalog } = health ?? {};
  const found: Finding[] = [];
  if (catalog && (catalog.age ?? 0) > OLD_CATALOG_S) {
    const text = `was last confirmed ${catalog.age} s ago: the isolate does not reach KV`;
    found.push(fault("catalog", text, "look at Cloudflare's status page; the isolate bids with its last catalog"));
  }
  if (!pacing) return found;
  const { age } = pacing;
  const mend = `npx edgebid budget${reach.url}; read ${page("budgets.md#what-happens-in-failures")}`;
  if (age === null) found.push(note("shares", "none yet: campaigns with a budget do not bid", mend));
  else if (age > OLD_SHARES_S && seen.some(({ requests }) => requests > 0))
    found.push(fault("shares", `are ${age} s old, so campaigns with a budget slow down`, mend));
  else found.push(ok("shares", `are ${age} s old`));
  return found;
}
