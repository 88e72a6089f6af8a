//! What a bidder has stored, as text.

/** A column of a table. `required` and `pk`, its position in the primary key, are 0 for no. */
export type Column = { name: string; type: string; required: number; pk: number };

/** What an object holds. */
export interface Tables {
  /** In milliseconds since the epoch; null if none is set. */
  alarm: number | null;
  /** The statements that make the tables and their rows. */
  sql: string;
  /** By table. A recording on disk does not have them. */
  columns?: Record<string, Column[]>;
}

/** An object of a binding. */
export interface ObjectName {
  of: string;
  name: string;
}

/** A value of KV, as text or in base64. */
export interface Entry {
  key: string;
  metadata?: unknown;
  text?: string;
  base64?: string;
}

/** Everything that a bidder has stored. */
export interface Stored {
  objects: (ObjectName & Tables)[];
  kv: Entry[];
}
