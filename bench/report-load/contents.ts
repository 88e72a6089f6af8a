//! Reads the answers of all writers as other programs do, so that their contents can be compared.

import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import protobufjs from "protobufjs";
import type { Kind } from "../../worker/src/formats/format.ts";
import { attributesOf, type Row } from "../../worker/src/report/rows.ts";
import { QUERY, type Writer } from "./writers.ts";

const SCHEMA = new URL("../../worker/src/report/report.proto", import.meta.url);

const ATTRIBUTES = attributesOf(QUERY.by);

/** The rows in an answer. Throws if the answer is not of this format. */
export function rowsIn(answer: Buffer, writer: Writer): unknown[] {
  if (writer === "csv") return fromCsv(answer);
  if (writer === "protobuf") return fromProtobuf(answer);
  return (JSON.parse(answer.toString()) as { rows: Row[] }).rows.map(inOrder);
}

function fromCsv(answer: Buffer): unknown[] {
  const values: Record<Kind, (text: string) => unknown> = {
    integer: Number,
    text: (text) => text.replace(/^'/, ""),
    boolean: (text) => text === "true",
    counts: (text) => JSON.parse(text),
  };
  const [, ...rows]: string[][] = parse(answer, { record_delimiter: "\r\n" });
  return rows.map((row) =>
    Object.fromEntries(ATTRIBUTES.map(({ name, kind }, at) => [name, values[kind](row[at] ?? "")])),
  );
}

function fromProtobuf(answer: Buffer): unknown[] {
  const type = protobufjs.parse(readFileSync(SCHEMA, "utf8"), { keepCase: true }).root.lookupType("edgebid.Report");
  const options = { longs: Number, defaults: true, arrays: true, objects: true };
  return type.toObject(type.decode(answer), options)["rows"].map(inOrder);
}

/** The row with its attributes in the order of the columns. */
function inOrder(row: Partial<Row>): unknown {
  return Object.fromEntries(ATTRIBUTES.map(({ name }) => [name, row[name]]));
}
