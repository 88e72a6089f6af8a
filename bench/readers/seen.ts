//! What a reader found in a text, as the suite `readers` and its Worker tell each other.

export interface Seen {
  id: string;
  /** Number of impressions. */
  count: number;
}
