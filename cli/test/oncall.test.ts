//! `edgebid oncall` on running Workers: a healthy one has no fault, and each planted change is found.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { TOOL_ENV } from "../../build/tools.mjs";
import type { Budget } from "../../shared/pacing/budgets.ts";
import type { Row } from "../../shared/report/rows.ts";
import type { Second } from "../../shared/tail/seconds.ts";
import { DAY_MS, dayAt } from "../../shared/time/days.ts";
import { now } from "../../worker/test/support/clock.ts";
import { bidderFindings, type Health, reachOf, tailCommand } from "../deploy/bidder.ts";
import type { Finding } from "../deploy/finding.ts";
import { oncall } from "../deploy/oncall.ts";
import { countersFindings, pushFindings, refusedFindings, spendFindings, sspFindings } from "../deploy/oncall-bills.ts";
import { agesFindings, sinceStartFindings, trafficFindings } from "../deploy/oncall-traffic.ts";
import { type RunningScript, startWorker } from "../workerd.ts";
import { bidsOn, bytesOf, catalogText, NOTICE_KEY, OPERATOR_TOKEN, ROOT, requestText } from "./bidder.ts";
import { edgebidIn, folderFor } from "./edgebid.ts";
import { served } from "./free-port.ts";

const folder = folderFor("oncall");
const edgebid = edgebidIn(folder, { EDGEBID_OPERATOR_TOKEN: OPERATOR_TOKEN });
const workers: RunningScript[] = [];

/** Keys of Google, of another account than the one that encodes the test's prices. */
const KEY = "skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=";

/** A Worker with this catalog. */
async function worker(catalog: object): Promise<string> {
  const vars = {
    OPERATOR_TOKEN,
    NOTICE_KEYS: NOTICE_KEY,
    EVENTS_ONE_IN: "off",
    LOCAL_KV: "--local",
    PRICE_KEYS: JSON.stringify({ sealed: { encryption: KEY, integrity: KEY } }),
  };
  const durableObjects = { LEDGER: "Ledger", SUMMARY: "Summary", PACER: "Pacer", RELAY: "Relay" };
  const started = await startWorker(bytesOf(JSON.stringify(catalog)), { vars, durableObjects });
  workers.push(started);
  return started.origin;
}

afterAll(() => Promise.all(workers.map((one) => one.stop())));
afterEach(() => vi.unstubAllGlobals());

const example = JSON.parse(catalogText);
const ssps = [...example.ssps, { id: "sealed", price_codec: "google" }];

/** What the command finds while requests arrive at the bidder. */
async function findings(origin: string): Promise<{ code: number; faults: string[]; found: Finding[] }> {
  const sent: Promise<unknown>[] = [];
  const sending = setInterval(() => sent.push(bidsOn(origin, requestText).catch(() => {})), 50);
  try {
    const [code, stdout] = await edgebid("oncall", "--url", origin, "--seconds", "3", "--json");
    const { findings: found }: { findings: Finding[] } = JSON.parse(stdout);
    const faults = found.filter(({ state }) => state === "fault");
    for (const { mend } of faults) expect(mend).toMatch(/npx|read /);
    return { code, found, faults: faults.map(({ what, text }) => `${what}: ${text}`) };
  } finally {
    clearInterval(sending);
    await Promise.all(sent);
  }
}

test("a healthy bidder has no fault, and the screen says what it does", async () => {
  const origin = await worker({ ...example, ssps });
  const { code, faults, found } = await findings(origin);
  expect([code, faults]).toEqual([0, []]);
  expect(found).toContainEqual({
    what: "requests",
    state: "ok",
    text: expect.stringMatching(/^[1-9]\d*\.\d\/s at one isolate; with bids: [1-9]/),
  });
  const [, screen] = await edgebid("oncall", "--url", origin, "--seconds", "1");
  expect(screen).toMatch(
    /! requests +none in \d s at the isolate that answers\n +→ npx edgebid tail --url http:\S+ waits for more/,
  );

  // An SSP that sent bids yesterday, and sends none today.
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", async (input: URL | string, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(input);
    if (pathname !== "/report" || searchParams.get("to") !== dayAt(now() - DAY_MS)) return real(input, init);
    return Response.json({ rows: [row("gone", 1e9), row("demo", 1)] });
  });
  const stopped = await findings(origin);
  expect(stopped.faults).toEqual([expect.stringMatching(/^ssp gone: 0 bids today; [\d,]+ if it were as yesterday$/)]);
  expect(stopped.code).toBe(1);
}, 60_000);

test("a catalog whose prices are under the floor, and a key that does not fit the prices", async () => {
  const cheap = example.campaigns.map((one: object) => ({ ...one, max_cpm: "0.01", deals: [], open: true }));
  const none = await findings(await worker({ ...example, ssps, campaigns: cheap }));
  expect(none.faults).toEqual([expect.stringMatching(/^reasons: no bids at all: floor \d+ %/)]);

  const origin = await worker({ ...example, ssps });
  // More than the least that is a fault, because a busy machine answers some too late.
  const bids = await Promise.all(Array.from({ length: 30 }, () => bidsOn(origin, requestText, "sealed")));
  for (const { burl = "" } of bids.flat()) {
    const url = new URL(burl.replace(/\$\{AUCTION_PRICE\}/g, "A".repeat(38)));
    await fetch(`${origin}${url.pathname}${url.search}`);
  }
  await vi.waitFor(
    async () => expect((await findings(origin)).faults).toEqual([expect.stringMatching(/^notices: sealed refused: /)]),
    { timeout: 30_000 },
  );
}, 90_000);

test("a bidder whose reports fail", async () => {
  const health = { ok: true, kv: "--local", catalog: { version: "v", campaigns: 1, age: 1 }, pacing: null, alarms: [] };
  const second = { at: 0, ms: 1000, requests: 1, bids: 1, none: {}, other: {}, lost: 0 };
  const { origin, stop } = await served((request, response) => {
    const pathname = new URL(request.url ?? "", "http://bidder").pathname.replace("/behind-a-proxy", "");
    const answers: Record<string, object> = { "/healthz": health, "/tail": second, "/budget": { campaigns: [] } };
    response.writeHead(answers[pathname] ? 200 : 503);
    response.end(`${JSON.stringify(answers[pathname] ?? { error: "later" })}\n`);
  });
  const [code, stdout] = await edgebid("oncall", "--url", `${origin}/behind-a-proxy`, "--seconds", "1", "--json");
  await stop();
  const { findings }: { findings: Finding[] } = JSON.parse(stdout);
  const failed = findings.filter(({ text }) => text.endsWith("answers 503: later")).map(({ what }) => what);
  expect([code, failed]).toEqual([1, ["ledger", "ssps", "refused", "push"]]);
});

test("--watch clears the screen, and does not ask at once again if the token is refused", async () => {
  let asked = 0;
  const { origin, stop } = await served((_, response) => {
    asked++;
    response.writeHead(401).end();
  });
  const args = [join(ROOT, "cli/edgebid.ts"), "oncall", "--url", origin, "--seconds", "1", "--watch"];
  const child = spawn(process.execPath, args, { env: TOOL_ENV, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const screen = await new Promise<string>((done) => {
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.includes("1 fault")) done(text);
      });
    });
    expect([screen.startsWith("\u001b[2J\u001b[H"), screen]).toEqual([
      true,
      expect.stringContaining("refuses the token"),
    ]);
    await sleep(500);
    expect(asked).toBe(1);
  } finally {
    child.kill();
    await stop();
  }
}, 30_000);

const ACCOUNT = { kv: "--remote", url: "" };
const LOCAL = { kv: "--local --persist-to /tmp/two", url: " --url http://127.0.0.1:8788" };
const row = (ssp: string, bids: number) => ({ ssp, bids, billed: 0, refused: {}, cur: "USD" }) as unknown as Row;
const texts = (found: Finding[]) => found.map(({ state, text }) => `${state}: ${text}`);

test("the advice leads to the KV and the traffic of the bidder, wherever it runs", () => {
  vi.stubEnv("EDGEBID_URL", "https://bidder.example");
  const remote = { ok: true, kv: null };
  const at = (url: string, health: object, env?: string) => {
    const reach = reachOf(url, health as Health, env);
    return [reach.kv, tailCommand(reach)];
  };
  expect(at("https://bidder.example", remote)).toEqual(["--remote", "npx edgebid tail --remote"]);
  expect(at("https://staging.example", remote, "staging")).toEqual(["--env staging", "npx edgebid tail --env staging"]);
  const local = { ok: true, kv: "--local" };
  expect(at("http://127.0.0.1:8788", local)).toEqual(["--local", "npx edgebid tail --url http://127.0.0.1:8788"]);
  vi.unstubAllEnvs();
});

test("what an operator has stopped, and the command that lifts it", async () => {
  const since = "2026-11-28T02:00:00.000Z";
  const of = async (stopped: object) => {
    const catalog = { version: "v", campaigns: 2, age: 0, failure: null, warning: null, stopped };
    const health = { ok: true, kv: LOCAL.kv, catalog, notices: { on: true, errors: [] }, pacing: null };
    vi.stubGlobal("fetch", async (url: URL) => Response.json(url.pathname === "/healthz" ? health : { rows: [] }));
    const { findings } = await bidderFindings("http://127.0.0.1:8788");
    // The bidder of npm start has the clock of this machine, so nobody is told to compare them.
    expect(findings.map(({ what }) => what)).toEqual(["bidder", "stopped"]);
    return findings[1];
  };
  const mend = "npx edgebid resume --all --local --persist-to /tmp/two lifts it";
  const text = "a, b, since 2026-11-28 02:00:00 UTC: wrong page";
  expect(await of({ cids: ["a", "b"], since, note: "wrong page" })).toEqual({
    what: "stopped",
    state: "note",
    text,
    mend,
  });
  // Nobody gets a bid.
  expect(await of({ all: true })).toEqual({ what: "stopped", state: "fault", text: "everything", mend });
});

test("an SSP is compared with the same part of yesterday", () => {
  const noon = Date.parse("2026-11-24T12:00Z");
  const at = (today: number, yesterday: number) =>
    sspFindings([row("a", today)], [row("a", yesterday)], noon, ACCOUNT)[0]?.state;
  expect([at(25, 200), at(24, 200), at(0, 198), at(1, 0)]).toEqual(["ok", "fault", "ok", "ok"]);
  const first = sspFindings([row("a", 3), row("", 9), row("only-refused", 0)], [], noon, ACCOUNT);
  expect(texts(first)).toEqual(["ok: 3 bids today; none yesterday"]);
});

test("few refused notices, or those of anybody, are no fault", () => {
  const refused = (ssp: string, count: number, billed = 0) =>
    texts(refusedFindings([{ ...row(ssp, 0), billed, refused: { price: count } }], ACCOUNT))[0];
  expect(refused("a", 9)).toBe("note: a refused: price 9");
  expect(refused("a", 10, 990)).toBe("note: a refused: price 10");
  expect(refused("a", 10, 989)).toBe("fault: a refused: price 10");
  expect(refused("", 500)).toBe("note: unknown SSP refused: price 500");
  expect(refusedFindings([row("a", 5)], ACCOUNT)).toEqual([]);
  // A bid of a test is never billed.
  expect(refusedFindings([{ ...row("a", 5), refused: { test: 1000 } }], ACCOUNT)).toEqual([]);
  const [own] = refusedFindings([{ ...row("a", 0), refused: { price: 1 } }], LOCAL);
  expect(own?.mend).toMatch(/^npx edgebid report --today --by ssp --url http:\/\/127.0.0.1:8788; read /);
});

test("traffic, ages, spend, losses and pushes have their limits", () => {
  const second = { at: 0, ms: 2000, requests: 100, bids: 40, none: { floor: 58, trap: 2 }, other: {}, lost: 0 };
  const traffic = (seen: Second) => texts(trafficFindings([seen], ACCOUNT));
  expect(traffic(second)).toEqual([
    "ok: 50.0/s at one isolate; with bids: 20.0/s, 40 %",
    "ok: floor 58 %, trap 2 %",
    "ok: 40 with 200, 60 with 204",
    "fault: trap 2",
  ]);
  const refused = { "refused-body": 1, "unauthorized-west": 1, "unknown-ssp": 1 };
  const all = "1 with 413 or 415 (refused-body), 1 with 401 or 429 (unauthorized-west), 1 with 404 (unknown-ssp)";
  expect(traffic({ ...second, none: { floor: 57, ...refused } })[2]).toBe(`fault: 40 with 200, 57 with 204, ${all}`);
  expect(traffic({ ...second, none: { floor: 58, "refused-body": 2 } })[2]).toMatch(/^ok: /);
  const silent = { ...second, bids: 0, requests: 2, none: { "unauthorized-west": 2 } };
  expect(trafficFindings([silent], LOCAL).slice(1)).toEqual([
    expect.objectContaining({ state: "fault", text: "no bids at all: unauthorized-west 100 %" }),
    expect.objectContaining({
      text: "2 with 401 or 429 (unauthorized-west)",
      mend: expect.stringMatching(/#credentials$/),
    }),
  ]);
  // What was refused is not kept, so it cannot be explained; the rest can, from the bidder that was asked.
  const advice = (none: Second["none"]) => trafficFindings([{ ...silent, none }], LOCAL)[1]?.mend;
  expect(advice({ "unauthorized-west": 2 })).toMatch(/^see the answers below; read /);
  expect(advice({ "unauthorized-west": 1, floor: 1 })).toMatch(
    /^npx edgebid tail --url http:\/\/127.0.0.1:8788 --keep kept.ndjson, then npx edgebid explain kept.ndjson; read /,
  );
  const pacing = (age: number | null) =>
    agesFindings({ ok: true, pacing: { age, failure: null } }, [second], LOCAL)[0]?.state;
  expect([pacing(null), pacing(60), pacing(61)]).toEqual(["note", "ok", "fault"]);
  const idle = agesFindings({ ok: true, pacing: { age: 600, failure: null } }, [{ ...second, requests: 0 }], LOCAL);
  expect(texts(idle)).toEqual(["ok: are 600 s old"]);
  const catalog = { version: "v", campaigns: 1, failure: null, warning: null, stopped: null };
  const aged = (age: number) => agesFindings({ ok: true, catalog: { ...catalog, age } }, [second], LOCAL).length;
  expect([aged(300), aged(301)]).toEqual([0, 1]);
  const budget = (cid: string, spent: string) => ({ cid, cur: "USD", daily: "10", spent, forecast: "9" }) as Budget;
  expect(texts(spendFindings([budget("a", "10"), budget("b", "10.01")], LOCAL))).toEqual([
    "ok: 20.01 of 20.00 USD today, forecast 18.00",
    "fault: b has spent 10.01 USD, and its day allows 10",
  ]);
  expect(texts(countersFindings({ bid: 5, "events-dropped": 2 }))).toEqual([
    "note: events-dropped 2 since the isolate started",
  ]);
  // Five seconds of silence hide no refusals of the hours before.
  const counters = { "unknown-ssp": 15, bid: 4, "bad-request": 2 };
  expect(texts(sinceStartFindings(counters, [{ ...second, requests: 0 }]))).toEqual([
    "note: since the isolate started: 15 with 404 (unknown-ssp), 2 with 400 (bad-request)",
  ]);
  expect(sinceStartFindings(counters, [second])).toEqual([]);
  expect(sinceStartFindings({ bid: 4 }, [])).toEqual([]);
  const served = { since: "2026-11-24T10:00:00Z", note: "more" };
  const at = (version: string, day: number) => ({ version, pushed: `2026-11-${day}T09:00:00Z`, keys: [] });
  // The version that is served is an older one that was pushed again.
  const answer = (left: string | null) => ({
    ...{ previous: left === null ? "abc" : null, left },
    versions: [
      { ...at("abc", 22), current: false, note: "twice" },
      { ...at("def", 21), current: true, served },
    ],
  });
  const hours = (count: number, left: string | null = null) =>
    pushFindings(answer(left), Date.parse(served.since) + count * 3_600_000, ACCOUNT);
  expect(hours(2)[0]).toMatchObject({
    state: "note",
    mend: expect.stringMatching(/rollback --remote goes back to abc$/),
  });
  const local = pushFindings(answer(null), Date.parse(served.since), LOCAL)[0]?.mend;
  expect(local).toMatch(/rollback --local --persist-to \/tmp\/two goes back to abc$/);
  expect(texts(hours(24))).toEqual(["ok: def, 24 hours ago (2026-11-24T10:00:00Z): more"]);
  expect(hours(2, "abc")).toEqual([
    {
      ...{ what: "push", state: "note" },
      text: "def, 2 hours ago (2026-11-24T10:00:00Z), rolled back from abc (twice): more",
      mend: "npx edgebid catalog diff --remote shows what it changed; mend abc and push it",
    },
  ]);
});

test("--watch that cannot print leaves no timer behind", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const printed = vi.spyOn(process.stdout, "write").mockImplementation(() => {
    throw new Error("closed");
  });
  try {
    await expect(oncall({ url: "http://127.0.0.1:1", seconds: 60, watch: true })).rejects.toThrow("closed");
  } finally {
    printed.mockRestore();
  }
  expect(timers()).toBe(before);
});
