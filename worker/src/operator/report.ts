//! `GET /report`: shows the operator bids, wins, losses, bills and spend by day, campaign, SSP and creative. JSON, CSV
//! or protobuf by the header Accept. The rows are written while the answer is sent.

import { bodyOf } from "../formats/body.ts";
import { acceptsGzip, preferredType } from "../http/headers.ts";
import { askLater } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { type Totals, totals } from "../ledger/report.ts";
import { DIMENSIONS } from "../ledger/rows.ts";
import { FORMATS, MISSING_HEADER } from "../report/formats.ts";
import { queryOf } from "../report/query.ts";
import { rowsOf } from "../report/rows.ts";
import { fail, Refusal } from "../telemetry/failures.ts";

const HEADERS = { "cache-control": "no-store", vary: "accept, accept-encoding" };

/**
 * The report, which names missing totals; or 400, 406 or 503 with `{"error"}`. `read` asks the ledger, and rejects if
 * it cannot answer.
 */
export async function report({ request, env }: Pick<Call, "request" | "env">, read = totals): Promise<Response> {
  const types = Object.keys(FORMATS);
  const formatOf = FORMATS[preferredType(request.headers.get("accept"), types) ?? ""];
  if (formatOf === undefined) throw new Refusal(`Accept: expected one of ${types.join(", ")}`, 406);
  const now = Date.now();
  const { campaign, ...query } = queryOf(new URL(request.url).searchParams, now);
  // The ledger answers with all campaigns.
  const by = DIMENSIONS.filter((name) => query.by.includes(name) || (campaign !== null && name === "campaign"));
  let found: Totals;
  try {
    found = await read(env, { ...query, by }, now);
  } catch (error) {
    fail("report", error);
    return askLater("the ledger cannot answer now; try again");
  }
  const format = formatOf(query, found.missing);
  const gzip = acceptsGzip(request);
  const wanted = campaign === null ? found.totals : found.totals.filter((total) => total.campaign === campaign);
  const { body } = await bodyOf(rowsOf(wanted, query.by), format, gzip);
  const headers = new Headers({ ...HEADERS, "content-type": format.type });
  if (found.missing.length > 0) headers.set(MISSING_HEADER, found.missing.join(", "));
  if (gzip) headers.set("content-encoding", "gzip");
  return new Response(body, { headers, encodeBody: gzip ? "manual" : "automatic" });
}
