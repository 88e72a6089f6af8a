//! Records as JSON: one line each, or a list in one document.

import type { Format } from "./format.ts";

/** NDJSON: one line of JSON per record. */
export const ndjson: Format<object> = {
  type: "application/x-ndjson",
  head: "",
  encode: (record) => `${JSON.stringify(record)}\n`,
};

/** One JSON object with the members of `about`, and after them the records in the list `list`, a line each. */
export function jsonDocument(about: object, list: string): Format<object> {
  return {
    type: "application/json",
    head: `${JSON.stringify({ ...about, [list]: [] }).slice(0, -2)}\n`,
    encode: (record) => JSON.stringify(record),
    separator: ",\n",
    foot: "\n]}\n",
  };
}
