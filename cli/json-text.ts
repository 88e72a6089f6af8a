//! Writes JSON as a person would: what fits into a line stays in one.

const LINE = 100;

/** The text of a value. `indent`: the spaces before its lines but the first. */
export function jsonText(value: unknown, indent = 0): string {
  const line = inline(value);
  const isDocument = indent === 0;
  if (typeof value !== "object" || value === null || (!isDocument && indent + line.length <= LINE)) return line;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const inner = " ".repeat(indent + 2);
  const lines = Array.isArray(value)
    ? value.map((item) => jsonText(item, indent + 2))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item, indent + 2)}`);
  return `${open}\n${lines.map((text) => `${inner}${text}`).join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
