//! `edgebid init`: writes a first catalog, or a folder with a bidder of its own: its configuration, a catalog, a test
//! and the workflow that runs it. Overwrites no file.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { Failure } from "../build/failure.mjs";
import { nearestConfiguration, ownPackage, ROOT } from "../build/tools.mjs";
import { CatalogRefused } from "../shared/catalog/compile.ts";
import { answersTo } from "./ask.ts";
import { compiledAside } from "./catalog/compiling.ts";
import { done, print } from "./catalog/print.ts";
import { sourceOfBytes } from "./catalog/source.ts";
import { bytesOf } from "./catalog/store.ts";
import { isYaml } from "./catalog/yaml.ts";
import { catalogFor, QUESTIONS, requestFor } from "./first-catalog.ts";
import { jsonText } from "./json-text.ts";

const TEMPLATE = join(ROOT, "template");
const REQUESTS = "test/requests/";
/** The path of the catalog schema, in the clone and in `node_modules/edgebid` of a bidder's folder. */
const SCHEMA = "fixtures/catalog.schema.json";
/** Files of the template whose real names npm would leave out of the package, with those names. */
const RENAMED: Record<string, string> = { gitignore: ".gitignore" };

/** The parts of a package.json that are used here. */
interface Package {
  version: string;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Options of the command, besides the answers. */
type InitOptions = {
  json?: boolean;
  /** Do not ask. */
  yes?: boolean;
};

type Answers = Record<string, string>;

/** The contents of files, by their paths in a folder. */
type Files = Map<string, string | Uint8Array>;

/** Writes a catalog, if the path ends like one, or a folder. Throws {@link Failure} if a file of it exists. */
export async function init(path: string, options: InitOptions): Promise<void> {
  const answers = await answersTo(QUESTIONS, options, options.yes || options.json ? null : undefined);
  await check(answers);
  if (/\.(json|ya?ml)$/i.test(path)) initCatalog(path, answers, options);
  else initFolder(path, answers, options);
}

/** Throws {@link CatalogRefused} if the catalog with these answers has a finding. */
async function check(answers: Answers): Promise<void> {
  const { notes } = await compiledAside(sourceOfBytes("the catalog", bytesOf(firstCatalog("", answers))));
  if (notes.length > 0) throw new CatalogRefused(notes);
}

/** Writes a first catalog, and a request on which it bids. */
function initCatalog(file: string, answers: Answers, { json }: InitOptions): void {
  const folder = dirname(file);
  const request = join(folder, "request.json");
  const catalog = firstCatalog(relative(folder, join(ROOT, SCHEMA)), answers);
  const files = new Map([[basename(file), isYaml(file) ? inYaml(catalog) : catalog]]);
  // A person who has a request wants a catalog for it.
  const isThere = existsSync(request);
  if (!isThere) files.set("request.json", requestText(firstFile("request.json"), answers));
  writeAll(folder, files);
  const other = isThere ? `; ${request} stays as it is` : `, and ${request}, a request on which it bids`;
  const serve =
    nearestConfiguration() === undefined
      ? "npx edgebid init my-bidder writes a folder in which npm start serves the catalog"
      : `npm start, then npx edgebid catalog push ${file} --local`;
  const text = `wrote ${file}, a catalog with one campaign${other}
  to check the catalog: npx edgebid catalog validate ${file}
  to see the decision: npx edgebid explain ${request} --catalog ${file}
  to serve it on this machine: ${serve}`;
  print(json, { catalog: file, request }, done(text));
}

/** The catalog in YAML, with the schema in the comment in which editors look for it. */
function inYaml(catalog: string): string {
  const { $schema, ...document } = JSON.parse(catalog);
  return `# yaml-language-server: $schema=${$schema}\n${stringify(document, { defaultStringType: "PLAIN", lineWidth: 0 })}`;
}

/** The text of the catalog with this path of its schema. */
function firstCatalog(schema: string, answers: Answers): string {
  return `${jsonText({ ...catalogFor(JSON.parse(firstFile("catalog.json")), answers), $schema: schema })}\n`;
}

function requestText(text: string, answers: Answers): string {
  return `${jsonText(requestFor(JSON.parse(text), answers))}\n`;
}

function firstFile(name: string): string {
  return readFileSync(join(ROOT, "fixtures/init", name), "utf8");
}

/** Writes files by their paths in the folder. Throws {@link Failure} if one of them exists, before any is written. */
function writeAll(folder: string, files: Files): void {
  const existing = [...files.keys()].map((name) => join(folder, name)).find((file) => existsSync(file));
  if (existing !== undefined) throw new Failure(`${existing} exists; edgebid init overwrites no file`);
  for (const [name, text] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  }
}

function initFolder(folder: string, answers: Answers, { json }: InitOptions): void {
  const files = filesFor(folder, answers);
  writeAll(folder, files);
  const text = `wrote a bidder into ${folder}: catalog.json says on what it bids, wrangler.toml how it runs
  cd ${folder}
  npm install
  npm start      # serves it on this machine, and shows how to get a bid
  npm test       # checks the bids on the requests in test/requests`;
  print(json, { folder, files: [...files.keys()] }, done(text));
}

function filesFor(folder: string, answers: Answers): Files {
  const name =
    basename(resolve(folder))
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "bidder";
  const entries = readdirSync(TEMPLATE, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(TEMPLATE, join(entry.parentPath, entry.name))).sort();
  const edgebid = packageFile();
  const changed = (path: string, text: string) => {
    if (path === "package.json") return withVersions(text, edgebid);
    if (path.startsWith(REQUESTS)) return requestText(text, answers);
    return text.replace("shoes-autumn at 2.5", `shoes-autumn at ${Number(answers["cpm"])}`);
  };
  const files: Files = new Map(
    paths.map((path) => {
      const text = readFileSync(join(TEMPLATE, path), "utf8").replaceAll("my-bidder", name);
      return [RENAMED[path] ?? path, changed(path, text)];
    }),
  );
  // The copy goes with the folder to other machines.
  if (edgebid !== null) files.set(basename(edgebid), readFileSync(edgebid));
  return files
    .set("catalog.json", firstCatalog(`node_modules/edgebid/${SCHEMA}`, answers))
    .set("request.json", requestText(firstFile("request.json"), answers));
}

/** The package.json with this edgebid, and the wrangler that its tests ran with. */
function withVersions(text: string, edgebid: string | null): string {
  const { version, peerDependencies, devDependencies }: Package = ownPackage();
  const wrangler = (peerDependencies ?? devDependencies)?.["wrangler"]?.replace("^", "") ?? "";
  const wanted: Package = JSON.parse(text);
  wanted.devDependencies = { edgebid: edgebid === null ? `^${version}` : `file:${basename(edgebid)}`, wrangler };
  return `${JSON.stringify(wanted, null, 2)}\n`;
}

/**
 * The file of the package from which this edgebid is installed, or in a clone the file of `npm run pack`; null if it
 * comes from the registry. Throws {@link Failure} if the file is gone.
 */
function packageFile(): string | null {
  const packed = join(ROOT, `target/package/edgebid-${ownPackage().version}.tgz`);
  if (basename(dirname(ROOT)) !== "node_modules") return existsSync(packed) ? packed : null;
  const file = installedFrom();
  if (file === null || existsSync(file)) return file;
  throw new Failure(`the folder would install edgebid from ${file}, which does not exist any more`);
}

function installedFrom(): string | null {
  const lock = join(dirname(ROOT), ".package-lock.json");
  const { packages = {} } = existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8")) : {};
  const resolved: string = packages["node_modules/edgebid"]?.resolved ?? "";
  if (!resolved.startsWith("file:")) return null;
  return resolve(dirname(dirname(ROOT)), resolved.slice("file:".length));
}
