//! Reads JSON values with tolerance: exchanges send ids as numbers, numbers as strings, and a scalar instead of a list.
//! `null` means absent.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object whose members are not checked yet. */
export type Members = { [key: string]: Json };

/** The members of an object; undefined for any other value. */
export function object(value: Json | undefined): Members | undefined {
  return value !== undefined && isObject(value) ? value : undefined;
}

function isObject(value: Json): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string, or a number as text; empty for any other value. */
export function text(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : "";
}

/** The items of an array; a list of one for any other value; an empty list for `null`. */
export function items(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The items of a list that are strings or numbers, as text. */
export function texts(value: Json | undefined): string[] {
  const list = items(value);
  return list.every((item) => typeof item === "string") ? list : list.filter(isText).map(text);
}

export function integers(value: Json | undefined): number[] {
  const list = items(value);
  if (list.every((item): item is number => Number.isSafeInteger(item))) return list;
  return list.flatMap((item) => integer(item) ?? []);
}

/** The objects of a list. */
export function objects(value: Json | undefined): Members[] {
  const list = items(value);
  return list.every(isObject) ? list : list.filter(isObject);
}

/** A whole number in any notation; undefined for anything else. */
export function integer(value: Json | undefined): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return undefined;
  const trimmed = value.replace(/^ +| +$/g, "");
  const number = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

export function integerOrZero(value: Json | undefined): number {
  return integer(value) ?? 0;
}

export function flag(value: Json | undefined): boolean {
  return integer(value) === 1;
}

/** Whether a signal of privacy or safety is set: only 0 is not. Undefined if it is absent or empty. */
export function signal(value: Json | undefined): boolean | undefined {
  return value === undefined || value === null || value === "" ? undefined : integer(value) !== 0;
}

/** The text of a privacy signal; `?` for a value that is there and no text. */
export function signalText(value: Json | undefined): string {
  return text(value) || (signal(value) === undefined ? "" : "?");
}

/** Names or codes, of which a text may hold several. */
export function codes(value: Json | undefined): string[] {
  return texts(value)
    .flatMap((one) => one.split(/[ ,;|\t\r\n]+/))
    .filter((code) => code !== "");
}

/** Whether a flag is 1; undefined if it is absent or invalid. */
export function knownFlag(value: Json | undefined): boolean | undefined {
  const number = integer(value);
  return number === undefined ? undefined : number === 1;
}

/** A decimal number; leading zeros are allowed. */
export const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

export function isText(value: Json | undefined): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
