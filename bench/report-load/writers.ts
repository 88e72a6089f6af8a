//! What the suite `report` compares, shared by the suite and its Worker.

import { DIMENSIONS, type Query } from "../../worker/src/ledger/rows.ts";

/** The values of `--writer`: three formats of the report, and one `JSON.stringify` of all rows. */
export const WRITERS = ["json", "csv", "protobuf", "stringify"] as const;
export type Writer = (typeof WRITERS)[number];

/** The base of all ratios. */
export const BASE: Writer = "stringify";

/** The header Accept with which a client asks for each format. */
export const ACCEPT: Record<Writer, string> = {
  json: "application/json",
  csv: "text/csv",
  protobuf: "application/x-protobuf",
  stringify: "application/json",
};

/** The report that all clients ask for. */
export const QUERY: Query = { from: "2026-11-01", to: "2026-11-28", by: DIMENSIONS };

/** The path and query of a writer's report. */
export function pathOf(writer: Writer): string {
  const query = `from=${QUERY.from}&to=${QUERY.to}&by=${QUERY.by.join(",")}`;
  return `/${writer === BASE ? BASE : "report"}?${query}`;
}

/** What the Worker of the suite answers with. */
export interface Ledger {
  /** Totals of the report. */
  entries: number;
  /** Milliseconds that the ledger takes to answer. */
  delay: number;
}
