//! What a parsed JSON value is worth to an attribute: exchanges send ids as numbers, numbers as strings,
//! a scalar where a list is due. `null` is the same as absent.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object whose members have not been looked at. */
export type Members = { [key: string]: Json };

/** The members of an object; of anything else, nothing. */
export function object(value: Json | undefined): Members | undefined {
  return value !== undefined && isObject(value) ? value : undefined;
}

function isObject(value: Json): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string, or a number as text; else empty. */
export function text(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : "";
}

/** The items of an array; any other value alone; none of `null`. */
export function items(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The readable items. */
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

/** A whole number, however it is written; undefined for anything else. */
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

/** Whether it is 1; undefined when nothing is told. */
export function knownFlag(value: Json | undefined): boolean | undefined {
  const number = integer(value);
  return number === undefined ? undefined : number === 1;
}

/** What a decimal number looks like, leading zeros allowed. */
export const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

export function isText(value: Json | undefined): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
