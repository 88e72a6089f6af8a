//! Reads reports as other programs do: CSV with a library, and protobuf by `report.proto`.

import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import protobufjs from "protobufjs";
import { ROOT } from "../../build/tools.mjs";
import type { Kind } from "../../shared/formats/format.ts";
import type { Dimension } from "../../shared/ledger/rows.ts";
import { attributesOf } from "../../shared/report/rows.ts";

/** The types of `report.proto`. */
export const { root } = protobufjs.parse(readFileSync(join(ROOT, "shared/report/report.proto"), "utf8"), {
  keepCase: true,
});

/** Reads a cell of CSV by the kind of its attribute. */
export const VALUES: Record<Kind, (text: string) => unknown> = {
  integer: Number,
  text: (text) => text.replace(/^'/, ""),
  boolean: (text) => text === "true",
  counts: (text) => JSON.parse(text),
};

/** The rows of a report in CSV whose rows are separated `by` these attributes. */
export function fromCsv(bytes: Buffer, by: readonly Dimension[]): unknown[] {
  const rows: string[][] = parse(bytes, { record_delimiter: "\r\n" });
  const attributes = attributesOf(by);
  const names = attributes.map(({ name }) => name);
  deepStrictEqual(rows.shift(), names);
  return rows.map((row) =>
    Object.fromEntries(attributes.map(({ name, kind }, at) => [name, VALUES[kind](row[at] ?? "")])),
  );
}

/** The members of a report in protobuf. */
export function fromProtobuf(bytes: Buffer, by: readonly Dimension[]): { rows: unknown[] } {
  const type = root.lookupType("edgebid.Report");
  const options = { longs: Number, defaults: true, arrays: true, objects: true };
  const { rows, ...head } = type.toObject(type.decode(bytes), options);
  const names = attributesOf(by).map(({ name }) => name);
  return {
    ...head,
    rows: rows.map((row: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, row[name]]))),
  };
}
