//! Texts for people: times, numbers and values of others. Amounts of money are in money.ts.

export { bytesText, countText, percentText } from "../../../shared/compare/text.ts";

/** An ISO 8601 time as `2026-11-21 12:00 UTC`. */
export function timeText(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** A number with commas between the thousands, and with at most `decimals` decimals. */
export function grouped(number: number, decimals = 0): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: decimals });
}

/** The first texts, and the number of the others. */
export function firstOf(texts: string[], most: number, noun: string): string {
  const more = texts.length - most;
  return texts.slice(0, most).join(", ") + (more > 0 ? `, ${more} more${noun && ` ${noun}`}` : "");
}

/** Whether the text has all these words, in any order and in any case, as whole words or as parts. */
export function hasWords(text: string, words: string): boolean {
  const own = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.includes(word));
}

/** A value from others as a text; empty without one. */
export function plain(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
