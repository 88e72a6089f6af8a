//! A bidder for tests of the inspector's views: with pushed versions, with a ledger and a pacer, and with bids that an
//! exchange bills.

import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { buildInspector } from "../../build/inspector.mjs";
import type { SecondUse } from "../catalog/move.ts";
import { OBJECTS } from "../deploy/configuration.ts";
import { filled } from "../tail/demo.ts";
import { bidsOn, catalogText, NOTICE_KEY, requestText } from "../test/bidder.ts";
import { FakeStore, pushInto } from "../test/fake-store.ts";
import { type RunningScript, startScript } from "../workerd.ts";

const ASSETS = fileURLToPath(new URL("../../worker/inspect/dist", import.meta.url));
const ENTRY = new URL("../../worker/src/index.ts", import.meta.url);
/** Milliseconds between two looks whether the pacer knows what was spent. */
const LOOK_MS = 100;

export const EXAMPLE = JSON.parse(catalogText);

/** The example with shading for the campaign that bids on the simple banner, and a budget and caps for another one. */
export const CHANGED = {
  ...EXAMPLE,
  campaigns: EXAMPLE.campaigns.map((own: { cid: string }) => ({
    ...own,
    ...(own.cid === "acme-spring" && { shading: { typical: "1.20", steepness: 2 } }),
    ...(own.cid === "velo-europe" && { budget: { daily: "50.00" }, caps: [{ n: 3, per: "day" }] }),
  })),
};

/** A document to push, with the note of the push. */
export interface Pushed {
  document: object;
  note?: string;
  second?: SecondUse;
}

/** A bidder, and the names of the versions in its KV. */
interface Started {
  bidder: RunningScript;
  versions: string[];
}

/**
 * Starts a bidder before the tests of a file or a group, which have what is returned, and stops it after them. It sells
 * impressions first: {@link sell}.
 */
export function bidderWith(pushes: Pushed[], fates = ""): Started {
  const started = {} as Started;
  beforeAll(async () => {
    Object.assign(started, await startPushed(pushes));
    if (fates !== "") await sell(started.bidder, fates);
  }, 90_000);
  afterAll(() => started.bidder?.stop());
  return started;
}

/** Pushes the documents in order, and starts a bidder on the last one. */
export async function startPushed(
  pushes: Pushed[],
  vars: Record<string, string> = { OPERATOR: "anybody", LOCAL_KV: "--local" },
): Promise<Started> {
  await buildInspector();
  const store = new FakeStore();
  const versions: string[] = [];
  for (const [minute, { document, ...more }] of pushes.entries()) {
    versions.push((await pushInto(store, document, Date.UTC(2026, 10, 21, 12, minute), more)).version);
  }
  const bidder = await startScript(
    ENTRY,
    { CATALOG: Object.fromEntries(store.values) },
    { vars: { NOTICE_KEYS: NOTICE_KEY, EVENTS_ONE_IN: "off", ...vars }, durableObjects: OBJECTS, assets: ASSETS },
  );
  // Until the pacer knows what was spent, the view of money has a question that fails.
  while ((await fetch(`${bidder.origin}/budget`)).status === 503) await sleep(LOOK_MS);
  return { bidder, versions };
}

/**
 * What an exchange does with its bids on the simple banner, one letter each: `b` bills it, `l` tells that it lost, and
 * anything else nothing. Waits until the report has counted the bids.
 */
async function sell({ origin }: RunningScript, fates: string): Promise<void> {
  const request = JSON.parse(requestText);
  for (const [n, fate] of [...fates].entries()) {
    const [bid] = await bidsOn(origin, { ...request, id: `sale-${n}` });
    if (bid === undefined) throw new Error(`no bid on request ${n}`);
    const calls = fate === "b" ? [bid.nurl, bid.burl] : fate === "l" ? [bid.lurl] : [];
    for (const url of calls) if (url) await fetch(filled(url, "0.90", "USD"));
  }
  const reported = async () => (await fetch(`${origin}/report?by=campaign`)).text();
  const counted = async () => expect(await reported()).toContain(`"bids":${fates.length}`);
  await vi.waitFor(counted, { timeout: 30_000, interval: 500 });
}
