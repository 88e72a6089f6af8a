//! Finds members of a JSON object in its bytes, without decoding it.
//!
//! Assumes that the bytes are JSON: of other bytes, anything may be found, but every call ends. A key that is written
//! with escapes is not found.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** The bytes of a value: from the first byte up to, but not including, the end. */
export type Span = readonly [start: number, end: number];

/** The values of the object's own members with these keys, in the order of `keys`. The last of equal keys counts. */
export function membersOf(bytes: Uint8Array, keys: readonly Uint8Array[]): (Span | undefined)[] {
  const found = new Array<Span | undefined>(keys.length).fill(undefined);
  let at = blank(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT) return found;
  for (at = blank(bytes, at + 1); bytes[at] === QUOTE; at = blank(bytes, at + 1)) {
    const key = at + 1;
    const keyEnd = afterText(bytes, at) - 1;
    at = blank(bytes, keyEnd + 1);
    if (bytes[at] !== COLON) break;
    const start = blank(bytes, at + 1);
    at = afterValue(bytes, start);
    const place = keys.findIndex((wanted) => isAt(bytes, key, keyEnd, wanted));
    if (place >= 0) found[place] = [start, at];
    at = blank(bytes, at);
    if (bytes[at] !== COMMA) break;
  }
  return found;
}

/** The number of items of a list; 0 for any other value. */
export function lengthOf(bytes: Uint8Array, [start, end]: Span): number {
  if (bytes[start] !== OPEN_LIST) return 0;
  let at = blank(bytes, start + 1);
  if (bytes[at] === CLOSE_LIST) return 0;
  for (let count = 1; ; count++) {
    at = blank(bytes, afterValue(bytes, at));
    if (bytes[at] !== COMMA || at >= end) return count;
    at = blank(bytes, at + 1);
  }
}

/** Whether the value is an object. */
export function isObject(bytes: Uint8Array, [start]: Span): boolean {
  return bytes[start] === OPEN_OBJECT;
}

function isAt(bytes: Uint8Array, from: number, to: number, wanted: Uint8Array): boolean {
  if (to - from !== wanted.byteLength) return false;
  for (let at = 0; at < wanted.byteLength; at++) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

/** The place of the next byte that is not white space. */
function blank(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.byteLength && (bytes[at] ?? 0) <= SPACE) at++;
  return at;
}

/** The place behind the text that begins at `from`. */
function afterText(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.byteLength; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return bytes.byteLength;
}

/** The place behind the value that begins at `from`. */
function afterValue(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.byteLength; ) {
    switch (bytes[at]) {
      case QUOTE:
        at = afterText(bytes, at);
        if (depth === 0) return at;
        continue;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth++;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        // The end of what holds a number, `true`, `false` or `null`.
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
        break;
      case COMMA:
        if (depth === 0) return at;
        break;
    }
    at++;
  }
  return bytes.byteLength;
}
