//! `edgebid catalog diff`: compares two catalogs, each a version in KV, a file or a folder.

import { EXIT, Failure } from "../../build/failure.mjs";
import { CatalogRefused } from "../../shared/catalog/compile.ts";
import { type Change, diff, KEYS } from "../../shared/compare/diff.ts";
import { planOf } from "../../shared/compare/plan.ts";
import { countText } from "../../shared/compare/text.ts";
import { isObject, parsedJson } from "../input.ts";
import { sourceOrVersion } from "./chosen.ts";
import { compiledAside } from "./compiling.ts";
import type { StoreOptions } from "./open.ts";
import { changeText, errorsIn, print } from "./print.ts";
import { step } from "./progress.ts";
import type { Source } from "./source.ts";
import type { Store } from "./store.ts";
import { type Named, readCurrent, readNamed } from "./versions.ts";

export interface DiffOptions extends StoreOptions {
  /** With which differences the command fails. */
  failOn?: "changes" | "warnings";
}

/** A catalog to compare. `source`: its source on disk. */
interface Compared extends Named {
  source?: Source;
}

/** Compares two catalogs. `inStore` opens KV, which is not needed to compare two files. */
export async function diffCommand(
  inStore: (work: (store: Store) => Promise<void>) => Promise<void>,
  old: string | undefined,
  now: string | undefined,
  options: DiffOptions,
): Promise<void> {
  const onDisk = new Map([old, now].flatMap((name) => named(name) ?? []));
  const [oldOnDisk, newOnDisk] = [onDisk.get(old ?? ""), onDisk.get(now ?? "")];
  if (oldOnDisk && newOnDisk) return compare(oldOnDisk, newOnDisk, options);
  await inStore(async (store) => {
    const current = await readCurrent(store);
    const { pointer, version } = current;
    const [first, second] =
      old !== undefined
        ? now !== undefined
          ? [old, now]
          : [version, old]
        : pointer?.second
          ? [version, pointer.second.version]
          : [pointer?.left ?? pointer?.previous, version];
    const opened = async (name: string | null | undefined): Promise<Compared> => {
      if (name) return onDisk.get(name) ?? readNamed(store, current, name);
      throw new Failure(
        version === null
          ? `the KV of ${store.where} holds no catalog; push one, or give --persist-to if \`npm start\` has it`
          : `there is no version to compare with; name one of this list: npx edgebid catalog list ${store.where}`,
      );
    };
    await compare(await opened(first), await opened(second), options);
  });
}

/** The catalog in a file or folder, by its name; null if the name can only be that of a version. */
function named(name: string | undefined): [[string, Compared]] | null {
  const source = sourceOrVersion(name);
  return source && [[source.path, { name: source.path, document: source.document, source }]];
}

/** Compares two catalogs. If the new one is on disk, also checks whether a push would refuse it. */
async function compare(old: Compared, now: Compared, { json, failOn }: DiffOptions): Promise<void> {
  const { name, source } = now;
  const [before, after] = [parse(old), parse(now)];
  const plan = planOf(before, after, Date.now());
  const changes = diff(before, after).map((change) => ({
    ...change,
    at: source ? locationOf(change, after, source) : null,
  }));
  const errors = source ? await step("compiling", () => errorsOf(source)) : 0;
  const texts = changes.length > 0 ? changes.map(changeText) : ["no differences"];
  const lines = [...texts, ...plan.warnings.map((warning) => `! ${warning}`)];
  if (failOn && { changes, warnings: plan.warnings }[failOn].length > 0) process.exitCode = EXIT.found;
  print(json, { old: old.name, new: name, errors, changes, plan }, [`${old.name} → ${name}`, ...lines].join("\n"));
  if (errors > 0 && !json) {
    const what = `a push would refuse ${name}, with ${countText(errors, "error")}`;
    process.stderr.write(`edgebid: ${what}: npx edgebid catalog validate ${name}\n`);
  }
}

/** The file and line of an added or changed entry; null in JSON, where people do not look up lines. */
function locationOf({ list, id, change }: Change, document: Record<string, unknown>, source: Source): string | null {
  if (change === "removed") return null;
  if (list === "settings") return source.locationOf(id);
  const key = KEYS[list];
  const entries: unknown[] = Array.isArray(document[list]) ? document[list] : [];
  const position = entries.findIndex((entry) => isObject(entry) && String(entry[key]) === id);
  return source.locationOf(`${list}[${position}]`);
}

/** The number of errors in the source. A push refuses a source with errors. */
async function errorsOf(source: Source): Promise<number> {
  try {
    await compiledAside(source);
    return 0;
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    return errorsIn(error.findings);
  }
}

function parse({ name, document }: Named): Record<string, unknown> {
  const value = parsedJson(document);
  if (isObject(value)) return value;
  throw new Failure(`${name} is not a catalog document: ${value === undefined ? "not JSON" : "no object"}`);
}
