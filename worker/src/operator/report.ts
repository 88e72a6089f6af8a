//! `GET /report`: shows the operator bids, wins, losses, bills and spend by day, campaign, SSP and creative. JSON, CSV
//! or protobuf by the header Accept. The rows are written while the answer is sent.

import { type Format, type Piece, pieces } from "../../../shared/formats/format.ts";
import { DIMENSIONS, type Dimension } from "../../../shared/ledger/rows.ts";
import type { Group } from "../../../shared/ledger/sums.ts";
import { FORMATS, MISSING_HEADER } from "../../../shared/report/formats.ts";
import { type Row, rowsOf } from "../../../shared/report/rows.ts";
import { fail, Refusal } from "../../../shared/telemetry/failures.ts";
import { bodyOf } from "../formats/body.ts";
import { acceptsGzip, preferredType } from "../http/headers.ts";
import { askLater } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { totals } from "../ledger/report.ts";
import { queryOf } from "../report/query.ts";

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
  const query = queryOf(new URL(request.url).searchParams, now);
  // The rows need not show the campaign that the report is about.
  const by = DIMENSIONS.filter(
    (name) => query.by.includes(name) || (query.campaign !== undefined && name === "campaign"),
  );
  const gzip = acceptsGzip(request);
  const headers = new Headers(HEADERS);
  try {
    const { days, missing } = await read(env, { ...query, by }, now).catch(failed);
    const format = formatOf(query, missing);
    headers.set("content-type", format.type);
    if (missing.length > 0) headers.set(MISSING_HEADER, missing.join(", "));
    if (gzip) headers.set("content-encoding", "gzip");
    const { body } = await bodyOf(piecesOf(days, query.by, format), gzip);
    return new Response(body, { headers, encodeBody: gzip ? "manual" : "automatic" });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return askLater("the ledger cannot answer now; try again");
  }
}

/** The body, some days at a time. If the ledger fails after the first days, it breaks off, and only the log says why. */
async function* piecesOf(
  days: AsyncIterable<Group[]>,
  by: readonly Dimension[],
  { head, separator = "", foot = "", ...format }: Format<Row>,
): AsyncGenerator<Iterable<Piece>, undefined> {
  yield [head];
  let before = "";
  try {
    for await (const groups of days) {
      if (groups.length === 0) continue;
      yield pieces(rowsOf(groups, by), { ...format, separator, head: before });
      before = separator;
    }
  } catch (error) {
    failed(error);
  }
  yield [foot];
}

function failed(error: unknown): never {
  fail("report", error);
  throw error;
}
