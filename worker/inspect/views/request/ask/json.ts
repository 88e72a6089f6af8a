//! Finds and changes values in the text of a JSON document, without changing the rest of the text. Numbers keep their
//! digits. In a document with an error, the values before the error are found.

/** Where a value stands: `text.slice(start, end)`. With its name and colon, it begins at `from`. */
export interface Span {
  from: number;
  start: number;
  end: number;
}

/** A list or an object that is not closed yet, with the name or the index of the value that comes next in it. */
interface Open {
  path: string;
  span: Span;
  isList: boolean;
  index: number;
  name: string | null;
  nameStart: number;
}

/** The path of the whole document. */
const ROOT = "";

/** Values that are nested more deeply are ignored. */
const MAX_DEPTH = 100;
const TOKEN = /[{}[\]:,]|"(?:[^"\\]|\\.)*"|[^\s{}[\]:,"]+/;
/** Tokens and the space between them, up to the first text that is neither. */
const TOKENS = new RegExp(`\\s+|${TOKEN.source}`, "gy");
const FORMATTED = new RegExp(`\\{\\s*\\}|\\[\\s*\\]|${TOKEN.source}`, "g");

/** The spans of all values by their paths, such as `imp[0].banner.w`. If a name is repeated, the last one counts. */
export function spans(text: string): Map<string, Span> {
  const found = new Map<string, Span>();
  const open: Open[] = [];
  for (const { 0: token, index: start } of text.matchAll(TOKENS)) {
    const [inside, end] = [open.at(-1), start + token.length];
    if (token === ":" || token.trim() === "") continue;
    if (token === ",") {
      if (inside === undefined) break;
      inside.index += 1;
      inside.name = null;
    } else if (token === "}" || token === "]") {
      const closed = open.pop();
      if (closed === undefined) break;
      found.set(closed.path, { ...closed.span, end });
    } else if (inside?.name === null && !inside.isList) {
      inside.name = nameOf(token);
      inside.nameStart = start;
      if (inside.name === null) break;
    } else {
      const path = inside === undefined ? ROOT : pathIn(inside);
      const span = { from: inside?.isList === false ? inside.nameStart : start, start, end };
      if (token !== "{" && token !== "[") found.set(path, span);
      else open.push({ path, span, isList: token === "[", index: 0, name: null, nameStart: start });
    }
    if (open.length > MAX_DEPTH) break;
  }
  return found;
}

function pathIn({ path, isList, index, name }: Open): string {
  if (isList) return `${path}[${index}]`;
  return path === ROOT ? `${name}` : `${path}.${name}`;
}

function nameOf(token: string): string | null {
  try {
    return token.startsWith('"') ? JSON.parse(token) : null;
  } catch {
    return null;
  }
}

/**
 * The text with the JSON `value` at the path; null removes the value with its name. Creates missing objects on the
 * path. If that is not possible, such as within a text or after the end of a list, the text is unchanged.
 */
export function withValue(text: string, path: string, value: string | null): string {
  const all = spans(text);
  const span = all.get(path);
  if (span === undefined) return value === null ? text : added(text, all, path, value);
  return value === null ? without(text, span) : replaced(text, span, value);
}

/** The value at the path, parsed; undefined if there is none. */
export function valueAt(text: string, all: Map<string, Span>, path: string): unknown {
  const span = all.get(path);
  if (span === undefined) return undefined;
  try {
    return JSON.parse(text.slice(span.start, span.end));
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
  let line = "\n";
  const tokens = [...text.matchAll(FORMATTED)].map(([token]) => {
    if (token === "{" || token === "[") {
      line += "  ";
      return token + line;
    }
    if (token === "}" || token === "]") {
      line = line.slice(0, -2);
      return line + token;
    }
    if (token === ",") return token + line;
    if (token === ":") return ": ";
    return token.startsWith("{") || token.startsWith("[") ? token.replace(/\s/g, "") : token;
  });
  return tokens.join("");
}

function replaced(text: string, { start, end }: Span, value: string): string {
  return text.slice(0, start) + value + text.slice(end);
}

/** Removes a member or an item, with the comma after it or, at the end, the comma before it. */
function without(text: string, { from, end }: Span): string {
  const after = /^\s*,\s*/.exec(text.slice(end));
  if (after) return text.slice(0, from) + text.slice(end + after[0].length);
  return text.slice(0, from).replace(/,?\s*$/, "") + text.slice(end);
}

/** Adds a missing value to the object above it or, with the index 0, to the empty list. Replaces a null. */
function added(text: string, all: Map<string, Span>, path: string, value: string): string {
  const [, above = ROOT, name, index = "0"] = /^(.*?)(?:\.?([^.[\]]+)|\[(\d+)\])$/.exec(path) ?? [];
  if (index !== "0") return text;
  const entry = name === undefined ? value : `${JSON.stringify(name)}: ${value}`;
  const whole = name === undefined ? `[${entry}]` : `{${entry}}`;
  const span = all.get(above);
  if (span === undefined) return above === ROOT ? text : added(text, all, above, whole);
  const old = text.slice(span.start, span.end);
  if (/^null$|^\[\s*\]$|^\{\s*\}$/.test(old)) return replaced(text, span, whole);
  if (name === undefined || !old.startsWith("{")) return text;
  // Indented like the first member.
  const gap = /^\{(\s*)/.exec(old)?.[1] || " ";
  const body = old.slice(0, -1).trimEnd();
  return replaced(text, span, `${body},${gap}${entry}${old.slice(body.length)}`);
}
