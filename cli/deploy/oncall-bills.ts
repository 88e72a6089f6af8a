//! What `edgebid oncall` finds in the reports of today and yesterday, in budgets, in notices, and in the last push.

import { page } from "../../build/tools.mjs";
import { countText } from "../../shared/compare/text.ts";
import type { Budget } from "../../shared/pacing/budgets.ts";
import type { Row } from "../../shared/report/rows.ts";
import { amountOf, sumsOf } from "../../shared/report/totals.ts";
import { DAY_MS, HOUR_MS } from "../../shared/time/days.ts";
import type { Versions } from "../../worker/inspect/parts/versions.ts";
import { countsText } from "../money/counts.ts";
import { amounts, grouped, shown } from "../money/table.ts";
import { type Reach, tailCommand } from "./bidder.ts";
import { type Finding, fault, note, ok } from "./finding.ts";

/** An SSP is in trouble if it should have at least so many bids by now, and has less than a quarter of them. */
const LEAST_EXPECTED = 100;
const MOST_FALL = 4;
/** Refused notices are a fault if there are at least so many, and if they are more than so many per cent of all. */
const LEAST_REFUSED = 10;
const MOST_REFUSED = 1;

/** The bids of each SSP today, compared with the same part of yesterday. The days are those of UTC. */
export function sspFindings(today: Row[], yesterday: Row[], now: number, reach: Reach): Finding[] {
  const [bids, before] = [today, yesterday].map(bidsBySsp) as [Map<string, number>, Map<string, number>];
  const ssps = [...new Set([...before.keys(), ...bids.keys()])].sort();
  return ssps.map((ssp) => {
    const [is, was] = [bids.get(ssp) ?? 0, before.get(ssp) ?? 0];
    const expected = Math.round((was * (now % DAY_MS)) / DAY_MS);
    const compared = was === 0 ? "none yesterday" : `${grouped(expected)} if it were as yesterday`;
    const text = `${countText(is, "bid")} today; ${compared}`;
    const what = `ssp ${shown(ssp)}`;
    if (expected < LEAST_EXPECTED || is * MOST_FALL >= expected) return ok(what, text);
    const ask = `${tailCommand(reach)}: do its requests arrive?`;
    return fault(what, text, `${ask} Then read ${page("runbooks.md#there-are-no-bids-at-all")}`);
  });
}

function bidsBySsp(rows: Row[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { ssp = "", bids } of rows) if (ssp && bids > 0) sums.set(ssp, (sums.get(ssp) ?? 0) + bids);
  return sums;
}

/** The daily budgets of each currency, and each budget that has spent more than its day allows. */
export function spendFindings(budgets: Budget[], reach: Reach): Finding[] {
  const daily = budgets.filter(({ daily }) => daily !== undefined);
  const sums = [...Map.groupBy(daily, ({ cur }) => cur)].map(([cur, all]) => {
    const sum = (name: "spent" | "daily" | "forecast") => all.reduce((sum, budget) => sum + amountOf(budget[name]), 0n);
    const [spent, whole, forecast] = amounts([sum("spent"), sum("daily"), sum("forecast")]);
    return ok("spend", `${spent} of ${whole} ${shown(cur)} today, forecast ${forecast}`);
  });
  const over = daily.filter(({ spent, daily }) => amountOf(spent) > amountOf(daily));
  return [
    ...sums,
    ...over.map(({ cid, order, spent, daily, cur }) => {
      const id = shown(order ?? cid ?? "");
      const text = `${id} has spent ${spent} ${shown(cur)}, and its day allows ${daily}`;
      return fault("spend", text, `npx edgebid budget ${id}${reach.url}; read ${page("runbooks.md#money-runs-away")}`);
    }),
  ];
}

/** The notices of today that booked nothing, by SSP; without those of tests, which never book anything. */
export function refusedFindings(all: Row[], reach: Reach): Finding[] {
  const today = all.map(({ refused: { test: _, ...refused }, ...row }) => ({ ...row, refused }));
  const withRefused = today.filter(({ refused }) => Object.keys(refused).length > 0);
  return [...Map.groupBy(withRefused, ({ ssp = "" }) => ssp)].map(([ssp, rows]) => {
    const counts = sumsOf(rows.map(({ refused }) => refused));
    const sum = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const billed = today.filter((row) => row.ssp === ssp).reduce((sum, row) => sum + row.billed, 0);
    // Anybody can call a notice that names no SSP.
    const isMany = ssp !== "" && sum >= LEAST_REFUSED && sum * 100 > (sum + billed) * MOST_REFUSED;
    const mend = `npx edgebid report --today --by ssp${reach.url}; read ${page("money.md#when-a-notice-books-nothing")}`;
    return (isMany ? fault : note)("notices", `${shown(ssp || "unknown SSP")} refused: ${countsText(counts)}`, mend);
  });
}

/** Counters that say that events or counts get lost. */
const LOST: Readonly<Record<string, string>> = {
  "notice-later-failed": "runbooks.md#the-ledger-does-not-answer",
  "counts-lost": "runbooks.md#the-ledger-does-not-answer",
  "pacing-lost": "budgets.md#what-happens-in-failures",
  "events-lost-to-console": "events.md#which-events-can-get-lost",
  "events-dropped": "events.md#which-events-can-get-lost",
};

/** What the isolate has lost since it started. */
export function countersFindings(counters: Record<string, number> = {}): Finding[] {
  const lost = Object.entries(LOST).filter(([name]) => counters[name]);
  return lost.map(([name, about]) =>
    note("lost", `${name} ${counters[name]} since the isolate started`, `read ${page(about)}`),
  );
}

/**
 * The version that is served, and how to go back if it is new, or what was rolled back. Who pushed it is known only from
 * its note.
 */
export function pushFindings(
  answer: Pick<Versions, "previous" | "left" | "versions"> | undefined,
  now: number,
  { kv }: Reach,
): Finding[] {
  const current = answer?.versions.find(({ current }) => current);
  if (!answer || !current?.served) return [];
  const { previous, left } = answer;
  const whyLeft = answer.versions.find(({ version }) => version === left)?.note;
  const { since, note: why } = current.served;
  const hours = (now - Date.parse(since)) / HOUR_MS;
  const ago =
    hours < 1
      ? countText(Math.round(hours * 60), "minute")
      : hours < 48
        ? countText(Math.round(hours), "hour")
        : countText(Math.round(hours / 24), "day");
  const what = left ? `, rolled back from ${left}${whyLeft ? ` (${shown(whyLeft)})` : ""}` : "";
  const text = `${current.version}, ${ago} ago (${since})${what}${why ? `: ${shown(why)}` : ", without a note"}`;
  if (hours >= 24 || (previous ?? left) === null) return [ok("push", text)];
  const changes = `npx edgebid catalog diff ${kv} shows what it changed`;
  const next = left ? `mend ${left} and push it` : `npx edgebid catalog rollback ${kv} goes back to ${previous}`;
  return [note("push", text, `${changes}; ${next}`)];
}
