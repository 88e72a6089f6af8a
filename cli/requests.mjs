//! The log of requests of a bidder on this machine: one line a second, because a demo sends hundreds.

import { stripVTControlCharacters } from "node:util";

const PERIOD_MS = 1_000;
/** The line that wrangler logs for a request, such as `[wrangler:info] POST /bid/demo 200 OK (3ms)`. */
const REQUEST = /^\[wrangler:info\] ([A-Z]+) (\/[^/? ]*(?:\/[^/? ]*)?)\S* (\d{3}) /;
/** A request by which the bidder is polled, which is not shown. */
const POLL = "HEAD /healthz";

/**
 * Takes the lines that wrangler logs. Writes the other lines at once, and once a second what was requested, such as
 * `12:00:01  POST /bid/demo: 30 × 200, 90 × 204; GET /n/bill: 3 × 204`. A path has at most two parts, without tokens.
 *
 * @param {(line: string) => void} write
 * @returns {(line: string) => void}
 */
export function requestLog(write) {
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map();
  const writeCounts = () => {
    const routes = [...counts].map(([route, statuses]) => {
      const answers = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
      return `${route}: ${answers.join(", ")}`;
    });
    counts.clear();
    write(`${new Date().toISOString().slice(11, 19)}  ${routes.join("; ")}`);
  };
  return (line) => {
    const [, method, path, status = ""] = REQUEST.exec(stripVTControlCharacters(line)) ?? [];
    const route = `${method} ${path}`;
    if (path === undefined) write(line);
    if (path === undefined || route === POLL) return;
    if (counts.size === 0) setTimeout(writeCounts, PERIOD_MS).unref();
    const statuses = counts.get(route) ?? new Map();
    counts.set(route, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  };
}
