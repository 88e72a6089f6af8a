//! Reads the answers of all writers as other programs do, so that their contents can be compared.

import { fromCsv, fromProtobuf } from "../../cli/test/report-readers.ts";
import { attributesOf, type Row } from "../../worker/src/report/rows.ts";
import { QUERY, type Writer } from "./writers.ts";

/** The rows in an answer. Throws if the answer is not of this format. */
export function rowsIn(answer: Buffer, writer: Writer): unknown[] {
  if (writer === "csv") return fromCsv(answer, QUERY.by);
  const { rows } = writer === "protobuf" ? fromProtobuf(answer, QUERY.by) : JSON.parse(answer.toString());
  return rows.map(inOrder);
}

/** The row with its attributes in the order of the columns. */
function inOrder(row: Partial<Row>): unknown {
  return Object.fromEntries(attributesOf(QUERY.by).map(({ name }) => [name, row[name]]));
}
