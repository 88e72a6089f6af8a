//! Events as NDJSON: one line of JSON per event.

import type { Format } from "./format.ts";
import type { Event } from "./schema.ts";

export const ndjson: Format<Event> = {
  type: "application/x-ndjson",
  head: "",
  encode: (event) => `${JSON.stringify(event)}\n`,
};
