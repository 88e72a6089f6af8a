//! The formats of a report.

import { csvOf } from "../formats/csv.ts";
import type { Attribute, Format } from "../formats/format.ts";
import { jsonDocument } from "../formats/json.ts";
import { fieldsOf, protobufOf } from "../formats/protobuf.ts";
import type { Query } from "../ledger/rows.ts";
import { attributesOf, type Row } from "./rows.ts";

/** The number of the field `rows` in `report.proto`. */
const ROWS_FIELD = 4;

/** The fields of the message `Report` in front of the rows. */
const HEAD: readonly Attribute<{ from: string; to: string; by: string }>[] = [
  { name: "from", kind: "text", field: 1 },
  { name: "to", kind: "text", field: 2 },
  { name: "by", kind: "text", field: 3 },
];

/** The formats by media type. The first is the default. */
export const FORMATS: Readonly<Record<string, (query: Query) => Format<Row>>> = {
  "application/json": ({ from, to, by }) => jsonDocument({ from, to, by }, "rows"),
  "text/csv": ({ by }) => csvOf(attributesOf(by)),
  "application/x-protobuf": ({ from, to, by }) =>
    protobufOf(attributesOf(by), ROWS_FIELD, fieldsOf(HEAD, { from, to, by: by.join(",") })),
};
