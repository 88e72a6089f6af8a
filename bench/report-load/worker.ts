//! The Worker of the suite `report`: the deployed route with made-up totals in place of the ledger, and beside it one
//! `JSON.stringify` of all rows.
//!
//!     PUT /ledger      {"entries","delay"}: the totals, and how long the ledger takes
//!     GET /report      the route of the Worker
//!     GET /stringify   the same rows by one `JSON.stringify`

import type { Total } from "../../shared/ledger/rows.ts";
import type { Group } from "../../shared/ledger/sums.ts";
import { rowsOf } from "../../shared/report/rows.ts";
import { acceptsGzip } from "../../worker/src/http/headers.ts";
import { report } from "../../worker/src/operator/report.ts";
import { queryOf } from "../../worker/src/report/query.ts";
import { groupsOf } from "../../worker/test/support/groups.ts";
import { type Ledger, totals } from "./totals.ts";

let found: Total[] = [];
let delay = 0;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "PUT") {
      const ledger: Ledger = await request.json();
      [found, delay] = [totals(ledger.entries), ledger.delay];
      return new Response(null, { status: 204 });
    }
    if (pathname === "/report")
      return report({ request, env }, async () => ({ days: some(await answered()), missing: [] }));
    const { from, to, by } = queryOf(searchParams, Date.now());
    const body = JSON.stringify({ from, to, by, rows: [...rowsOf(groupsOf(await answered()), by)] });
    const headers = { "content-type": "application/json" };
    if (!acceptsGzip(request)) return new Response(body, { headers });
    return new Response(new Blob([body]).stream().pipeThrough(new CompressionStream("gzip")), {
      headers: { ...headers, "content-encoding": "gzip" },
      encodeBody: "manual",
    });
  },
} satisfies ExportedHandler<Env>;

async function answered(): Promise<Total[]> {
  if (delay > 0) await new Promise((done) => setTimeout(done, delay));
  return found;
}

/** All at once, as a report without days. */
async function* some(totals: Total[]): AsyncGenerator<Group[]> {
  yield groupsOf(totals);
}
