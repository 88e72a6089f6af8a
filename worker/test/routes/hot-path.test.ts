//! A bid request of a warm isolate waits for its body and for nothing else: not for KV, the ledger, a queue, a fetch or
//! a timer, even when a refresh, a flush of events, a hand-over of counts and an exchange with a
//! relay are due.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { answer } from "../../src/router.ts";
import { changed } from "../support/catalogs.ts";
import { wait } from "../support/clock.ts";
import { simple } from "../support/fixtures.ts";
import { Isolate, NOTICE_KEYS } from "../support/isolate.ts";
import { clear, pushed } from "../support/kv.ts";

/** More than a decision takes on a busy machine. */
const PATIENCE_MS = 3000;

const request = simple;

const never = () => new Promise<never>(() => {});
/** Any object of a binding: each of its methods returns a promise that stays open. */
const silent = new Proxy({}, { get: () => never });
const LEDGER = { getByName: () => silent, get: () => silent, idFromName: () => "" };

/** The environment of a Worker with all bindings, of which none answers. */
const stuck = {
  ...env,
  CATALOG: silent,
  LEDGER,
  SUMMARY: LEDGER,
  PACER: LEDGER,
  RELAY: LEDGER,
  FREQUENCY: LEDGER,
  EVENTS: silent,
  ATTEMPTS: silent,
  METRICS: { writeDataPoint() {} },
  NOTICE_KEYS,
  EVENTS_ONE_IN: "1",
} as unknown as Env;

let isolate: Isolate;
let realTimeout: typeof setTimeout;

beforeEach(async () => {
  await clear();
  const document = changed(({ campaigns }) => {
    // Without URLs of their own, bids have ours.
    for (const campaign of campaigns) for (const key of ["nurl", "burl", "lurl"]) delete campaign[key];
    // A campaign with a budget makes each request count for pacing; it does not bid, because it has no shares.
    campaigns.push({ ...campaigns[0], cid: "budgeted", max_cpm: "9", budget: { daily: "5" } });
  });
  await pushed(document);
  isolate = new Isolate();
  realTimeout = setTimeout;
});

/** Sends the request while nothing outside the isolate answers and no timer fires. Null if the route waits for it. */
async function answered(init: RequestInit = {}): Promise<Response | null> {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(never);
  vi.spyOn(globalThis, "setTimeout").mockImplementation((() => 0) as unknown as typeof setTimeout);
  vi.spyOn(crypto.subtle, "digest").mockImplementation(never);
  const sent = new Request("https://bidder.test/bid/demo", { method: "POST", body: request, ...init });
  const ctx = { waitUntil() {}, passThroughOnException() {} } as unknown as ExecutionContext;
  const late = new Promise<null>((done) => realTimeout(done, PATIENCE_MS, null));
  return Promise.race([answer(sent, stuck, ctx, isolate), late]);
}

it.each([
  ["a plain body", () => ({})],
  ["a body in parts", () => ({ body: new Blob([request]).stream() })],
  [
    "a compressed body",
    () => ({
      headers: { "content-encoding": "gzip" },
      body: new Blob([request]).stream().pipeThrough(new CompressionStream("gzip")),
    }),
  ],
])("a warm isolate answers %s with notices while nothing else answers", async (_, init: () => RequestInit) => {
  await isolate.refresh();
  for (let requests = 0; requests < 3; requests++) {
    // A refresh is due, and so is all work behind an answer.
    wait(60_000);
    const response = await answered(init());
    vi.restoreAllMocks();
    expect(response?.status).toBe(200);
    expect(await response?.text()).toContain("/n/win/");
  }
  expect(isolate.pacing.state({ budgets: 1, ssps: [] })).toMatchObject({ age: null, exchanged: null });
});

it("a cold isolate waits, so this test would notice a route that waits", async () => {
  expect(await answered()).toBeNull();
});
