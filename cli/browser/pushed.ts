//! A bidder for tests of the inspector's views: with pushed versions, with a ledger and a pacer, and with bids that an
//! exchange bills.

import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { compile } from "../../worker/src/catalog/compile.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import type { SecondUse } from "../catalog/move.ts";
import { push } from "../catalog/push.ts";
import type { MoveOptions } from "../catalog/store.ts";
import { buildInspector } from "../inspector.mjs";
import { compiler, module } from "../module.ts";
import { FakeStore } from "../test/fake-store.ts";
import { type RunningScript, startScript } from "../workerd.ts";

const ASSETS = fileURLToPath(new URL("../../worker/inspect/dist", import.meta.url));
const ENTRY = new URL("../../worker/src/index.ts", import.meta.url);
const OBJECTS = { LEDGER: "Ledger", SUMMARY: "Summary", PACER: "Pacer", RELAY: "Relay", FREQUENCY: "Frequency" };
/** Milliseconds between two looks whether the pacer knows what was spent. */
const LOOK_MS = 100;
const NOTICE_KEYS = "a-key-of-the-tests-a-key-of-the-tests";

/** A document to push, with the note of the push. */
export interface Pushed {
  document: object;
  note?: string;
  second?: SecondUse;
}

/** Pushes the documents in order, and starts a bidder on the last one. Returns the names of the versions too. */
export async function startPushed(
  pushes: Pushed[],
  vars: Record<string, string> = { OPERATOR: "anybody" },
): Promise<{ bidder: RunningScript; versions: string[] }> {
  await buildInspector();
  const store = new FakeStore();
  const versions: string[] = [];
  for (const [minute, { document, ...more }] of pushes.entries()) {
    const options: MoveOptions = {
      now: new Date(Date.UTC(2026, 10, 21, 12, minute)),
      step: async (_, work) => work(() => {}),
    };
    const bytes = new Uint8Array(new TextEncoder().encode(JSON.stringify(document)));
    const { version } = await push(store, bytes, compiled, { ...options, ...more });
    versions.push(version);
  }
  const bidder = await startScript(
    ENTRY,
    { CATALOG: Object.fromEntries(store.values) },
    { vars: { NOTICE_KEYS, EVENTS_ONE_IN: "off", ...vars }, durableObjects: OBJECTS, assets: ASSETS },
  );
  // Until the pacer knows what was spent, the view of money has a question that fails.
  while ((await fetch(`${bidder.origin}/budget`)).status === 503) await sleep(LOOK_MS);
  return { bidder, versions };
}

function compiled(document: Uint8Array) {
  const made = compile(document, compiler);
  return { ...made, campaigns: new Bidder(made.snapshot, module).campaigns };
}

/** What an exchange does with its bids, one letter each: `b` bills it, `l` tells that it lost, and anything else nothing. */
export async function sell({ origin }: RunningScript, request: object, fates: string): Promise<number> {
  let bids = 0;
  for (const [n, fate] of [...fates].entries()) {
    const body = JSON.stringify({ ...request, id: `sale-${n}` });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${origin}/bid/demo`, { method: "POST", body, headers });
    if (response.status !== 200) continue;
    const { seatbid }: { seatbid: { bid: { nurl?: string; burl?: string; lurl?: string }[] }[] } =
      await response.json();
    for (const { nurl, burl, lurl } of seatbid.flatMap(({ bid }) => bid)) {
      bids += 1;
      const filled = (url = "") => url.replace(/\$\{AUCTION_PRICE\}/, "0.90").replace(/\$\{AUCTION_LOSS\}/, "102");
      const calls = fate === "b" ? [nurl, burl] : fate === "l" ? [lurl] : [];
      for (const url of calls) if (url) await fetch(filled(url));
    }
  }
  return bids;
}
