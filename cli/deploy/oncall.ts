//! `edgebid oncall`: tells in one screen whether a running bidder is healthy and what has changed, and for each fault what
//! to do next. It asks only what every bidder answers, and changes nothing.

import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import type { Second } from "../../shared/tail/seconds.ts";
import { DAY_MS, dayAt } from "../../shared/time/days.ts";
import type { Versions } from "../../worker/inspect/parts/versions.ts";
import { step } from "../catalog/progress.ts";
import { askJson, budgetsOf, reportOf } from "../money/client.ts";
import { localSource } from "../tail/source.ts";
import { bidderFindings, type Health, reachOf } from "./bidder.ts";
import { type Finding, fault, printed } from "./finding.ts";
import { countersFindings, pushFindings, refusedFindings, spendFindings, sspFindings } from "./oncall-bills.ts";
import { agesFindings, sinceStartFindings, trafficFindings } from "./oncall-traffic.ts";

/** Options of the command. */
export interface OncallOptions {
  url: string;
  /** The environment of wrangler.toml that the bidder is, for the commands that are printed. */
  env?: string;
  /** How long to watch the traffic. */
  seconds: number;
  watch?: boolean;
  json?: boolean;
}

/** How much longer than the traffic is watched the bidder may take for its answer. */
const PATIENCE_MS = 5000;
/** The least time between two screens of `--watch`. */
const LEAST_ROUND_MS = 5000;
const CLEAR = "\u001b[2J\u001b[H";

/** Prints the screen, with `watch` again and again. Returns the exit status: 1 if there is a fault. */
export async function oncall({ url, env, seconds, watch, json }: OncallOptions): Promise<0 | 1> {
  for (;;) {
    // A refused token is answered at once, and a network that sends too many is shut out.
    const next = performance.now() + Math.max(seconds * 1000, LEAST_ROUND_MS);
    const findings = await step(`asking ${url}, and watching it for ${seconds} s`, () =>
      allFindings(url, env, seconds),
    );
    if (watch) process.stdout.write(CLEAR);
    const status = printed(findings, json);
    if (!watch) return status;
    await sleep(Math.max(0, next - performance.now()));
  }
}

async function allFindings(url: string, env: string | undefined, seconds: number): Promise<Finding[]> {
  const { findings: known, health } = await bidderFindings(url, env);
  // Without a catalog or the operator's token, there is nothing else to ask.
  if (known.some(({ what, state }) => state !== "ok" && ["bidder", "token"].includes(what))) return known;
  // The other questions are asked meanwhile.
  const traffic = trafficAt(url, seconds);
  const [now, reach] = [Date.now(), reachOf(url, health, env)];
  const rows = async (day: string) => (await reportOf(url, { from: day, to: day, by: "ssp" })).rows;
  const [today, before] = [rows(dayAt(now)), rows(dayAt(now - DAY_MS))];
  const versions = askJson<Versions>(url, "inspect/api/versions");
  const parts = [
    found("requests", async () => trafficFindings(await traffic, reach)),
    found("health", async () => {
      const seen = await traffic;
      // Asked again, because the shares of an isolate without requests become new with the first one.
      const later = await askJson<Health>(url, "healthz");
      const counters = later?.counters;
      return [
        ...agesFindings(later, seen, reach),
        ...countersFindings(counters),
        ...sinceStartFindings(counters, seen),
      ];
    }),
    found("ssps", async () => sspFindings(...(await Promise.all([today, before])), now, reach)),
    found("spend", async () => spendFindings((await budgetsOf(url, undefined)).campaigns, reach)),
    found("refused", async () => refusedFindings(await today, reach)),
    found("push", async () => pushFindings(await versions, now, reach)),
  ];
  return [...known, ...(await Promise.all(parts)).flat()];
}

/** The findings of one part. If the bidder does not answer its question, that is the finding. */
async function found(what: string, ask: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [fault(what, error.message, `read ${page("runbooks.md#the-ledger-does-not-answer")}`)];
  }
}

/** What one isolate does in so many seconds. */
async function trafficAt(url: string, seconds: number): Promise<Second[]> {
  const seen: Second[] = [];
  let ms = 0;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), seconds * 1000 + PATIENCE_MS);
  try {
    for await (const news of localSource(url, 0)(stop.signal)) {
      if (!("second" in news)) continue;
      seen.push(news.second);
      // A busy isolate tells of several seconds at once.
      ms += news.second.ms;
      if (Math.round(ms / 1000) >= seconds) break;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return seen;
}
