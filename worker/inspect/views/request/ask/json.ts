//! Finds and changes values in the text of a JSON document, and leaves the rest of the text as it is. Numbers keep their
//! digits, and a document with an error keeps the places before the error.

/** Where a value stands: `text.slice(start, end)`. With its name and colon, it begins at `from`. */
export interface Place {
  from: number;
  start: number;
  end: number;
}

/** The path of the whole document. */
export const ROOT = "";

/** Values that are nested more deeply are not looked at. */
const MAX_DEPTH = 100;
const TOKEN = /[{}[\]:,]|"(?:[^"\\]|\\.)*"|[^\s{}[\]:,"]+/gy;
const SPACE = /\s*/y;

/** The places of all values by their paths, such as `imp[0].banner.w`. Of names that are repeated, the last counts. */
export function places(text: string): Map<string, Place> {
  const found = new Map<string, Place>();
  let at = 0;

  /** The next token, or empty text at the end or before an error. Afterwards, `at` is behind it. */
  function next(): string {
    SPACE.lastIndex = at;
    SPACE.test(text);
    TOKEN.lastIndex = SPACE.lastIndex;
    const token = TOKEN.exec(text)?.[0] ?? "";
    at = token === "" ? SPACE.lastIndex : TOKEN.lastIndex;
    return token;
  }

  /** Reads one value. `from` is where its name begins, if it has one. False at an error. */
  function value(path: string, from: number | undefined, depth: number): boolean {
    const token = next();
    const start = at - token.length;
    if (token === "" || depth > MAX_DEPTH) return false;
    if (token === "{") {
      if (!members(path, depth)) return false;
    } else if (token === "[") {
      if (!items(path, depth)) return false;
    } else if (/^[}\]:,]$/.test(token)) return false;
    found.set(path, { from: from ?? start, start, end: at });
    return true;
  }

  function members(path: string, depth: number): boolean {
    for (let first = true; ; first = false) {
      let token = next();
      if (token === "}" && first) return true;
      const from = at - token.length;
      const name = nameOf(token);
      if (name === null || next() !== ":") return false;
      if (!value(path === ROOT ? name : `${path}.${name}`, from, depth + 1)) return false;
      token = next();
      if (token === "}") return true;
      if (token !== ",") return false;
    }
  }

  function items(path: string, depth: number): boolean {
    const before = at;
    if (next() === "]") return true;
    at = before;
    for (let index = 0; ; index++) {
      if (!value(`${path}[${index}]`, undefined, depth + 1)) return false;
      const token = next();
      if (token === "]") return true;
      if (token !== ",") return false;
    }
  }

  value(ROOT, undefined, 0);
  return found;
}

/**
 * The text with the JSON `value` at the path; null removes the value with its name. Objects on the way are made. The
 * text is unchanged where that is not possible, such as within a text or behind the end of a list.
 */
export function withValue(text: string, path: string, value: string | null): string {
  const all = places(text);
  const place = all.get(path);
  if (place !== undefined) return value === null ? without(text, place) : replaced(text, place, value);
  if (value === null) return text;
  // The nearest value on the way that is there gets the rest of the path.
  const parts = path.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  for (let known = parts.length - 1; known >= 0; known--) {
    const above = all.get(joined(parts.slice(0, known)));
    if (above === undefined) continue;
    return added(text, above, parts.slice(known), value);
  }
  return text;
}

/** The value at the path, as JavaScript reads it; undefined if there is none. */
export function valueAt(text: string, all: Map<string, Place>, path: string): unknown {
  const place = all.get(path);
  if (place === undefined) return undefined;
  try {
    return JSON.parse(text.slice(place.start, place.end));
  } catch {
    return undefined;
  }
}

/** The text with a line for each value. A text with an error is unchanged. */
export function formatted(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let indent = "";
  const tokens = text.match(new RegExp(`\\{\\s*\\}|\\[\\s*\\]|${TOKEN.source}`, "g")) ?? [];
  const lines = tokens.map((token) => {
    if (/^[{[]$/.test(token)) {
      indent += "  ";
      return `${token}\n${indent}`;
    }
    if (/^[}\]]$/.test(token)) {
      indent = indent.slice(2);
      return `\n${indent}${token}`;
    }
    if (/^[{[]/.test(token)) return token.replace(/\s/g, "");
    return token === "," ? `,\n${indent}` : token === ":" ? ": " : token;
  });
  return lines.join("");
}

function replaced(text: string, { start, end }: Place, value: string): string {
  return text.slice(0, start) + value + text.slice(end);
}

/** Removes a member or an item, with the comma behind it or, at the end, before it. */
function without(text: string, { from, end }: Place): string {
  const after = /^\s*,\s*/.exec(text.slice(end));
  if (after) return text.slice(0, from) + text.slice(end + after[0].length);
  const before = /,?\s*$/.exec(text.slice(0, from));
  return text.slice(0, from - (before?.[0].length ?? 0)) + text.slice(end);
}

/** Adds the value under these parts of a path to an object or, with the index 0, to a list. Replaces a null. */
function added(text: string, { start, end }: Place, parts: string[], value: string): string {
  const old = text.slice(start, end);
  const [first = "", ...rest] = parts;
  const inner = rest.reduceRight(
    (json, part) => (isIndex(part) ? `[${json}]` : `{${JSON.stringify(part)}: ${json}}`),
    value,
  );
  const isList = isIndex(first);
  if (!rest.concat(first).every((part) => !isIndex(part) || part === "[0]")) return text;
  const entry = isList ? inner : `${JSON.stringify(first)}: ${inner}`;
  const isEmpty = old === "null" || (isList ? /^\[\s*\]$/ : /^\{\s*\}$/).test(old);
  if (isEmpty) return replaced(text, { from: start, start, end }, isList ? `[${entry}]` : `{${entry}}`);
  if (isList || !old.startsWith("{")) return text;
  // As far from the left as the first member.
  const gap = /^\{(\s*)/.exec(old)?.[1] ?? "";
  const body = old.slice(0, -1).trimEnd();
  const tail = old.slice(body.length, -1);
  return replaced(text, { from: start, start, end }, `${body},${gap || " "}${entry}${tail}}`);
}

function isIndex(part: string): boolean {
  return part.startsWith("[");
}

function joined(parts: string[]): string {
  return parts.reduce((path, part) => (isIndex(part) || path === "" ? path + part : `${path}.${part}`), ROOT);
}

function nameOf(token: string): string | null {
  if (!token.startsWith('"')) return null;
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
}
