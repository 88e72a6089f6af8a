//! Adds an entry to a list of a catalog's text, in JSON or YAML, or changes one, and leaves every other byte as it is.

import { type Document, isMap, isSeq, type Node, parseDocument, stringify, type YAMLMap } from "yaml";
import { isObject } from "../../shared/compare/entry.ts";
import { jsonText } from "../json-text.ts";

/** The text with an entry at the end of a list of the document. JSON is YAML too, so one library finds the places. */
export function withEntry(text: string, list: string, entry: unknown, isYaml: boolean): string {
  const document = parseDocument(text, { uniqueKeys: false });
  const { contents } = document;
  const found = isMap(contents) ? contents.get(list, true) : undefined;
  const insert = (at: number, added: string) => text.slice(0, at) + added + text.slice(at);
  if (!isSeq(found)) {
    if (isYaml) return `${text.trimEnd()}\n${stringify({ [list]: [entry] }, YAML)}`;
    const last = isMap(contents) ? contents.items.at(-1)?.value : undefined;
    return insert(endOf(last as Node), `,\n  "${list}": [\n    ${jsonText(entry, 4)}\n  ]`);
  }
  const last = found.items.at(-1) as Node | undefined;
  if (found.flow) {
    const item = isYaml ? JSON.stringify(entry) : jsonText(entry, 4);
    if (last === undefined) return insert(endOf(found) - 1, isYaml ? item : `\n    ${item}\n  `);
    return insert(endOf(last), isYaml ? `, ${item}` : `,\n    ${item}`);
  }
  const column = columnOf(text, found.range?.[0] ?? 0);
  const lines = stringify([entry], YAML).trimEnd().split("\n");
  const end = text.slice(0, last === undefined ? endOf(found) : endOf(last)).trimEnd().length;
  const nextLine = text.indexOf("\n", end);
  const at = nextLine === -1 ? text.length : nextLine;
  return insert(at, lines.map((line) => `\n${" ".repeat(column)}${line}`).join(""));
}

/**
 * The text with other attributes of one entry, the one with this id under `key`; undefined removes an attribute. Null if
 * the list has no such entry. Comments within an entry of YAML stay.
 */
export function withAttributes(
  text: string,
  [list, key, id]: [list: string, key: string, id: string],
  attributes: Record<string, unknown>,
  isYaml: boolean,
): string | null {
  const document = parseDocument(text, { uniqueKeys: false });
  const found = isMap(document.contents) ? document.contents.get(list, true) : undefined;
  const entry = isSeq(found) ? found.items.find((one) => isMap(one) && String(one.get(key)) === id) : undefined;
  if (!isMap(entry)) return null;
  const start = entry.range?.[0] ?? 0;
  const end = text.slice(0, endOf(entry)).trimEnd().length;
  assign(entry, attributes, document);
  // These stand before and after the entry's own text, which alone is replaced.
  Object.assign(entry, { commentBefore: null, comment: null, anchor: undefined });
  const column = columnOf(text, start);
  const indent = /^ */.exec(text.slice(start - column))?.[0].length ?? 0;
  const block = () =>
    stringify(entry, YAML)
      .trimEnd()
      .replaceAll("\n", `\n${" ".repeat(column)}`);
  const written = !isYaml ? jsonText(entry.toJSON(), indent) : entry.flow ? JSON.stringify(entry) : block();
  return text.slice(0, start) + written + text.slice(end);
}

/** Sets the members of a map, those of its maps one by one, so that comments stay. */
function assign(map: YAMLMap, members: Record<string, unknown>, document: Document): void {
  for (const [name, value] of Object.entries(members)) {
    const old = map.get(name, true);
    if (value === undefined) map.delete(name);
    else if (isMap(old) && isObject(value)) {
      const gone = old.items.map(({ key }) => String(key)).filter((key) => !Object.hasOwn(value, key));
      assign(old, { ...Object.fromEntries(gone.map((key) => [key, undefined])), ...value }, document);
    } else if (JSON.stringify(old?.toJSON()) !== JSON.stringify(value)) {
      const node = document.createNode(value) as Node;
      if (old?.comment) node.comment = old.comment;
      map.set(name, node);
    }
  }
}

const YAML = { defaultStringType: "PLAIN", lineWidth: 0 } as const;

/** Where the value of a node ends. */
function endOf(node: Node): number {
  return node.range?.[1] ?? 0;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}
