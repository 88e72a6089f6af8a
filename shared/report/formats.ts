//! The formats of a report.

import { type Attribute, csvOf, type Format, jsonDocument } from "../formats/format.ts";
import { fieldsOf, protobufOf } from "../formats/protobuf.ts";
import type { Query } from "../ledger/rows.ts";
import { attributesOf, type Row } from "./rows.ts";

/** The number of the field `rows` in `report.proto`. */
const ROWS_FIELD = 4;

/** Names the objects of the ledger whose totals are missing, in all formats: CSV has no column for them. */
export const MISSING_HEADER = "edgebid-missing";

/** The fields of the message `Report` in front of the rows. */
const HEAD: readonly Attribute<"from" | "to" | "by" | "missing">[] = [
  { name: "from", kind: "text", field: 1 },
  { name: "to", kind: "text", field: 2 },
  { name: "by", kind: "text", field: 3 },
  { name: "missing", kind: "text", field: 5 },
];

/** The formats by media type. The first is the default. `missing`: the objects of the ledger that do not answer. */
export const FORMATS: Readonly<Record<string, (query: Query, missing?: string[]) => Format<Row>>> = {
  "application/json": ({ from, to, by }, missing = []) =>
    jsonDocument({ from, to, by, ...(missing.length > 0 && { missing }) }, "rows"),
  "text/csv": ({ by }) => csvOf(attributesOf(by)),
  "application/x-protobuf": ({ from, to, by }, missing = []) =>
    protobufOf(
      attributesOf(by),
      ROWS_FIELD,
      fieldsOf(HEAD, { from, to, by: by.join(","), missing: missing.join(",") }),
    ),
};
