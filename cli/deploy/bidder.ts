//! Checks a running bidder by its `/healthz`: the catalog that it serves, its clock, and its problems.

import { NOTICE_DAYS } from "../../worker/src/limits.ts";
import type { ShownAlarm } from "../../worker/src/pacing/budgets.ts";
import { DAY_MS, dayAt } from "../../worker/src/time/days.ts";
import { Failure } from "../failure.mjs";
import { alarmMend, alarmText, missingAlarms } from "../money/alarms.ts";
import { bearer, reportOf } from "../money/client.ts";
import { page } from "../tools.mjs";
import { type Finding, fault, note, ok } from "./finding.ts";

/** The answer of `GET /healthz`; only the operator gets more than `ok`. */
export interface Health {
  ok: boolean;
  catalog?: {
    version: string | null;
    campaigns: number;
    /** Seconds since KV confirmed it. */
    age: number | null;
    failure: string | null;
    warning: string | null;
    stopped: object | null;
  };
  notices?: { on: boolean; errors: string[] };
  /** Null without budgets. `age`: the seconds since the shares were made; null without shares. */
  pacing?: { age: number | null; failure: string | null } | null;
  /** Null if the pacer does not answer. */
  alarms?: ShownAlarm[] | null;
  skadn?: { on: boolean; error: string | null } | null;
  counters?: Record<string, number>;
}

/** The most seconds between the bidder's clock and ours. Bids expire after hours, days end at midnight. */
const MAX_SKEW_S = 30;
const TIMEOUT_MS = 10_000;

/** The options that lead the commands on catalogs to the KV of a bidder. */
export type Where = "--local" | "--remote";

/** Whether the bidder at `url` runs on this machine. */
export function whereOf(url: string): Where {
  const { hostname } = new URL(url);
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) ? "--local" : "--remote";
}

/** The command that watches the traffic: of all isolates of a deployed bidder, or of the one on this machine. */
export function tailCommand(where: Where): string {
  return `npx edgebid tail${where === "--remote" ? " --remote" : ""}`;
}

/** The findings on the bidder at `url`, and its answer; undefined if it gives none. */
export async function bidderFindings(url: string): Promise<{ findings: Finding[]; health?: Health }> {
  let response: Response;
  let health: Health;
  const only = (finding: Finding) => ({ findings: [finding] });
  try {
    response = await fetch(new URL("/healthz", url), { headers: bearer(), signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401 || response.status === 429)
      return only(
        fault("token", `${url} refuses the token`, "set EDGEBID_OPERATOR_TOKEN to its secret OPERATOR_TOKEN"),
      );
    health = await response.json();
  } catch {
    return only(
      fault("bidder", `${url} does not answer as edgebid does`, "deploy it, or mend the route or the address"),
    );
  }
  return { findings: await healthFindings(url, response, health), health };
}

async function healthFindings(url: string, response: Response, health: Health): Promise<Finding[]> {
  const { catalog, notices, pacing, alarms = [], skadn } = health;
  const findings = [
    health.ok
      ? ok("bidder", catalog ? `serves ${catalog.version}, ${catalog.campaigns} campaigns` : `${url} serves a catalog`)
      : fault("bidder", "has no catalog", `push one: npx edgebid catalog push FILE ${whereOf(url)}`),
    clock(response),
  ];
  if (catalog === undefined)
    return [...findings, note("token", "only the operator sees more", "set EDGEBID_OPERATOR_TOKEN")];
  const { failure, warning, stopped } = catalog;
  if (failure) findings.push(fault("catalog", failure, "push again, or roll back"));
  if (warning) findings.push(note("catalog", warning, "push again"));
  if (stopped) findings.push(note("stopped", "an operator has stopped campaigns", "npx edgebid resume lifts it"));
  findings.push(
    ...(notices?.errors ?? []).map((error) => fault("notices", error, `read ${page("money.md#switch-notices-on")}`)),
  );
  if (notices && !notices.on)
    findings.push(fault("notices", "are off: nothing is billed", "npx wrangler secret put NOTICE_KEYS"));
  if (pacing?.failure)
    findings.push(fault("pacing", pacing.failure, `read ${page("budgets.md#what-happens-in-failures")}`));
  if (alarms === null)
    findings.push(fault("pacer", "does not answer", `read ${page("budgets.md#what-happens-in-failures")}`));
  findings.push(...(await ledgerFindings(url, alarms ?? [])));
  if (skadn?.error) findings.push(fault("skadn", skadn.error, "npx wrangler secret put SKADN_KEY"));
  return findings;
}

/**
 * What is wrong with bills. Without budgets, there is no pacer that reads the ledger, so this asks for a report of the
 * days that still take bills.
 */
async function ledgerFindings(url: string, alarms: ShownAlarm[]): Promise<Finding[]> {
  const others = alarms.filter(({ what }) => what !== "missing");
  const faults = (all: ShownAlarm[]) =>
    all.map((alarm) => fault(alarm.what === "missing" ? "ledger" : "bills", alarmText(alarm), alarmMend(alarm)));
  try {
    const from = dayAt(Date.now() - (NOTICE_DAYS - 1) * DAY_MS);
    const { missing } = await reportOf(url, { from, by: "" });
    return faults([...missingAlarms(missing), ...others]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const mend = `read ${page("runbooks.md#the-ledger-does-not-answer")}`;
    return [fault("ledger", error.message, mend), ...faults(others)];
  }
}

function clock(response: Response): Finding {
  const skew = Math.abs(Date.parse(response.headers.get("date") ?? "") - Date.now()) / 1000;
  if (Number.isNaN(skew)) return note("clock", "the answer tells no time", "compare the clocks yourself");
  if (skew <= MAX_SKEW_S) return ok("clock", "agrees with this machine's");
  return fault("clock", `is ${Math.round(skew)} s from this machine's`, "set this machine's clock: days hang on it");
}
