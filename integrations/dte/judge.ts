//! Compares shapes with the published evaluator of the Dynamic Traffic Engine: it must filter no request on which the
//! catalog bids, and decide as the evaluator of `tools/shape` does. Run by hand; the README says how.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "../../bench/catalogs/generate.ts";
import { ReplayedCatalog } from "../../cli/replay/catalog.ts";
import { snapshotOf } from "../../cli/test/bidder.ts";
import { narrow, narrowed, running } from "../../cli/test/narrow-catalogs.ts";
import { rightCatalog } from "../../cli/test/right-catalogs.ts";
import { demandOf } from "../../tools/shape/campaigns.ts";
import { filterOf, textsOfJson, textsOfMap } from "../../tools/shape/evaluator.ts";
import { writeDte } from "../../tools/shape/files.ts";
import { Inventory } from "../../tools/shape/inventory.ts";
import { shapeOf } from "../../tools/shape/models.ts";
import { generate as traffic } from "../../tools/traffic/generate.ts";

const [clone, outside, bloom] = process.argv.slice(2);
if (clone === undefined) {
  process.stderr.write("judge.ts CLONE [FOLDER OF REQUESTS] [CLONE OF github.com/OldPanda/bloomfilter]\n");
  process.exit(2);
}

const SSP = "demo";
/** Generated requests for each catalog, half of them for its campaigns. */
const REQUESTS = 1000;
/** Wide traffic for the narrow catalog. */
const WIDE = 20_000;

const folder = mkdtempSync(join(tmpdir(), "edgebid-dte-"));
try {
  const evaluate = built(clone);
  const recorded = outside === undefined ? [] : requestsIn(outside);
  const broad = Array.from({ length: 10 }, (_, at) => generate(3 ** (1 + (at % 6)) + at));
  const some = Array.from({ length: 10 }, (_, at) => narrowed(generate(20 + at), at));
  const right = Array.from({ length: 10 }, (_, at) => running(rightCatalog(at)));
  const sums = { catalogs: 0, requests: 0, outside: recorded.length, bids: 0, filtered: 0, lost: 0, differ: 0 };
  for (const [at, document] of [...broad, ...some, ...right].entries()) {
    const made = Array.from({ length: REQUESTS }, next(traffic(at, { catalog: document as never })));
    const { bids, filtered, lost, differ } = judged(document, [...made, ...recorded], evaluate);
    sums.catalogs++;
    sums.requests += made.length + recorded.length;
    sums.bids += bids;
    sums.filtered += filtered;
    sums.lost += lost;
    sums.differ += differ;
  }
  const wide = Array.from({ length: WIDE }, next(traffic(1)));
  const { filtered, lost } = judged(narrow(generate(20), 0), wide, evaluate);
  const share = Number((filtered / WIDE).toFixed(4));
  process.stdout.write(`${JSON.stringify({ ...sums, narrow: { requests: WIDE, filtered: share, lost } }, null, 2)}\n`);
  process.exitCode = sums.lost + sums.differ + lost > 0 || share < 0.8 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function next(requests: Generator<string>): () => string {
  return () => requests.next().value;
}

/** Builds the program inside a copy of the evaluator. Returns the path of the program. */
function built(clone: string): string {
  const copy = join(folder, "golang");
  cpSync(join(clone, "golang"), copy, { recursive: true });
  mkdirSync(join(copy, "edgebid"));
  cpSync(join(import.meta.dirname, "evaluate.go"), join(copy, "edgebid/evaluate.go"));
  const go = (...args: string[]) => execFileSync("go", args, { cwd: copy, stdio: ["ignore", "inherit", "inherit"] });
  if (bloom !== undefined) go("mod", "edit", `-replace=github.com/OldPanda/bloomfilter=${bloom}`);
  go("build", "-mod=mod", "-o", join(folder, "evaluate"), "./edgebid");
  return join(folder, "evaluate");
}

/** The requests of a folder, a file each. */
function requestsIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return names.map((name) => readFileSync(join(path, name), "utf8")).filter(isObject);
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) && "imp" in value;
  } catch {
    return false;
  }
}

/** Counts the requests of one catalog. Its shape knows the domains and apps of one half of them. */
function judged(document: object, requests: string[], evaluate: string) {
  const snapshot = snapshotOf(document);
  const now = Date.now();
  const inventory = new Inventory();
  for (const request of requests.slice(0, requests.length / 2)) inventory.see(JSON.parse(request));
  const { models } = shapeOf(demandOf(snapshot, SSP, now), inventory);
  writeDte(folder, SSP, { models, control: 5, hours: 2, now });
  const file = join(folder, "requests");
  writeFileSync(file, requests.map((request) => `${Buffer.from(request).toString("base64")}\n`).join(""));
  const input = readFileSync(file);
  const answers = execFileSync(evaluate, [folder, SSP], { input, encoding: "utf8", maxBuffer: 1 << 28 });
  const decisions = answers.trimEnd().split("\n");
  const catalog = new ReplayedCatalog({ name: "catalog", version: "0000000000000000", snapshot });
  const isFiltered = filterOf(models);
  const counts = { bids: 0, filtered: 0, lost: 0, differ: 0 };
  for (const [at, request] of requests.entries()) {
    const [asText, asMap] = [...(decisions[at] ?? "")].map((digit) => digit === "0");
    const own = [textsOfJson(request), textsOfMap(request)].map(isFiltered);
    if (own[0] !== asText || own[1] !== asMap) {
      if (counts.differ++ === 0) process.stderr.write(`differs: ${decisions[at]} ${own} ${request.slice(0, 300)}\n`);
    }
    const { outcome } = catalog.decide({ body: new TextEncoder().encode(request), ssp: SSP, now }, at);
    counts.filtered += Number(asText && asMap);
    if (outcome !== "bid") continue;
    counts.bids++;
    if (asText || asMap) counts.lost++;
  }
  return counts;
}
