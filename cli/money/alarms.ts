//! The alarms about bills in words: what is wrong, and what to do.

import { page } from "../../build/tools.mjs";
import type { ShownAlarm } from "../../shared/pacing/budgets.ts";
import { grouped, shown } from "./table.ts";

/** Two lines for each alarm: what is wrong, and what to do. Empty without alarms. */
export function alarmsText(alarms: ShownAlarm[]): string {
  return alarms.map((alarm) => `! ${alarmText(alarm)}\n  → ${alarmMend(alarm)}\n`).join("");
}

/** The alarms for objects of the ledger that do not answer. */
export function missingAlarms(shards: string[] = []): ShownAlarm[] {
  return shards.map((shard) => ({ what: "missing", place: shard }));
}

/** The object with the totals of the days that take no more bills. */
const SUMMARY = "summary";

/** What is wrong, in one line. */
export function alarmText({
  what,
  place: shard = "",
  ssp = "",
  count = 0,
  amount = "0",
  cur = "",
}: ShownAlarm): string {
  const [bills, money] = [count === 0 ? "bills" : `${grouped(count)} bills`, `${amount} ${shown(cur)}`];
  switch (what) {
    case "missing":
      return shard === SUMMARY
        ? `the ledger's ${SUMMARY} does not answer: reports lack past days, a pacer that starts stops budgets with a total`
        : `${shown(shard)} of the ledger does not answer: budgets count the mean of the others, reports lack it`;
    case "refused":
      return `${shown(ssp)}: ${bills} are signed, and their price cannot be used: budgets count their bids, ${money}`;
    case "implausible":
      return `${shown(ssp)}: ${bills} are far cheaper than their bids: budgets count the bids, ${money}`;
    case "silent":
      return `${shown(ssp)}: ${grouped(count)} bids, and no bill comes: budgets expect all of them`;
    default:
      return `${shown(ssp)}: ${shown(what)}, ${bills}, ${money}`;
  }
}

/** What to do about it. `url`: the option that names the bidder, if a command needs it, with a space before. */
export function alarmMend({ what, place: shard = "", ssp = "" }: ShownAlarm, url = ""): string {
  if (what === "missing") {
    const day = shard === SUMMARY ? "" : `; its day is ${shown(shard.slice(0, 10))}`;
    return `read ${page("runbooks.md#an-object-of-the-ledger-cannot-be-read")}${day}`;
  }
  const command = what === "implausible" ? `reconcile INVOICE --ssp ${shown(ssp)}` : "report --today --by ssp";
  return `npx edgebid ${command}${url}: read ${page("runbooks.md#bills-that-cannot-be-believed")}`;
}
