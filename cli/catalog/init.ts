//! `edgebid init catalog.json`: writes a first catalog, and a request on which it bids. Overwrites no file.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { stringify } from "yaml";
import { Failure } from "../failure.mjs";
import { ROOT } from "../tools.mjs";
import { done, print } from "./print.ts";
import { isYaml } from "./yaml.ts";

const FIXTURES = join(ROOT, "fixtures");

/** The schema as `fixtures/init/catalog.json` names it, from the root of this repository. */
const SCHEMA = "fixtures/catalog.schema.json";

/** Throws {@link Failure} if one of the two files exists. */
export function initCatalog(file: string, { json }: { json?: boolean }): void {
  const request = join(dirname(file), "request.json");
  for (const path of [file, request]) {
    if (existsSync(path)) throw new Failure(`${path} exists; edgebid init overwrites no file`);
  }
  const catalog = firstCatalog(relative(dirname(file), join(FIXTURES, "catalog.schema.json")));
  writeFileSync(file, isYaml(file) ? inYaml(catalog) : catalog, { flag: "wx" });
  writeFileSync(request, firstRequest(), { flag: "wx" });
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

/** The text of the catalog, whose schema is at this path. */
export function firstCatalog(schema: string): string {
  return read("catalog.json").replace(SCHEMA, schema);
}

/** The text of a request on which {@link firstCatalog} bids. */
export function firstRequest(): string {
  return read("request.json");
}

function read(name: string): string {
  return readFileSync(join(FIXTURES, "init", name), "utf8");
}
