//! Texts for people about many things: how many there are, and the first of them.

/** The most ids or lines that a text has, before it only counts the others. */
export const MOST_IDS = 5;

/** `1 note`, `2 notes`, `1,234 notes`. */
export function countText(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

/** The first ids, and how many more there are. */
export function firstOf(ids: string[]): string {
  const more = ids.length - MOST_IDS;
  return `${ids.slice(0, MOST_IDS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
