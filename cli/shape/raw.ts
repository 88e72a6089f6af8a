//! Reads JSON as the evaluators of DTE do: the texts of values as they are written, and of equal names the first one.
//! Takes only valid JSON.

/** A value: its text, of a string without the quotes; the values of an object or a list. */
export interface Raw {
  text: string;
  members?: Map<string, Raw>;
}

const SPACE = /\s*/y;
const STRING = /"((?:[^"\\]|\\.)*)"/y;
const SCALAR = /[^\s,\]}]+/y;

/** Reads a text. */
export function rawOf(json: string): Raw {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [whole = "", inside = whole] = pattern.exec(json) ?? [];
    at += whole.length;
    return inside;
  };
  const string = () => take(STRING);
  const value = (): Raw => {
    take(SPACE);
    const from = at;
    const opening = json[at];
    if (opening === '"') return { text: string() };
    if (opening !== "{" && opening !== "[") return { text: take(SCALAR) };
    const members = new Map<string, Raw>();
    at++;
    for (take(SPACE); json[at] !== "}" && json[at] !== "]" && at < json.length; take(SPACE)) {
      if (json[at] === ",") {
        at++;
        continue;
      }
      let name = `${members.size}`;
      if (opening === "{") {
        name = JSON.parse(`"${string()}"`);
        take(SPACE);
        at++;
      }
      const member = value();
      if (!members.has(name)) members.set(name, member);
    }
    at++;
    return { text: json.slice(from, at), members };
  };
  return value();
}

/** The texts at a path such as `$.imp[0].pmp.deals[*].id`. */
export function rawAt(value: Raw, path: string): string[] {
  const at = (values: Raw[], name: string) =>
    values.flatMap(({ members }) => (name === "*" ? [...(members?.values() ?? [])] : (members?.get(name) ?? [])));
  return namesOf(path)
    .reduce(at, [value])
    .map(({ text }) => text);
}

const known = new Map<string, string[]>();

/** `$.imp[0].w` as `imp`, `0`, `w`. */
export function namesOf(path: string): string[] {
  const names =
    known.get(path) ??
    path
      .slice(2)
      .split(/[.[\]]+/)
      .filter(Boolean);
  known.set(path, names);
  return names;
}
