//! Checks a running bidder by its `/healthz`: the catalog that it serves, its clock, and its problems. Says how other
//! commands reach it.

import { Failure } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import type { Stopped } from "../../shared/catalog/stopped.ts";
import { countText } from "../../shared/compare/text.ts";
import { MAX_PACERS, NOTICE_DAYS, PACER_PAIRS } from "../../shared/limits.ts";
import type { ShownAlarm } from "../../shared/pacing/budgets.ts";
import { DAY_MS, dayAt } from "../../shared/time/days.ts";
import { stopText } from "../catalog/print.ts";
import { isObject, parsedJson } from "../input.ts";
import { alarmMend, alarmText, missingAlarms } from "../money/alarms.ts";
import { type Answer, answerOf, DEFAULT_URL, isLoopback, reportOf } from "../money/client.ts";
import { type Finding, fault, note, ok } from "./finding.ts";
import { OPTION_SECRETS } from "./secrets.ts";

/** The state of an option that needs a secret. */
interface OptionState {
  on: boolean;
  error: string | null;
}

/** The answer of `GET /healthz`; only the operator gets more than `ok`. */
export interface Health {
  ok: boolean;
  /** The options that name the KV of `npm start`; null on an account. */
  kv?: string | null;
  catalog?: {
    version: string | null;
    campaigns: number;
    /** Seconds since KV confirmed it. */
    age: number | null;
    failure: string | null;
    warning: string | null;
    stopped: Stopped | null;
  };
  notices?: { on: boolean; errors: string[] };
  /**
   * Null without budgets. `age`: the seconds since the shares were made; null without shares. `pairs`: how much of the
   * pacers the budgets take.
   */
  pacing?: { budgets?: number; pairs?: number; age: number | null; failure: string | null } | null;
  /** Null if the pacer does not answer. */
  alarms?: ShownAlarm[] | null;
  options?: Partial<Record<keyof typeof OPTION_SECRETS, OptionState | null>>;
  /** How the modules were built. */
  modules?: "quick" | "final";
  counters?: Record<string, number>;
}

/** The most seconds between the bidder's clock and ours. Bids expire after hours, days end at midnight. */
const MAX_SKEW_S = 30;
const TIMEOUT_MS = 10_000;
/** From this part of what pacers hold on, doctor warns. */
const NEARLY_FULL = 0.8;
const HELD = "budgets.md#how-many-budgets-the-pacer-holds";

/** How commands reach a bidder. */
export interface Reach {
  /** The options that name its KV for the commands on catalogs. */
  kv: string;
  /** The option for the commands that ask a bidder, with a space before; empty if they ask this one anyway. */
  url: string;
}

/** How commands reach the bidder at `url`, which is that of an environment of wrangler.toml if one is named. */
export function reachOf(url: string, health: Health | undefined, env?: string): Reach {
  const isUsual = url === (process.env["EDGEBID_URL"] || DEFAULT_URL);
  const usual = isLoopback(url) ? "--local" : "--remote";
  return { kv: health?.kv ?? (env === undefined ? usual : `--env ${env}`), url: isUsual ? "" : ` --url ${url}` };
}

/** How to set a secret of the bidder. */
export function secretMend(name: string, reach: Reach): string {
  if (isLocal(reach)) return `write ${name} into .dev.vars, and start the bidder again`;
  return `npx wrangler secret put ${name}${reach.kv === "--remote" ? "" : ` ${reach.kv}`}`;
}

/** Whether commands reach a bidder on this machine. */
export function isLocal({ kv }: Reach): boolean {
  return kv.startsWith("--local");
}

/** The command that watches the traffic: of all isolates of a deployed bidder, or of the one on this machine. */
export function tailCommand(reach: Reach): string {
  return `npx edgebid tail${isLocal(reach) ? reach.url : ` ${reach.kv}`}`;
}

/** The findings on the bidder at `url`, and its answer; undefined if it gives none. */
export async function bidderFindings(url: string, env?: string): Promise<{ findings: Finding[]; health?: Health }> {
  const none = (text: string) => {
    const mend = "start it with npm start, deploy it, or mend the route or the address";
    return { findings: [fault("bidder", text, mend)] };
  };
  let answer: Answer;
  try {
    answer = await answerOf(url, "healthz", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    if (error instanceof Failure) return none(error.message);
    throw error;
  }
  if (answer.status === 401 || answer.status === 429) {
    const mend = "set EDGEBID_OPERATOR_TOKEN to its secret OPERATOR_TOKEN";
    return { findings: [fault("token", `${url} refuses the token`, mend)] };
  }
  const health = parsedJson<Health>(answer.text);
  if (!isObject(health)) return none(`${url} does not answer as edgebid does`);
  return { findings: await healthFindings(url, answer, health, env), health };
}

async function healthFindings(url: string, answer: Answer, health: Health, env?: string): Promise<Finding[]> {
  const { catalog, notices, pacing, alarms = [] } = health;
  const reach = reachOf(url, health, env);
  const findings = [
    health.ok
      ? ok("bidder", catalog ? `serves ${catalog.version}, ${catalog.campaigns} campaigns` : `${url} serves a catalog`)
      : fault("bidder", "has no catalog", `push one: npx edgebid catalog push FILE ${reach.kv}`),
    // A bidder of npm start has the clock of this machine.
    ...(isLocal(reach) ? [] : [clock(answer)]),
  ];
  if (catalog === undefined)
    return [...findings, note("token", "only the operator sees more", "set EDGEBID_OPERATOR_TOKEN")];
  const { failure, warning, stopped } = catalog;
  const broken = page("runbooks.md#the-pointer-is-broken-or-names-nothing");
  if (failure) findings.push(fault("catalog", failure, `npx edgebid catalog show ${reach.kv}; read ${broken}`));
  if (warning) findings.push(note("catalog", warning, "push again"));
  if (stopped) {
    const state = stopped.all ? fault : note;
    findings.push(state("stopped", stopText(stopped), `npx edgebid resume --all ${reach.kv} lifts it`));
  }
  findings.push(
    ...(notices?.errors ?? []).map((error) => fault("notices", error, `read ${page("money.md#switch-notices-on")}`)),
  );
  if (notices && !notices.on)
    findings.push(fault("notices", "are off: nothing is billed", secretMend("NOTICE_KEYS", reach)));
  if (health.modules === "quick" && !isLocal(reach))
    findings.push(fault("modules", "are built for a laptop: bids take longer", "deploy with npm run deploy"));
  if (pacing?.budgets && pacing.pairs) findings.push(room(pacing.budgets, pacing.pairs));
  if (pacing?.failure)
    findings.push(fault("pacing", pacing.failure, `read ${page("budgets.md#what-happens-in-failures")}`));
  if (alarms === null)
    findings.push(fault("pacer", "does not answer", `read ${page("budgets.md#what-happens-in-failures")}`));
  findings.push(...(await ledgerFindings(url, alarms ?? [], reach)));
  for (const [option, secret] of Object.entries(OPTION_SECRETS)) {
    const error = health.options?.[option as keyof typeof OPTION_SECRETS]?.error;
    if (error) findings.push(fault(option, error, secretMend(secret, reach)));
  }
  return findings;
}

/**
 * What is wrong with bills. Without budgets, there is no pacer that reads the ledger, so this asks for a report of the
 * days that still take bills.
 */
async function ledgerFindings(url: string, alarms: ShownAlarm[], reach: Reach): Promise<Finding[]> {
  const others = alarms.filter(({ what }) => what !== "missing");
  const faults = (all: ShownAlarm[]) =>
    all.map((alarm) =>
      fault(alarm.what === "missing" ? "ledger" : "bills", alarmText(alarm), alarmMend(alarm, reach.url)),
    );
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

/** How near the budgets are to what all pacers hold. */
function room(budgets: number, pairs: number): Finding {
  const part = pairs / (PACER_PAIRS * MAX_PACERS);
  const text = `${countText(budgets, "budget")}: ${(part * 100).toFixed(part < 0.1 ? 1 : 0)} % of what the pacers hold`;
  if (part < NEARLY_FULL) return ok("budgets", text);
  return note("budgets", text, `remove campaigns and SSPs that buy no more; read ${page(HELD)}`);
}

function clock({ headers }: Answer): Finding {
  const skew = Math.abs(Date.parse(headers.get("date") ?? "") - Date.now()) / 1000;
  if (Number.isNaN(skew)) return note("clock", "the answer tells no time", "compare the clocks yourself");
  if (skew <= MAX_SKEW_S) return ok("clock", "agrees with this machine's");
  return fault("clock", `is ${Math.round(skew)} s from this machine's`, "set this machine's clock: days hang on it");
}
