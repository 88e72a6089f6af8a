//! `GET /report`: tells the operator what was bid, won, lost, billed and spent, by day, campaign, SSP and creative. JSON,
//! CSV or protobuf by the header Accept. The rows are written while the answer is sent.

import { bodyOf } from "../formats/body.ts";
import { acceptsGzip, preferredType } from "../http/headers.ts";
import { askLater, type OperatorEnv, operatorOnly, refused } from "../http/operator.ts";
import type { Totals } from "../ledger/report.ts";
import type { Query } from "../ledger/rows.ts";
import { FORMATS, MISSING_HEADER } from "../report/formats.ts";
import { BadQuery, queryOf } from "../report/query.ts";
import { rowsOf } from "../report/rows.ts";
import { fail } from "../telemetry/failures.ts";
import type { Isolate } from "./isolate.ts";

const HEADERS = { "cache-control": "no-store", vary: "accept, accept-encoding" };

/** Reads the ledger. Rejects if it cannot answer. */
type Read = (env: OperatorEnv, query: Query, now: number) => Promise<Totals>;

/**
 * The report; 400, 406 or 503 with `{"error"}` if there is none. Totals that are missing are named in it. 404 if no operator is configured, and 401 or 429 for
 * everybody else.
 */
export async function report(
  request: Request,
  env: OperatorEnv,
  { attempts }: Pick<Isolate, "attempts">,
  read: Read,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, attempts, "GET");
  if (refusal) return refusal;
  const types = Object.keys(FORMATS);
  const formatOf = FORMATS[preferredType(request.headers.get("accept"), types) ?? ""];
  if (formatOf === undefined) return refused(`Accept: expected one of ${types.join(", ")}`, 406);
  const now = Date.now();
  let query: Query;
  try {
    query = queryOf(new URL(request.url).searchParams, now);
  } catch (error) {
    if (!(error instanceof BadQuery)) throw error;
    return refused(error.message, 400);
  }
  let found: Totals;
  try {
    found = await read(env, query, now);
  } catch (error) {
    fail("report", error);
    return askLater("the ledger cannot answer now; try again");
  }
  const { totals, missing } = found;
  const format = formatOf(query, missing);
  const gzip = acceptsGzip(request);
  const { body } = await bodyOf(rowsOf(totals, query.by), format, gzip);
  const named = missing.length > 0 && { [MISSING_HEADER]: missing.join(", ") };
  const headers = { ...HEADERS, "content-type": format.type, ...named };
  if (!gzip) return new Response(body, { headers });
  return new Response(body, { headers: { ...headers, "content-encoding": "gzip" }, encodeBody: "manual" });
}
