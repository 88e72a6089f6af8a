//! The formats of events.

import { csvOf } from "../formats/csv.ts";
import type { Format } from "../formats/format.ts";
import { ndjson } from "../formats/json.ts";
import { protobufOf } from "../formats/protobuf.ts";
import { ATTRIBUTES, type Event } from "./schema.ts";

/** The number of the field `events` in `event.proto`. */
const EVENTS_FIELD = 1;

export const csv = csvOf(ATTRIBUTES);
export const protobuf = protobufOf(ATTRIBUTES, EVENTS_FIELD);

/** The formats, by the values of COLLECTOR_FORMAT. */
export const FORMATS: Readonly<Record<string, Format<Event>>> = { ndjson, csv, protobuf };
