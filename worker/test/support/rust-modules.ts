//! The imports between the modules of a Rust crate, from the text of its files: `use` statements, paths in code, and
//! names that come by a glob. A name that a module only passes on counts as an import from the module that has it. Tests
//! are left out. It expands no macros, so it does not see paths that a macro writes.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

interface Use {
  path: string[];
  as: string;
  isPublic: boolean;
}

interface Module {
  /** The code without comments, texts and `use` statements. */
  code: string;
  uses: Use[];
}

const USE = /\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/g;
/** What declares a name. `from` names the draft of a type in the bidder's macro `flat!`. */
const ITEM = /\b(?:fn|struct|enum|union|trait|const|static|type|mod|macro_rules!|from)\s+(\w+)|\n {4}([A-Z]\w*) \{/g;
/** Macros that are exported stand at the top of their crate, wherever they are written. */
const EXPORTED = /^crate::(openrtb|dimensions)$/;

/** For each module of the crate in this `src` folder, named as in Rust and empty for the top, those that it imports from. */
export function importsOfCrate(src: string): Map<string, Set<string>> {
  const modules = new Map<string, Module>();
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    const file = relative(src, join(entry.parentPath, entry.name));
    if (!entry.isFile() || !file.endsWith(".rs") || /(^|\/)tests(\/|\.rs$)/.test(file)) continue;
    const name = file
      .replace(/\.rs$/, "")
      .replace(/(^|\/)mod$/, "")
      .replace(/^(lib|main)$/, "")
      .replaceAll("/", "::");
    const code = flattened(plain(readFileSync(join(src, file), "utf8")));
    const uses = [...code.matchAll(USE)].flatMap(([, isPublic, tree = ""]) => usesOf(tree, isPublic !== undefined));
    modules.set(name, {
      code: code.replaceAll(USE, ""),
      uses: uses.filter(({ path }) => !EXPORTED.test(path.join("::"))),
    });
  }
  return new Map([...modules.keys()].map((name) => [name, importsOf(modules, name)]));
}

/** The code without the module of its tests, comments and texts. */
function plain(text: string): string {
  const [code = ""] = text.split(/#\[cfg\(test\)\]\s*mod tests \{/);
  const skipped = /r#"[\s\S]*?"#|b?"(?:\\[\s\S]|[^"\\])*"|\/\/.*|\/\*[\s\S]*?\*\/|b?'(?:\\.|[^'\\])'/g;
  return code
    .replace(skipped, (part) => (part.startsWith("/") ? "" : '""'))
    .replaceAll(/pub\(in [^)]*\)/g, "pub")
    .replaceAll(/\bmod \w+;/g, "");
}

/** The code with the contents of modules inside the file beside the rest. */
function flattened(code: string): string {
  const inline = /\bmod (\w+) \{/.exec(code);
  if (inline === null) return code;
  const start = inline.index + inline[0].length;
  let end = start;
  for (let depth = 1; depth > 0 && end < code.length; end++) depth += { "{": 1, "}": -1 }[code[end] ?? ""] ?? 0;
  const content = code.slice(start, end - 1).replaceAll(/\bsuper::/g, "self::");
  return flattened(`${code.slice(0, inline.index)}mod ${inline[1]};${content}${code.slice(end)}`);
}

/** The names of a `use` statement, each with its path. */
function usesOf(tree: string, isPublic: boolean): Use[] {
  const open = tree.indexOf("{");
  if (open < 0) {
    const [whole = "", renamed] = tree.trim().split(/\s+as\s+/);
    const path = whole.split("::").filter((part) => part !== "");
    if (path.length > 1 && path.at(-1) === "self") path.pop();
    return [{ path, as: renamed ?? path.at(-1) ?? "", isPublic }];
  }
  const [head, list] = [tree.slice(0, open).trim(), tree.slice(open + 1, tree.lastIndexOf("}"))];
  let depth = 0;
  const isComma = (letter: string) => {
    depth += { "{": 1, "}": -1 }[letter] ?? 0;
    return letter === "," && depth === 0;
  };
  const parts = [...list]
    .map((letter) => (isComma(letter) ? "\n\n" : letter))
    .join("")
    .split("\n\n");
  return parts.filter((part) => part.trim() !== "").flatMap((part) => usesOf(head + part.trim(), isPublic));
}

function importsOf(modules: Map<string, Module>, name: string): Set<string> {
  const { code, uses } = modules.get(name) as Module;
  const paths: string[][] = [];
  const isUsed = (item: string) => new RegExp(`\\b${item}\\b`).test(code);
  for (const { path, as, isPublic } of uses) {
    const from = as === "*" ? find(modules, name, path.slice(0, -1)) : undefined;
    if (from !== undefined) {
      const passedOn = namesIn(modules.get(from)).filter((item) => /^[A-Z]/.test(item) && isUsed(item));
      paths.push(...passedOn.map((item) => [...path.slice(0, -1), item]));
    } else if (!isPublic || isUsed(as)) paths.push(path);
  }
  for (const [path] of code.matchAll(/(?<![\w:])[a-z_]\w*(?:::\w+)+/g)) {
    const [first = "", ...rest] = path.split("::");
    if (EXPORTED.test(path)) continue;
    const known = uses.find(({ as }) => as === first);
    paths.push(known === undefined ? [first, ...rest] : [...known.path, ...rest]);
  }
  const isOwn = ([first = ""]: string[]) => /^(crate|super|self)$/.test(first) || modules.has(inside(name, first));
  const found = paths.filter(isOwn).map((path) => find(modules, name, path));
  return new Set(found.filter((other): other is string => other !== undefined && other !== name));
}

/** The names that a glob brings: of items, and of what the module passes on. */
function namesIn(module: Module | undefined): string[] {
  return [...itemsOf(module), ...(module?.uses.filter(({ isPublic }) => isPublic).map(({ as }) => as) ?? [])];
}

function itemsOf(module: Module | undefined): string[] {
  return [...(module?.code ?? "").matchAll(ITEM)].map(([, named, inMacro = ""]) => named ?? inMacro);
}

/** The module that declares the item at a path, which is relative to a module; undefined if the path leads out of the crate. */
function find(
  modules: Map<string, Module>,
  from: string,
  path: string[],
  tried = new Set<string>(),
): string | undefined {
  const step = `${from} ${path.join("::")}`;
  if (tried.has(step)) return undefined;
  tried.add(step);
  const [first, ...rest] = path;
  if (first === undefined || first === "*") return from;
  if (first === "crate") return find(modules, "", rest, tried);
  if (first === "self") return find(modules, from, rest, tried);
  if (first === "super") return find(modules, from.split("::").slice(0, -1).join("::"), rest, tried);
  if (modules.has(inside(from, first))) return find(modules, inside(from, first), rest, tried);
  const module = modules.get(from);
  if (itemsOf(module).includes(first)) return from;
  const named = module?.uses.find(({ as }) => as === first);
  if (named !== undefined) return find(modules, from, [...named.path, ...rest], tried);
  const globs = module?.uses.filter(({ as }) => as === "*") ?? [];
  for (const glob of globs) {
    const to = find(modules, from, glob.path.slice(0, -1), tried);
    const found = to === undefined ? undefined : find(modules, to, path, tried);
    if (found !== undefined) return found;
  }
  return undefined;
}

const inside = (module: string, name: string) => (module === "" ? name : `${module}::${name}`);
