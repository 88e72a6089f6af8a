//! The log of requests has one line a second, with the counts of each route by status, and keeps all other lines.

import { expect, test, vi } from "vitest";
import { requestLog } from "../requests.mjs";

test("requests are counted by route and status, without polls and tokens", () => {
  vi.useFakeTimers({ now: new Date("2026-11-18T12:00:00.400Z") });
  try {
    const written: string[] = [];
    const log = requestLog((line) => written.push(line));
    for (const line of [
      "[wrangler:info] POST /bid/demo 200 OK (3ms)",
      "[wrangler:info] Ready on http://127.0.0.1:8787",
      "\u001b[34m[wrangler:info]\u001b[39m POST /bid/demo \u001b[32m204 No Content\u001b[39m (3ms)",
      "[wrangler:info] POST /bid/demo 204 No Content (2ms)",
      "[wrangler:info] GET /n/bill/0a1b2c?p=1.50 204 No Content (1ms)",
      "[wrangler:info] HEAD /healthz 200 OK (1ms)",
      "[wrangler:info] GET / 302 Found (1ms)",
    ])
      log(line);
    expect(written).toEqual(["[wrangler:info] Ready on http://127.0.0.1:8787"]);
    vi.advanceTimersByTime(1_000);
    const line = "12:00:01  POST /bid/demo: 1 × 200, 2 × 204; GET /n/bill: 1 × 204; GET /: 1 × 302";
    expect(written.slice(1)).toEqual([line]);
    vi.advanceTimersByTime(5_000);
    expect(written).toHaveLength(2);
    log("[wrangler:info] POST /bid/demo 200 OK (3ms)");
    vi.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe("12:00:07  POST /bid/demo: 1 × 200");
  } finally {
    vi.useRealTimers();
  }
});
