//! `edgebid replay` as a command: a run that was killed goes on to the same result, what has changed meanwhile is
//! refused, memory does not grow with the requests, and versions in KV are replayed like files.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { peakSet } from "../../bench/processes.ts";
import { ROOT, TOOL_ENV } from "../../build/tools.mjs";
import { generate } from "../../tools/traffic/generate.ts";
import { parsed } from "../replay/state.ts";
import { CATALOG, catalogText } from "./bidder.ts";
import { edgebidIn, folderFor, toldBy } from "./edgebid.ts";

const NOW = ["--now", "2026-11-18T12:00:00Z", "--json"];

const folder = folderFor("replay");
const edgebid = edgebidIn(folder);
/** Generated requests, one per line. */
let lines: string;

beforeAll(() => {
  const requests = generate(11, { catalog: JSON.parse(catalogText) });
  lines = Array.from({ length: 20_000 }, () => `${requests.next().value}\n`).join("");
});

/** The number of requests that a run had decided when its state was saved. */
const requestsIn = (state: string) => parsed(state)?.run.requests;

/** Starts the command. Standard error is not read. */
function start(...args: string[]): ChildProcess {
  const options: SpawnOptions = { cwd: folder, stdio: ["ignore", "pipe", "ignore"], env: TOOL_ENV };
  return spawn(process.execPath, [join(ROOT, "cli/edgebid.ts"), "replay", ...args], options);
}

it("a killed run goes on, and gives the same bytes as one run", async () => {
  writeFileSync(join(folder, "first.ndjson"), lines.slice(0, lines.length / 3));
  writeFileSync(join(folder, "second.ndjson.gz"), gzipSync(lines));
  const other = JSON.parse(catalogText);
  for (const campaign of other.campaigns) if (campaign.cid === "acme-spring") campaign.max_cpm = "1.55";
  writeFileSync(join(folder, "other.json"), JSON.stringify(other));
  const files = ["first.ndjson", ...Array<string>(4).fill("second.ndjson.gz")];
  const args = [...files, "--catalog", CATALOG, "--catalog", "other.json", ...NOW];
  const [code, whole] = await edgebid("replay", ...args);
  expect(code).toBe(0);
  expect(JSON.parse(whole).requests).toBeGreaterThan(80_000);
  const state = join(folder, "state.json");
  // The state of a run in the middle. The last kill may come when the run is already complete.
  let partial: Buffer | null = null;
  for (let kills = 0; kills < 3; kills++) {
    const before = partial;
    const killed = start(...args, "--state", "state.json");
    const ended = new Promise((done) => killed.on("exit", done));
    const isSaved = () => existsSync(state) && !(before && readFileSync(state).equals(before));
    while (killed.exitCode === null && !isSaved()) await new Promise((done) => setTimeout(done, 20));
    killed.kill("SIGKILL");
    await ended;
    if (requestsIn(state) === JSON.parse(whole).requests) break;
    partial = readFileSync(state);
  }
  if (partial === null) throw new Error("the run was complete before it was killed");
  writeFileSync(state, partial);
  expect(requestsIn(state)).toBeGreaterThan(0);
  // The second run is complete, and only shows its result again.
  for (const _ of ["goes on", "is complete"])
    expect((await edgebid("replay", ...args, "--state", "state.json"))[1]).toBe(whole);
});

it("a changed file, catalog or option is refused, and so is standard input", async () => {
  const file = join(folder, "changing.ndjson");
  const some = lines.slice(0, 300_000);
  writeFileSync(file, some);
  writeFileSync(join(folder, "mine.json"), readFileSync(CATALOG));
  const args = ["replay", "changing.ndjson", "--catalog", "mine.json", "--state", "small.json", ...NOW];
  expect((await edgebid(...args))[0]).toBe(0);
  const refused = async (...more: string[]) => {
    const [code, stdout] = await edgebid(...args, ...more);
    expect(code).toBe(2);
    return stdout;
  };
  expect(await refused("--ssp", "south")).toContain("another --ssp");
  expect(await refused("--catalog", CATALOG)).toContain("another number of catalogs");
  // The same size, but another byte.
  writeFileSync(file, some.replace("banner", "Banner"));
  expect(await refused()).toContain("changing.ndjson has changed");
  writeFileSync(file, `${some}${some}`);
  expect(await refused()).toContain("changing.ndjson has changed");
  writeFileSync(file, some);
  writeFileSync(join(folder, "mine.json"), catalogText.replace('"1.80"', '"1.81"'));
  expect(await refused()).toContain("mine.json has changed");
  writeFileSync(join(folder, "small.json"), "{}");
  expect(await refused()).toContain("not a state");
  const [, stdout] = await edgebid("replay", "-", "--catalog", CATALOG, "--state", "x.json", ...NOW);
  expect(stdout).toContain("standard input cannot be read again");
});

/** How much more memory 200,000 requests may take than 20,000: garbage that V8 has not collected yet. */
const GROWTH_BYTES = 48 << 20;

it.runIf(process.platform === "linux")("memory does not grow with the number of requests", async () => {
  writeFileSync(join(folder, "many.ndjson"), lines);
  const peak = async (times: number) => {
    const files = Array<string>(times).fill("many.ndjson");
    const child = start(...files, "--catalog", CATALOG, "--catalog", CATALOG, ...NOW);
    let most = 0;
    const ticker = setInterval(() => {
      most = Math.max(most, peakSet(child.pid) ?? 0);
    }, 50);
    const printed = await text(child.stdout as NodeJS.ReadableStream);
    clearInterval(ticker);
    expect(JSON.parse(printed).requests).toBe(20_000 * times);
    return most;
  };
  const [few, many] = [await peak(1), await peak(10)];
  expect(few).toBeGreaterThan(0);
  expect(many - few).toBeLessThan(GROWTH_BYTES);
});

it("versions in KV are named as in catalog diff", async () => {
  const where = ["--local", "--persist-to", join(folder, "kv")];
  writeFileSync(join(folder, "some.ndjson"), lines.slice(0, 200_000));
  const pushed: string[] = [];
  for (const price of ["1.80", "1.60"]) {
    const name = `price-${price}.json`;
    writeFileSync(join(folder, name), catalogText.replace('"1.80"', `"${price}"`));
    pushed.push((await toldBy(folder, "catalog", "push", name, ...where)).version);
  }
  const replayed = (catalogs: string[], ...more: string[]) => {
    const named = catalogs.flatMap((name) => ["--catalog", name]);
    return toldBy(folder, "replay", "some.ndjson", ...named, ...more, ...NOW);
  };
  const files = await replayed(["price-1.80.json", "price-1.60.json"]);
  const [first = "", second = ""] = pushed;
  const stored = await replayed([first.slice(0, 6), second], ...where);
  for (const { catalogs } of [files, stored]) for (const catalog of catalogs) delete catalog.name;
  expect(stored).toEqual(files);
  expect(files.differences.requests).toBeGreaterThan(10);
  // Without a name, the version that is served decides.
  expect((await replayed([], ...where)).catalogs[0].version).toBe(second);
});
